import { endSubRuns, recoveryEvents } from "../agent/internal.js";
import { initialState, type LoopEvent, limitsOf, type LoopState } from "../loop/index.js";
import { type AcceptedEntry, entryVersion, type RecordedRun, type RunEntry, startableCalls } from "../loop/internal.js";
import type { Storage } from "../storage/index.js";
import type { OpenedRun } from "./run-records.js";
import { outcomeOf } from "./run-status.js";

/**
 * Ends a run that no process carries on, and those of its sub-agents. Of calls that may have begun, their results say what isn't known.
 * `save`: stores what its conversation doesn't have yet.
 */
export async function cancelRecorded(
  storage: Storage,
  { journal, accepted, recorded }: OpenedRun,
  reason: string,
  save: () => Promise<void>,
): Promise<void> {
  if (recorded?.isGivenUp === true) return;
  if (recorded === undefined) {
    const state = notBegun(accepted);
    journal.add(beginning(accepted, state));
    journal.recordAll([cancelled(reason)], state);
  } else {
    const eventsOf = (run: RecordedRun): readonly LoopEvent[] => cancellingEvents(run, reason);
    await endSubRuns(storage, recorded, eventsOf);
    if (outcomeOf({ recorded }) === undefined) journal.recordAll(eventsOf(recorded), recorded.loop);
  }
  await save();
  journal.giveUp();
  await journal.written();
}

function cancellingEvents({ loop, begun }: RecordedRun, reason: string): readonly LoopEvent[] {
  const maybeBegun = (loop.current === null ? [] : startableCalls(loop.current)).filter(({ id }) => !begun.includes(id));
  return [...recoveryEvents(loop, begun), ...maybeBegun.map(({ id }) => unknown(id)), cancelled(reason)];
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
