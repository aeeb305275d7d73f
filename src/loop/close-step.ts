import type { ToolCall, ToolMessage } from "../models/index.js";
import { shortHash } from "../schema/internal.js";
import type { Advance, LoopEffect } from "./loop-event.js";
import type { CallResult, LoopState, LoopStep } from "./loop-state.js";
import type { RunOutcome } from "./run-outcome.js";
import { callLimitOutcome, repeatedFailureOutcome, resultLimitOutcome } from "./make-outcomes.js";
import { change, finish, withResults } from "./transitions.js";

/** Every call of the step has its result: the history gets them, and the model goes on unless the run ends here. */
export function closeStep(state: LoopState, step: LoopStep, before: readonly LoopEffect[], outcome: RunOutcome | null): Advance {
  const messages = step.calls.map((call, index) => toolMessage(call, step.results[index]));
  const effects: readonly LoopEffect[] = [...before, { type: "append", messages }, { type: "record_step", step }];
  const failures = countFailures(step, state.failures);
  const spent = countBytes(step, state);
  const closed = change(state, { current: null, failures, spent });
  const end = outcome ?? limitReached(closed, step);
  if (end !== null) return finish(closed, end, effects);
  return { state: change(closed, { status: "calling_model", step: state.step + 1 }), effects: [...effects, { type: "call_model" }] };
}

/** The run ends in the middle of a step: what was done is kept, what is open gets `missing`. */
export function stopStep(
  state: LoopState,
  outcome: RunOutcome,
  missing: CallResult = cancelled,
  said: readonly LoopEffect[] = [],
): Advance {
  if (state.current === null) return finish(state, outcome, said);
  return closeStep(
    state,
    withResults(
      state.current,
      state.current.results.map((result) => result ?? missing),
    ),
    [],
    outcome,
  );
}

const cancelled: CallResult = { content: "Request was cancelled", errorType: "cancelled" };

function limitReached({ limits, failures, spent }: LoopState, step: LoopStep): RunOutcome | null {
  if (spent.refusedTool !== null) return callLimitOutcome(spent.refusedTool);
  if (limits.resultBytes !== null && spent.resultBytes >= limits.resultBytes) return resultLimitOutcome(limits.resultBytes);
  const repeated = failures !== null && limits.identicalFailures !== null && failures.count >= limits.identicalFailures;
  return repeated ? repeatedFailureOutcome(step, failures.count) : null;
}

function countBytes({ results }: LoopStep, { spent, limits }: LoopState): LoopState["spent"] {
  if (limits.resultBytes === null) return spent;
  const bytes = results.reduce((sum, result) => sum + Buffer.byteLength(result?.content ?? ""), 0);
  return { ...spent, resultBytes: spent.resultBytes + bytes };
}

function countFailures({ calls, results }: LoopStep, earlier: LoopState["failures"]): LoopState["failures"] {
  if (results.some((result) => result?.errorType === undefined)) return null;
  const hash = shortHash(JSON.stringify(calls.map((call, index) => [call.name, call.arguments, results[index]?.content])));
  return { hash, count: earlier?.hash === hash ? earlier.count + 1 : 1 };
}

function toolMessage({ id, name }: ToolCall, result: CallResult | null | undefined): ToolMessage {
  const { content = "", attachments, errorType } = result ?? {};
  const message: ToolMessage = { role: "tool", toolCallId: id, toolName: name, content };
  if (errorType !== undefined) return { ...message, errorType };
  return attachments === undefined ? message : { ...message, attachments };
}
