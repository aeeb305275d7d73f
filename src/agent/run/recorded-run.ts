import type { RunState } from "../../loop/index.js";
import { type OfferEntry, openState, type RecordedRun, sealState, type ToolNames } from "../../loop/internal.js";
import type { ModelTool } from "../../models/index.js";
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
  const { runId, agent, loop, messages, ledger, resumptions, tags, prefix, isGivenUp, isReplay } = recorded;
  if (isGivenUp) throw givenUpError(runId, undefined);
  const state = { runId, agent, loop, messages, ledger, resumptions, journaled: true } as const;
  return sealState({ ...state, ...(tags && { tags }), ...(prefix && { prefix }), ...(isReplay && { replay: true }) }, stateSecret);
}

/**
 * The names of tools that the record of a run needs: its calls have wire names. Of deferred tools, which may be thousands, it needs those
 * that are `offered` to the model.
 */
export function toolNamesIn(
  { classes, names, deferred }: AttachedTools,
  offered: readonly ModelTool[],
): { readonly toolNames?: ToolNames } {
  const always = classes.flatMap(({ definition: { name } }) => (deferred.has(name) ? [] : [names.toWire(name)]));
  return otherNames([...always, ...offered.map(({ name }) => name)], names);
}

/** The same for what a request offers from there on: the names of deferred tools. */
export function withFoundNames(entry: OfferEntry, { names, deferred }: AttachedTools): OfferEntry {
  if (deferred.size === 0) return entry;
  const offered = entry.kind === "prefix" ? entry.tools : (entry.offered ?? []);
  const found = offered.flatMap(({ name }) => (deferred.has(names.toTool(name)) ? [name] : []));
  return { ...entry, ...otherNames(found, names) };
}

/** The own names behind wire names that differ from them. */
function otherNames(wireNames: readonly string[], names: WireNames): { readonly toolNames?: ToolNames } {
  const others = wireNames.flatMap((wire): [string, string][] => {
    const name = names.toTool(wire);
    return wire === name ? [] : [[wire, name]];
  });
  return others.length === 0 ? {} : { toolNames: Object.fromEntries(others) };
}

/** The own names of the tools of a recorded run. */
export const recordedNames = ({ toolNames }: RecordedRun): Pick<WireNames, "toTool"> => ({
  toTool: (wire) => (Object.hasOwn(toolNames, wire) ? (toolNames[wire] as string) : wire),
});
