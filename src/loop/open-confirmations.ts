import { gateOf, undecided } from "./gate.js";
import type { RunState } from "./run-state.js";
import type { Confirmation } from "../confirmation/index.js";

/**
 * Returns the calls of a stored run that wait for a decision, in the order of the calls: the same as `response.confirmations`.
 *
 * ```ts
 * const waiting = openConfirmations(await states.load(runId)).map((confirmation) => confirmationCard(confirmation));
 * ```
 *
 * See docs/04-confirmation.md.
 */
export function openConfirmations({ loop: { current } }: Pick<RunState, "loop">): readonly Confirmation[] {
  if (current === null) return [];
  return current.calls.flatMap(({ id }, index) => {
    const gate = current.results[index] === null ? gateOf(current.gates, id) : undefined;
    return gate === undefined ? [] : undecided(gate);
  });
}
