import type { ToolCall } from "../models/index.js";
import { type Gate, gateOf, undecided } from "./gate.js";
import type { LoopState } from "./loop-state.js";
import type { RunState } from "./run-state.js";
import type { Confirmation, Question } from "../confirmation/index.js";
import { isQuestion } from "../confirmation/internal.js";

/**
 * Returns the calls of a stored run that wait for a decision, in the order of the calls: the same as `response.confirmations`.
 *
 * ```ts
 * const waiting = openConfirmations(await states.load(runId)).map((confirmation) => confirmationCard(confirmation));
 * ```
 *
 * See docs/04-confirmation.md.
 */
export const openConfirmations = (state: Pick<RunState, "loop">): readonly Confirmation[] =>
  waitingCalls(state).filter((waiting) => !isQuestion(waiting));

/**
 * Returns the calls of a stored run that wait for an answer, in the order of the calls: the same as `response.questions`.
 *
 * See docs/24-calls-answered-elsewhere.md.
 */
export const openQuestions = (state: Pick<RunState, "loop">): readonly Question[] => waitingCalls(state).filter(isQuestion);

/** All calls of a stored run that wait for somebody. */
export function waitingCalls({ loop: { current } }: Pick<RunState, "loop">): readonly Confirmation[] {
  if (current === null) return [];
  return current.calls.flatMap(({ id }, index) => {
    const gate = current.results[index] === null ? gateOf(current.gates, id) : undefined;
    return gate === undefined ? [] : undecided(gate);
  });
}

/** The call of the current step that a confirmation is about: by its own id, or by that of a call of the sub-agent that it runs. */
export const callAskedAbout = (
  { current }: Pick<LoopState, "current">,
  callId: string,
): { readonly call: ToolCall; readonly gate: Gate } | undefined => {
  for (const call of current?.calls ?? []) {
    const gate = gateOf(current?.gates, call.id);
    if (gate?.confirmations.some((one) => one.callId === callId)) return { call, gate };
  }
  return undefined;
};
