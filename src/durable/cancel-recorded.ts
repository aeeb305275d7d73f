import { recoveryEvents } from "../agent/internal.js";
import { initialState, type LoopEvent, limitsOf, type LoopState } from "../loop/index.js";
import { type AcceptedEntry, entryVersion, type RunEntry, startableCalls } from "../loop/internal.js";
import type { OpenedRun } from "./run-records.js";
import { outcomeOf } from "./run-status.js";

/**
 * Ends a run that no process carries on. Of calls that may have begun, their results say what isn't known. `save`: stores what its
 * conversation doesn't have yet.
 */
export async function cancelRecorded({ journal, accepted, recorded }: OpenedRun, reason: string, save: () => Promise<void>): Promise<void> {
  if (recorded?.isGivenUp === true) return;
  if (outcomeOf({ recorded }) === undefined) {
    const state = recorded?.loop ?? notBegun(accepted);
    if (recorded === undefined) journal.add(beginning(accepted, state));
    const begun = recoveryEvents(state, recorded?.begun ?? []);
    const known = new Set(recorded?.begun);
    const maybeBegun = (state.current === null ? [] : startableCalls(state.current)).filter(({ id }) => !known.has(id));
    journal.recordAll([...begun, ...maybeBegun.map(({ id }) => unknown(id)), cancelled(reason)], state);
  }
  await save();
  journal.giveUp();
  await journal.written();
}

const notBegun = ({ options: { maxSteps = 1, budget } }: AcceptedEntry): LoopState => initialState(limitsOf(maxSteps, budget));

const beginning = ({ runId, agent, prompt, options: { tags } }: AcceptedEntry, { limits }: LoopState): RunEntry => ({
  kind: "began",
  version: entryVersion,
  runId,
  agent,
  limits,
  messages: [{ role: "user", content: prompt }],
  ...(tags !== undefined && { tags }),
});

const unknown = (id: string): LoopEvent => ({
  type: "call_finished",
  id,
  result: { content: "It isn't known whether this call ran: the run was cancelled.", errorType: "cancelled" },
});

const cancelled = (reason: string): LoopEvent => ({
  type: "stopped",
  outcome: { reason: "aborted", detail: reason },
  missing: { content: "Not run: the run was cancelled before this call ran.", errorType: "cancelled" },
});
