import type { RunState } from "../../loop/index.js";
import { openState, type RecordedRun, sealState, type ToolNames } from "../../loop/internal.js";
import { randomUuid } from "../../platform/index.js";
import type { WireNames } from "../../schema/internal.js";
import type { AttachedTools } from "../attached-tools.js";
import type { GenerateOptions, ResumeOptions } from "../run-options.js";
import { givenUpError } from "./give-up.js";
import { type JournalStorage, type OpenedJournal, RunJournal } from "./run-journal.js";

/** Begins the journal of a new run. */
export async function beginRecord(
  storage: JournalStorage,
  { runId = randomUuid() }: GenerateOptions,
  agent: string,
): Promise<{ readonly journal: RunJournal }> {
  return { journal: await RunJournal.begin(storage, runId, agent) };
}

/** Opens the journal of a run that goes on. `from`: its id, or a state of it. */
export async function openRecord(
  storage: JournalStorage,
  from: RunState | string,
  { stateSecret }: ResumeOptions,
  agent: string,
): Promise<OpenedJournal> {
  return RunJournal.open(storage, typeof from === "string" ? from : openState(from, agent, stateSecret).runId, agent);
}

/** A recorded run as a state. Throws `RunStateError` if its conversation went on without it. */
export function stateOf(recorded: RecordedRun, { stateSecret }: GenerateOptions): RunState {
  const { runId, agent, loop, messages, ledger, resumptions, tags, prefix, isGivenUp } = recorded;
  if (isGivenUp) throw givenUpError(runId, undefined);
  const state = { runId, agent, loop, messages, ledger, resumptions, journaled: true } as const;
  return sealState({ ...state, ...(tags && { tags }), ...(prefix && { prefix }) }, stateSecret);
}

/** The names of tools that the record of a run needs: its calls have wire names. */
export function toolNamesIn({ classes, names }: AttachedTools): { readonly toolNames?: ToolNames } {
  const others = classes.flatMap(({ definition: { name } }): [string, string][] => {
    const wire = names.toWire(name);
    return wire === name ? [] : [[wire, name]];
  });
  return others.length === 0 ? {} : { toolNames: Object.fromEntries(others) };
}

/** The own names of the tools of a recorded run. */
export const recordedNames = ({ toolNames }: RecordedRun): Pick<WireNames, "toTool"> => ({
  toTool: (wire) => (Object.hasOwn(toolNames, wire) ? (toolNames[wire] as string) : wire),
});
