import { type LoopEvent, type LoopStep, RunStateError } from "../../loop/index.js";
import { openCalls, type RecordedRun, startableCalls } from "../../loop/internal.js";
import { LeaseHeldError } from "../../storage/index.js";
import { leaseKeyOf } from "../../storage/internal.js";
import { endSubRuns } from "./end-sub-runs.js";
import { type GivenUp, waitingIn } from "./give-up.js";
import { isLeft, leavingEvents } from "./given-up-history.js";
import { type JournalStorage, RunJournal } from "./run-journal.js";

/**
 * Ends a recorded run that waits, because its conversation goes on without it: it can't be resumed any more. `step`: the one whose calls
 * wait, as the conversation knows it. What was done since in another place isn't known there. Repeated, it answers the same. Throws
 * `LeaseHeldError` if the run goes on, also with a decision that was recorded.
 */
export async function leaveRecorded(storage: JournalStorage | undefined, runId: string, step: LoopStep): Promise<GivenUp> {
  if (storage === undefined) throw needsJournal(runId);
  const { journal, recorded } = await RunJournal.open(storage, runId);
  try {
    if (recorded === undefined) return { confirmations: [], decidedElsewhere: openCalls(step).map(({ id }) => id) };
    const { isGivenUp, loop, decisions } = recorded;
    if (!isGivenUp && decisions.length > 0) throw goesOn(runId);
    const notRun = notRunIn(recorded);
    if (!isGivenUp) {
      const eventsOf = (run: RecordedRun): readonly LoopEvent[] => leavingEvents(maybeRun(run));
      await endSubRuns(storage, recorded, eventsOf);
      journal.recordAll(eventsOf(recorded), loop);
      journal.giveUp();
      await journal.written();
    }
    const decidedElsewhere = openCalls(step).flatMap(({ id }) => (notRun.has(id) ? [] : [id]));
    // A call of a sub-agent has the id of the call that it is in before a slash.
    const waiting = waitingIn(step).filter(({ callId }) => notRun.has(callId.split("/")[0] ?? ""));
    return { confirmations: loop.current === null ? waiting : waitingIn(loop.current), decidedElsewhere };
  } finally {
    await journal.close();
  }
}

/** The calls of a run that haven't begun, or that were given up before they could. */
function notRunIn({ loop: { current }, begun, steps }: RecordedRun): ReadonlySet<string> {
  if (current !== null) return new Set(openCalls(current).flatMap(({ id }) => (begun.includes(id) ? [] : [id])));
  const { calls = [], results = [] } = steps.at(-1) ?? {};
  return new Set(calls.flatMap(({ id }, index) => (isLeft(results[index]) ? [id] : [])));
}

/** The open calls that may have run: those that had begun, and of a run that was cut off those that wait for no person. */
function maybeRun({ begun, loop: { current, outcome } }: RecordedRun): readonly string[] {
  if (current === null || outcome !== null) return begun;
  return [...new Set([...begun, ...startableCalls(current).map(({ id }) => id)])];
}

const goesOn = (runId: string): LeaseHeldError =>
  new LeaseHeldError(
    { key: leaseKeyOf(runId), expiresAt: new Date().toISOString() },
    `The run "${runId}", which goes on with a person's decision,`,
  );

/** A recorded run can't go on without its journal. */
export const needsJournal = (runId: string): RunStateError =>
  new RunStateError(
    "journal",
    `The run "${runId}" is recorded in a journal, which knows what was done since this state was made. Pass the journal option: resume("${runId}", { journal }), or generate(prompt, { journal }) to go on without the run.`,
  );
