import { type AssistantMessage, addUsage, type ChatResponse, type ToolCall } from "../models/index.js";
import { withheldText } from "../models/internal.js";
import type { Decision } from "../confirmation/index.js";
import { closeStep, stopStep } from "./close-step.js";
import { type Gate, gateOf, isDecided, undecided } from "./gate.js";
import type { Advance, LoopEffect, LoopEvent } from "./loop-event.js";
import type { LoopState, LoopStep } from "./loop-state.js";
import { answerOutcome, invalidOutputOutcome, stepLimitOutcome, tokenLimitOutcome, waitingOutcome } from "./make-outcomes.js";
import { answeredStep, atStepLimit, countCalls, countProviderCalls, denied, overTokens, refuseAll, uncutCalls } from "./refusals.js";
import { change, finish, isClosed, openCalls, unchanged, withResults } from "./transitions.js";

type AnswerEvent = Extract<LoopEvent, { readonly type: "model_answered" }>;
type ResultEvent = Extract<LoopEvent, { readonly type: "call_finished" }>;

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
      return state.status === "calling_model" ? takeAnswer(state, event) : unchanged(state);
    case "answer_blocked":
      return state.status === "calling_model"
        ? finish(change(state, { usage: addUsage(state.usage, event.response.usage) }), event.outcome, [])
        : unchanged(state);
    case "model_failed":
      return state.status === "calling_model"
        ? finish(state, { reason: "model_error", detail: event.detail }, partialAnswer(event.text))
        : unchanged(state);
    case "call_finished":
      return takeResult(state, event);
    case "call_gated":
      return setGate(state, event.id, event.gate);
    case "call_decided":
      return decide(state, event.decision);
    case "calls_settled":
      return settle(state);
    case "paused":
      return isOver(state) ? unchanged(state) : pause(state, event.outcome);
    case "stopped":
      return isOver(state) ? unchanged(state) : stopStep(state, event.outcome, event.missing, partialAnswer(event.text));
  }
}

/** Finished, or paused for something: then only resuming changes anything. */
const isOver = ({ status, current }: LoopState): boolean => status === "finished" || (status === "paused" && current === null);

function askForOpenWork(state: LoopState): Advance {
  switch (state.status) {
    case "ready":
      return { state: change(state, { status: "calling_model", step: 1 }), effects: [{ type: "call_model" }] };
    case "calling_model":
      return { state, effects: [{ type: "call_model" }] };
    case "executing_calls":
      return state.current === null ? unchanged(state) : executeOpen(state, state.current);
    case "paused":
    case "finished":
      return unchanged(state);
  }
}

/** The open calls that aren't decided: new ones, and those that wait; if there are none of them, those that were decided. */
function executeOpen(state: LoopState, current: LoopStep): Advance {
  const calls = openCalls(current).filter(({ id }) => !isDecided(gateOf(current.gates, id)));
  return calls.length === 0 ? settle(state) : { state, effects: [{ type: "execute_calls", calls, decided: false }] };
}

function takeAnswer(state: LoopState, { response, faults, allowedTools }: AnswerEvent): Advance {
  const { text, finishReason, usage, toolCalls: calls } = response;
  const answered = change(state, { usage: addUsage(state.usage, usage) });
  const append: LoopEffect = { type: "append", messages: [assistantMessage(response)] };
  if (calls.length === 0) {
    const record: LoopEffect = { type: "record_step", step: answeredStep(response, []) };
    // Providers refuse an empty assistant message in the history for ever after: an empty answer leaves none.
    const before = text === "" && response.providerCalls === undefined ? [record] : [append, record];
    const outcome = answerOutcome(finishReason);
    if (faults === undefined || outcome.reason !== "success") return finish(answered, outcome, before);
    if (state.repairs > 0 || atStepLimit(state)) return finish(answered, invalidOutputOutcome(faults.detail), before);
    return {
      state: change(answered, { step: state.step + 1, repairs: 1 }),
      effects: [...before, { type: "append", messages: [{ role: "user", content: faults.repairPrompt }] }, { type: "call_model" }],
    };
  }
  if (finishReason === "content_filter" || finishReason === "error") {
    return closeStep(answered, refuseAll(response, withheldText), [append], answerOutcome(finishReason));
  }
  if (atStepLimit(state)) {
    const steps = state.step - state.spent.stepsBefore;
    const content = `Not run: the step limit (${steps}) was reached.`;
    return closeStep(answered, refuseAll(response, content), [append], stepLimitOutcome(steps));
  }
  if (overTokens(answered)) {
    const content = "Not run: the token budget of the run is used up.";
    return closeStep(answered, refuseAll(response, content), [append], tokenLimitOutcome(answered));
  }
  return startCalls(answered, response, allowedTools, append);
}

