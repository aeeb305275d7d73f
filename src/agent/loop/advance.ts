import {
  type AssistantMessage,
  addUsage,
  type ChatResponse,
  type FinishReason,
  type ToolCall,
  type ToolMessage,
} from "../../models/index.js";
import { shortHash } from "../short-hash.js";
import type { Advance, LoopEffect, LoopEvent } from "./loop-event.js";
import type { CallResult, LoopState, LoopStep } from "./loop-state.js";
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
      return state.status === "calling_model" ? finish(state, { reason: "model_error", detail: event.detail }, []) : unchanged(state);
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
      return { state: { ...state, status: "calling_model", step: 1 }, effects: [{ type: "call_model" }] };
    case "calling_model":
      return { state, effects: [{ type: "call_model" }] };
    case "executing_calls":
      return { state, effects: state.current === null ? [] : [{ type: "execute_calls", calls: openCalls(state.current) }] };
    case "finished":
      return unchanged(state);
  }
}

function takeAnswer(state: LoopState, response: ChatResponse): Advance {
  const { text, finishReason, usage, toolCalls: calls } = response;
  const total = addUsage(state.usage, usage);
  const append: LoopEffect = { type: "append", messages: [assistantMessage(response)] };
  if (calls.length === 0) {
    const record: LoopEffect = { type: "record_step", step: { text, finishReason, usage, calls, results: [] } };
    // Providers refuse an empty assistant message in the history for ever after: an empty answer leaves none.
    return finish({ ...state, usage: total }, answerOutcome(finishReason), text === "" ? [record] : [append, record]);
  }
  const atLimit = state.maxSteps !== null && state.step >= state.maxSteps;
  const refuse = atLimit ? refuseAtLimit : finishReason === "length" ? refuseTruncated : letThrough;
  const step: LoopStep = { text, finishReason, usage, calls, results: calls.map((call) => refuse(call, state.step)) };
  if (isClosed(step)) return closeStep({ ...state, usage: total }, step, [append], atLimit ? stepLimitOutcome(state.step) : null);
  return {
    state: { ...state, status: "executing_calls", usage: total, current: step },
    effects: [append, { type: "execute_calls", calls: openCalls(step) }],
  };
}

function takeResult(state: LoopState, id: string, result: CallResult): Advance {
  const { current } = state;
  if (current === null) return unchanged(state);
  const index = current.calls.findIndex((call) => call.id === id);
  if (index === -1 || current.results[index] !== null) return unchanged(state);
  const step = { ...current, results: current.results.with(index, result) };
  return isClosed(step) ? closeStep(state, step, [], null) : unchanged({ ...state, current: step });
}

/** Every call of the step has its result: the history gets them, and the model goes on unless the run ends here. */
function closeStep(state: LoopState, step: LoopStep, before: readonly LoopEffect[], outcome: RunOutcome | null): Advance {
  const messages = step.calls.map((call, index) => toolMessage(call, step.results[index]));
  const effects: readonly LoopEffect[] = [...before, { type: "append", messages }, { type: "record_step", step }];
  const failures = countFailures(step, state.failures);
  const end = outcome ?? (failures !== null && failures.count >= identicalFailureLimit ? repeatedFailureOutcome(step) : null);
  if (end !== null) return finish({ ...state, current: null, failures }, end, effects);
  return {
    state: { ...state, status: "calling_model", step: state.step + 1, current: null, failures },
    effects: [...effects, { type: "call_model" }],
  };
}

function countFailures({ calls, results }: LoopStep, earlier: LoopState["failures"]): LoopState["failures"] {
  if (results.some((result) => result?.errorType === undefined)) return null;
  const hash = shortHash(JSON.stringify(calls.map((call, index) => [call.name, call.arguments, results[index]?.content])));
  return { hash, count: earlier?.hash === hash ? earlier.count + 1 : 1 };
}

function stop(state: LoopState, reason: "aborted" | "interrupted", detail: string): Advance {
  if (state.status === "finished") return unchanged(state);
  const outcome: RunOutcome = { reason, detail };
  if (state.current === null) return finish(state, outcome, []);
  const missing: CallResult =
    reason === "aborted"
      ? { content: "Request was cancelled", errorType: "cancelled" }
      : { content: "Not run: the run was interrupted.", errorType: reason };
  return closeStep(state, { ...state.current, results: state.current.results.map((result) => result ?? missing) }, [], outcome);
}

function finish(state: LoopState, outcome: RunOutcome, before: readonly LoopEffect[]): Advance {
  return { state: { ...state, status: "finished", outcome }, effects: [...before, { type: "finish", outcome }] };
}

const isClosed = ({ results }: LoopStep): boolean => !results.includes(null);

const openCalls = ({ calls, results }: LoopStep): readonly ToolCall[] => calls.filter((_, index) => results[index] === null);

function assistantMessage({ text, toolCalls, reasoning, providerMetadata }: ChatResponse): AssistantMessage {
  const message: AssistantMessage =
    toolCalls.length === 0 ? { role: "assistant", content: text } : { role: "assistant", content: text, toolCalls };
  if (reasoning === undefined && providerMetadata === undefined) return message;
  return { ...message, ...(reasoning !== undefined && { reasoning }), ...(providerMetadata !== undefined && { providerMetadata }) };
}

function toolMessage({ id, name }: ToolCall, result: CallResult | null | undefined): ToolMessage {
  const { content = "", errorType } = result ?? {};
  const message: ToolMessage = { role: "tool", toolCallId: id, toolName: name, content };
  return errorType === undefined ? message : { ...message, errorType };
}

const letThrough = (): null => null;

const refuseAtLimit = (_call: ToolCall, steps: number): CallResult => ({
  content: `Not run: the step limit (${steps}) was reached.`,
  errorType: "cancelled",
});

/** Where the answer hit the limit of output tokens, a call whose arguments are no complete JSON must not run. */
function refuseTruncated(call: ToolCall): CallResult | null {
  if (isCompleteJson(call.arguments)) return null;
  const content =
    "Invalid arguments: the call was cut off by the limit of output tokens before its arguments were complete. Call again with shorter arguments.";
  return { content, errorType: "validation_error" };
}

function isCompleteJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function answerOutcome(finishReason: FinishReason): RunOutcome {
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

const repeatedFailureOutcome = ({ calls, results }: LoopStep): RunOutcome => ({
  reason: "repeated_failure",
  detail: `The model repeated the same failing call ${identicalFailureLimit} times: ${calls.map(({ name }, index) => `${name}: ${results[index]?.content}`).join("; ")}`,
});
