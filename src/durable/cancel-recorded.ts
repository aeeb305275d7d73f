import { recoveryEvents } from "../agent/internal.js";
import { advance, type LoopEvent } from "../loop/index.js";
import type { OpenedRun } from "./run-records.js";
import { endOf } from "./run-status.js";

/** Ends a run that no process carries on. Calls that had begun get a result that says what isn't known. */
export async function cancelRecorded({ journal, recorded }: OpenedRun, reason: string): Promise<void> {
  if (recorded === undefined || recorded.isGivenUp) return;
  if (endOf({ recorded }) === undefined) {
    let state = recorded.loop;
    for (const event of [...recoveryEvents(state, recorded.begun), cancelled(reason)]) {
      state = advance(state, event).state;
      journal.record(event, state);
    }
  }
  journal.giveUp();
  await journal.written();
}

const cancelled = (reason: string): LoopEvent => ({
  type: "stopped",
  outcome: { reason: "aborted", detail: reason },
  missing: { content: "Not run: the run was cancelled before this call ran.", errorType: "cancelled" },
});