function startCalls(state: LoopState, response: ChatResponse, allowedTools: LoopStep["allowedTools"], append: LoopEffect): Advance {
  const uncut = uncutCalls(response);
  const { results, spent } =
    state.limits.callsPerTool === null
      ? { results: uncut, spent: state.spent }
      : countCalls(response.toolCalls, uncut, change(state, { spent: countProviderCalls(response, state) }));
  const written = answeredStep(response, results);
  const step = allowedTools === undefined ? written : { ...written, allowedTools };
  const started = change(state, { status: "executing_calls", spent, current: step });
  if (isClosed(step)) return closeStep(started, step, [append], null);
  return { state: started, effects: [append, { type: "execute_calls", calls: openCalls(step), decided: false }] };
}

function takeResult(state: LoopState, { id, result, usage }: ResultEvent): Advance {
  const { current } = state;
  const index = openIndex(state, id);
  if (current === null || index === -1) return unchanged(state);
  const step = withResults(current, current.results.with(index, result));
  const counted = usage === undefined ? state : change(state, { usage: addUsage(state.usage, usage) });
  return isClosed(step) ? closeStep(counted, step, [], null) : unchanged(change(counted, { current: step }));
}

function setGate(state: LoopState, id: string, gate: Gate): Advance {
  const { current } = state;
  if (current === null || openIndex(state, id) === -1) return unchanged(state);
  return unchanged(change(state, { current: { ...current, gates: { ...current.gates, [id]: gate } } }));
}

function decide(state: LoopState, decision: Decision): Advance {
  const entry = Object.entries(state.current?.gates ?? {}).find(([, gate]) =>
    undecided(gate).some(({ callId }) => callId === decision.callId),
  );
  if (entry === undefined) return unchanged(state);
  const [id, gate] = entry;
  return setGate(state, id, { ...gate, decisions: [...gate.decisions, decision] });
}

/** Only when every open call is decided do those that were approved run; until then the run waits. */
function settle(state: LoopState): Advance {
  const { current } = state;
  if (current === null || state.status !== "executing_calls") return unchanged(state);
  const waiting = openCalls(current).filter(({ id }) => !isDecided(gateOf(current.gates, id)));
  if (waiting.length > 0) return pause(state, waitingOutcome(waiting.map(({ id }) => gateOf(current.gates, id))));
  const results = current.calls.map(({ id }, index) => current.results[index] ?? denied(gateOf(current.gates, id)));
  const step = withResults(current, results);
  if (isClosed(step)) return closeStep(state, step, [], null);
  return { state: change(state, { current: step }), effects: [{ type: "execute_calls", calls: openCalls(step), decided: true }] };
}

function pause(state: LoopState, outcome: LoopState["outcome"] & object): Advance {
  return { state: change(state, { status: "paused", outcome }), effects: [{ type: "finish", outcome }] };
}

function openIndex({ current, status }: LoopState, id: string): number {
  if (current === null || status === "finished") return -1;
  const index = current.calls.findIndex((call: ToolCall) => call.id === id);
  return index === -1 || current.results[index] !== null ? -1 : index;
}

/** What was said of an answer that never came to its end. Providers reject a blank message. */
const partialAnswer = (text = ""): readonly LoopEffect[] =>
  text.trim() === "" ? [] : [{ type: "append", messages: [{ role: "assistant", content: text }] }];

function assistantMessage({ text, toolCalls, reasoning, providerMetadata }: ChatResponse): AssistantMessage {
  const message: AssistantMessage =
    toolCalls.length === 0 ? { role: "assistant", content: text } : { role: "assistant", content: text, toolCalls };
  if (reasoning === undefined && providerMetadata === undefined) return message;
  return { ...message, ...(reasoning !== undefined && { reasoning }), ...(providerMetadata !== undefined && { providerMetadata }) };
}
