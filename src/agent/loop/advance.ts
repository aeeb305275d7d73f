import { type AssistantMessage, addUsage, type ChatResponse, type Message, type ToolMessage } from "../../models/index.js";
import { shortHash } from "../short-hash.js";
import type { Advance, LoopEffect, LoopEvent } from "./loop-event.js";
import type { CallResult, LoopState, LoopStep, StepCall } from "./loop-state.js";
import type { RunOutcome } from "./outcome.js";

/** A model that repeats the same failing calls is given up after so many steps; a step limit alone would let it burn tokens. */
const identicalFailureLimit = 5;

/**
 * The whole loop: given what happened, what the state is now and what is to be done. It does no I/O, reads no
 * clock and changes nothing, so a run can stop after any event and go on elsewhere from the stored state.
 *
 * The tool messages of a step are appended together, in call order, when the last call has its result. Events
 * that answer nothing asked (a result given twice, anything after the end) change nothing.
 */
export function advance(state: LoopState, event: LoopEvent): Advance {
  switch (event.type) {
    case "started":
      return askForOpenWork(state);
    case "model_answered":
      return state.status === "calling_model" ? takeAnswer(state, event.response) : unchanged(state);
    case "model_failed":
      return state.status === "calling_model" ? finish(state, { reason: "model_error", detail: event.detail }) : unchanged(state);
    case "call_finished":
      return takeResult(state, event.id, event.result);
    case "stopped":
      return stop(state, event.reason, event.detail);
  }
}

const unchanged = (state: LoopState): Advance => ({ state, effects: [] });

function askForOpenWork(state: LoopState): Advance {
  switch (state.status) {
    case "ready":
      return callModel(state, []);
    case "calling_model":
      return { state, effects: [{ type: "call_model" }] };
    case "executing_calls":
      return { state, effects: [{ type: "execute_calls", calls: openCalls(state.current) }] };
    case "finished":
      return unchanged(state);
  }
}

function callModel(state: LoopState, before: readonly LoopEffect[]): Advance {
  return { state: { ...state, status: "calling_model", step: state.step + 1 }, effects: [...before, { type: "call_model" }] };
}

function takeAnswer(state: LoopState, response: ChatResponse): Advance {
  const { text, finishReason, usage, toolCalls } = response;
  const added = { ...state, usage: addUsage(state.usage, usage) };
  const append: LoopEffect = { type: "append", messages: [assistantMessage(response)] };
  if (toolCalls.length === 0) {
    const record: LoopEffect = { type: "record_step", step: { text, finishReason, usage, calls: [] } };
    // Providers refuse an empty assistant message in the history for ever after: an empty answer leaves none.
    return finish(added, answerOutcome(response), text === "" ? [record] : [append, record]);
  }
  const atLimit = state.maxSteps !== null && state.step >= state.maxSteps;
  const refusal = atLimit ? refuseAtLimit(state.step) : finishReason === "length" ? refuseTruncated : undefined;
  const calls = refusal === undefined ? toolCalls : toolCalls.map(refusal);
  const current: LoopStep = { text, finishReason, usage, calls };
  const open = openCalls(current);
  if (open.length === 0) return closeStep(added, current, [append], atLimit ? stepLimitOutcome(state.step) : undefined);
  return { state: { ...added, status: "executing_calls", current }, effects: [append, { type: "execute_calls", calls: open }] };
}

function takeResult(state: LoopState, id: string, result: CallResult): Advance {
  const { current } = state;
  const index = current?.calls.findIndex((call) => call.id === id && call.result === undefined) ?? -1;
  const call = current?.calls[index];
  if (current === undefined || call === undefined) return unchanged(state);
  const step = { ...current, calls: current.calls.with(index, { ...call, result }) };
  return openCalls(step).length === 0 ? closeStep(state, step, []) : unchanged({ ...state, current: step });
}

