import type { RunState } from "../../loop/index.js";
import { type RecordedRun, sealState } from "../../loop/internal.js";
import { follow, isOptions } from "../../tool/internal.js";
import type { GenerateOptions } from "../run-options.js";
import { givenUpError } from "./left-run.js";
import type { JournalStorage, RunJournal } from "./run-journal.js";

/** Where the run is to be recorded. Options that aren't an object are rejected later. */
export const journalIn = (options: GenerateOptions | undefined): JournalStorage | undefined =>
  isOptions(options) ? (options.journal as JournalStorage | undefined) : undefined;

/** A recorded run as a state. Throws `RunStateError` if its conversation went on without it. */
export function stateOf(recorded: RecordedRun, { stateSecret }: GenerateOptions): RunState {
  const { runId, agent, loop, messages, ledger, resumptions, tags, isGivenUp } = recorded;
  if (isGivenUp) throw givenUpError(runId, undefined);
  return sealState({ runId, agent, loop, messages, ledger, resumptions, ...(tags && { tags }), journaled: true }, stateSecret);
}

/** Carries out a run that is recorded: it ends if another process takes over, and its last entries are written before its response is given. */
export async function whileRecorded<Options extends GenerateOptions, Response>(
  journal: RunJournal,
  asked: Options,
  carryOut: (options: Options) => Promise<Response>,
): Promise<Response> {
  const controller = new AbortController();
  const unfollow = [asked.abortSignal, journal.lost].map((signal) => follow(signal, controller));
  try {
    return await carryOut({ ...asked, abortSignal: controller.signal });
  } finally {
    for (const end of unfollow) end();
    await journal.close();
  }
}
