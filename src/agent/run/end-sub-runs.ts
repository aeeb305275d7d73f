import type { LoopEvent } from "../../loop/index.js";
import type { RecordedRun } from "../../loop/internal.js";
import { leaseKeyOf, seizeLease } from "../../storage/internal.js";
import { subRunId } from "../sub-agents/sub-run-id.js";
import { type JournalStorage, RunJournal } from "./run-journal.js";

/**
 * Ends the recorded runs of sub-agents in the last step of a run that doesn't go on, and theirs: nothing can resume them.
 * `eventsOf`: how a run ends.
 */
export async function endSubRuns(
  storage: JournalStorage,
  { runId, loop, steps }: RecordedRun,
  eventsOf: (run: RecordedRun) => readonly LoopEvent[],
): Promise<void> {
  for (const { id } of (loop.current ?? steps.at(-1))?.calls ?? []) {
    const subRun = subRunId(runId, id);
    const head = await storage.journals.head(subRun);
    if (head === undefined || head.status === "ended") continue;
    // Only the holder of the calling run may carry it on.
    await seizeLease(storage, leaseKeyOf(subRun));
    const { journal, recorded } = await RunJournal.open(storage, subRun);
    try {
      if (recorded === undefined || recorded.isGivenUp) continue;
      await endSubRuns(storage, recorded, eventsOf);
      journal.recordAll(eventsOf(recorded), recorded.loop);
      journal.giveUp();
      await journal.written();
    } finally {
      await journal.close();
    }
  }
}