/** Every call of the step has its result: the history gets them, and the model goes on unless the run ends here. */
function closeStep(state: LoopState, step: LoopStep, before: readonly LoopEffect[], outcome?: RunOutcome): Advance {
  const { current: _closed, failures: earlier, ...rest } = state;
  const effects: readonly LoopEffect[] = [
    ...before,
    { type: "append", messages: step.calls.map(toolMessage) },
    { type: "record_step", step },
  ];
  const failures = countFailures(step, earlier);
  const next: LoopState = failures === undefined ? rest : { ...rest, failures };
  const end = outcome ?? (failures !== undefined && failures.count >= identicalFailureLimit ? repeatedFailureOutcome(step) : undefined);
  return end === undefined ? callModel(next, effects) : finish(next, end, effects);
}

function countFailures(step: LoopStep, earlier: LoopState["failures"]): LoopState["failures"] {
  if (step.calls.some(({ result }) => result?.errorType === undefined)) return undefined;
  const hash = shortHash(JSON.stringify(step.calls.map((call) => [call.name, call.arguments, call.result?.content])));
  return { hash, count: earlier?.hash === hash ? earlier.count + 1 : 1 };
}

function stop(state: LoopState, reason: "aborted" | "interrupted", detail: string): Advance {
  if (state.status === "finished") return unchanged(state);
  const outcome: RunOutcome = { reason, detail };
  if (state.current === undefined) return finish(state, outcome);
  const result: CallResult =
    reason === "aborted"
      ? { content: "Request was cancelled", errorType: "cancelled" }
      : { content: `Not run: ${detail}`, errorType: reason };
  const calls = state.current.calls.map((call) => (call.result === undefined ? { ...call, result } : call));
  return closeStep(state, { ...state.current, calls }, [], outcome);
}

function finish(state: LoopState, outcome: RunOutcome, before: readonly LoopEffect[] = []): Advance {
  return { state: { ...state, status: "finished", outcome }, effects: [...before, { type: "finish", outcome }] };
}

const openCalls = (step: LoopStep | undefined): readonly StepCall[] => step?.calls.filter(({ result }) => result === undefined) ?? [];

function assistantMessage({ text, toolCalls, reasoning, providerMetadata }: ChatResponse): Message {
  const message: AssistantMessage = {
    role: "assistant",
    content: text,
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(reasoning !== undefined && { reasoning }),
    ...(providerMetadata !== undefined && { providerMetadata }),
  };
  return message;
}

function toolMessage({ id, name, result }: StepCall): ToolMessage {
  const { content = "", errorType } = result ?? {};
  return { role: "tool", toolCallId: id, toolName: name, content, ...(errorType !== undefined && { errorType }) };
}

const refuseAtLimit =
  (steps: number) =>
  (call: StepCall): StepCall => ({
    ...call,
    result: { content: `Not run: the step limit (${steps}) was reached.`, errorType: "cancelled" },
  });

/** Where the answer hit the limit of output tokens, a call whose arguments are no complete JSON must not run. */
function refuseTruncated(call: StepCall): StepCall {
  if (isCompleteJson(call.arguments)) return call;
  const content =
    "Invalid arguments: the call was cut off by the limit of output tokens before its arguments were complete. Call again with shorter arguments.";
  return { ...call, result: { content, errorType: "validation_error" } };
}

function isCompleteJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function answerOutcome({ finishReason }: ChatResponse): RunOutcome {
  switch (finishReason) {
    case "length":
      return {
        reason: "truncated",
        detail: "The answer was cut off by the limit of output tokens. Raise maxOutputTokens in @modelOptions.",
      };
    case "content_filter":
      return { reason: "content_filter", detail: "The provider's content filter withheld the answer." };
    default:
      return { reason: "success" };
  }
}

const stepLimitOutcome = (steps: number): RunOutcome => ({
  reason: "max_steps",
  detail: `The model still called tools in step ${steps}, the last that is allowed. Raise the limit with @maxSteps, or generate again to go on.`,
});

const repeatedFailureOutcome = ({ calls }: LoopStep): RunOutcome => ({
  reason: "repeated_failure",
  detail: `The model repeated the same failing call ${identicalFailureLimit} times: ${calls.map(({ name, result }) => `${name}: ${result?.content}`).join("; ")}`,
});
