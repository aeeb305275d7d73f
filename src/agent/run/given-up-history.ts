import type { Message } from "../../models/index.js";
import { isQuestion } from "../../confirmation/internal.js";
import { type CallResult, type LoopEvent, type LoopStep, type RunState, undecided } from "../../loop/index.js";
import { replay } from "../../loop/internal.js";
import { pairHistory } from "../../conversation/internal.js";

const content = "Not run: the conversation went on before anybody decided whether to run this call.";

const unknownContent =
  "It isn't known whether this call ran: it began, or was decided, in another place before the conversation went on here. Check with a read-only tool whether it took effect before you call the tool again.";

const unanswered: CallResult = Object.freeze({
  content: "Not answered: the conversation went on before the answer was there.",
  errorType: "cancelled",
});

/**
 * The event for the loop of an abandoned run: its open calls get their results.
 * `decidedElsewhere`: ids of those that may have run. `step`: the one whose calls wait.
 */
export const leavingEvents = (decidedElsewhere: readonly string[], step?: LoopStep): readonly LoopEvent[] => [
  ...questionsIn(step).flatMap((id): LoopEvent[] =>
    decidedElsewhere.includes(id) ? [] : [{ type: "call_finished", id, result: unanswered }],
  ),
  ...decidedElsewhere.map((id): LoopEvent => ({ type: "call_finished", id, result: { content: unknownContent, errorType: "cancelled" } })),
  { type: "stopped", outcome: { reason: "interrupted", detail: content }, missing: { content, errorType: "cancelled" } },
];

/** Whether it is the result of a call that waited when its run was given up. */
export const isLeft = (result: CallResult | null | undefined): boolean => result?.content === content;

/**
 * The history of a stored run that is given up: calls that were done keep their results, which a run holds back until all
 * of the step have theirs.
 */
export const historyLeftBy = ({ loop, messages }: RunState, events: readonly LoopEvent[]): readonly Message[] =>
  pairHistory([...messages, ...replay(loop, events).messages]);

/** A history that was put in order, with what isn't known about calls in place of what was taken for their results. */
export const historyWithUnknown = (history: readonly Message[], ids: readonly string[]): readonly Message[] =>
  history.map((message) => {
    if (message.role !== "tool" || !ids.includes(message.toolCallId)) return message;
    const { attachments: _, ...rest } = message;
    return { ...rest, content: unknownContent };
  });

/** Whether a history ends in the calls of a step: its conversation is the one that waits. */
export function endsIn(history: readonly Message[], { calls }: LoopStep): boolean {
  const last = history.findLast(({ role }) => role !== "tool");
  if (last?.role !== "assistant" || last.toolCalls?.length !== calls.length) return false;
  return last.toolCalls.every(({ id, arguments: text }, index) => id === calls[index]?.id && text === calls[index].arguments);
}

/** The ids of the calls that wait for an answer themselves. */
const questionsIn = (step: LoopStep | undefined): readonly string[] =>
  Object.entries(step?.gates ?? {}).flatMap(([id, gate]) => (gate.subRun === undefined && undecided(gate).some(isQuestion) ? [id] : []));
