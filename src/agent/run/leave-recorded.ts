import { type LoopStep, RunStateError } from "../../loop/index.js";
import { openCalls } from "../../loop/internal.js";
import { type GivenUp, waitingIn } from "./give-up.js";
import { type JournalStorage, RunJournal } from "./run-journal.js";

/**
 * Ends a recorded run that waits, because its conversation goes on without it: it can't be resumed any more. `step`: the one whose calls
 * wait, as the conversation knows it. What was done since in another place isn't known there.
 */
export async function leaveRecorded(storage: JournalStorage | undefined, runId: string, step: LoopStep): Promise<GivenUp> {
  if (storage === undefined) throw needsJournal(runId);
  const { journal, recorded } = await RunJournal.open(storage, runId);
  try {
    const current = recorded?.loop.current ?? null;
    if (recorded?.isGivenUp !== true) journal.giveUp();
    await journal.written();
    const open = new Set(current === null ? [] : openCalls(current).map(({ id }) => id));
    for (const id of recorded?.begun ?? []) open.delete(id);
    const decidedElsewhere = openCalls(step).flatMap(({ id }) => (open.has(id) ? [] : [id]));
    return { confirmations: current === null ? [] : waitingIn(current), decidedElsewhere };
  } finally {
    await journal.close();
  }
}

/** A recorded run can't go on without its journal. */
export const needsJournal = (runId: string): RunStateError =>
  new RunStateError(
    "journal",
    `The run "${runId}" is recorded in a journal, which knows what was done since this state was made. Pass the journal option: resume("${runId}", { journal }), or generate(prompt, { journal }) to go on without the run.`,
  );
