import { gateOf, undecided } from "./gate.js";
import type { RunState } from "./run-state.js";
import type { Confirmation } from "../confirmation/index.js";

/**
 * What of a stored run waits for a person, in the order of the calls: as `response.confirmations` told when it paused.
 *
 * ```ts
 * const waiting = openConfirmations(await states.load(runId)).map((confirmation) => confirmationCard(confirmation));
 * ```
 */
export function openConfirmations({ loop: { current } }: Pick<RunState, "loop">): readonly Confirmation[] {
  if (current === null) return [];
  return current.calls.flatMap(({ id }, index) => {
    const gate = current.results[index] === null ? gateOf(current.gates, id) : undefined;
    return gate === undefined ? [] : undecided(gate);
  });
}
