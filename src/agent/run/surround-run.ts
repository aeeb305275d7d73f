import { LeaseLostError } from "../../storage/index.js";
import type { AcceptedEntry } from "../../loop/internal.js";
import type { AgentDefinition, SubAgentClass } from "../agent-class.js";
import { agentDefinitionOf } from "../agent-definition.js";
import type { GenerateOptions } from "../run-options.js";
import { aroundRun, type RunningAgent } from "./run-hooks.js";
import type { JournalStorage, RunJournal } from "./run-journal.js";
import { runSignal, withPresence } from "./run-signal.js";

/** How a run may begin. */
interface RunDoor<Options, Record> {
  /** Throws for options that no run may begin with. */
  readonly admit: (options: Options) => void;
  /** Takes the lease of the run, and opens its journal. */
  readonly open: (storage: JournalStorage, agent: string) => Promise<Record>;
}

/** The journal of a run, and what a runtime accepted. */
interface OpenRecord {
  readonly journal: RunJournal;
  readonly accepted?: AcceptedEntry | undefined;
}

/**
 * What goes around each run: the checks of its options, its journal, its signal, and the framework's wrapper.
 *
 * The run has one signal from here to its end: an abort, the wall time, and another process that takes over end whatever it waits for. The
 * last entries of the journal are written before the response is given.
 */
export function surroundRun<Options extends GenerateOptions, Record extends OpenRecord, Result>(
  agent: RunningAgent,
  asked: Options,
  door: RunDoor<Options, Record>,
  carryOut: (options: Options, record?: Record) => Promise<Result>,
): Promise<Result> {
  try {
    door.admit(asked);
    // TypeScript types `constructor` as any function; it is the class that made this instance.
    const definition = agentDefinitionOf(agent.constructor as SubAgentClass);
    // Most runs have nothing around them, and a function that waits for their end would keep half a kilobyte for each.
    return isBare(agent, asked, definition) ? carryOut(asked) : surroundAdmitted(agent, asked, definition, door, carryOut);
  } catch (error) {
    return Promise.reject(error);
  }
}

const isBare = (agent: RunningAgent, { journal, abortSignal, budget }: GenerateOptions, definition: AgentDefinition): boolean =>
  journal === undefined &&
  abortSignal === undefined &&
  agent[aroundRun] === undefined &&
  (budget ?? definition.budget)?.wallTime === undefined;

async function surroundAdmitted<Options extends GenerateOptions, Record extends OpenRecord, Result>(
  agent: RunningAgent,
  asked: Options,
  { name, budget }: AgentDefinition,
  { admit, open }: RunDoor<Options, Record>,
  carryOut: (options: Options, record?: Record) => Promise<Result>,
): Promise<Result> {
  const record = asked.journal === undefined ? undefined : await open(asked.journal, name);
  const unfollow = record && followLoss(asked.abortSignal, record.journal);
  const limits = asked.budget ?? record?.accepted?.options.budget ?? budget;
  const { signal, end } = runSignal(asked.abortSignal, record?.journal.lost, limits?.wallTime);
  const options = signal === asked.abortSignal ? asked : { ...asked, abortSignal: signal };
  const present = (given: Options): Promise<Result> =>
    given.abortSignal === undefined ? carryOut(given, record) : withPresence(given.abortSignal, () => carryOut(given, record));
  const surround = agent[aroundRun];
  try {
    if (surround === undefined) return await present(options);
    return await surround(options, (governed) => {
      admit(governed);
      return present(governed);
    });
  } finally {
    end();
    unfollow?.();
    if (record !== undefined) await record.journal.close();
  }
}

/** The run of a sub-agent is lost with the run that calls it: what it would still record, the next process would take for a result. */
function followLoss(caller: AbortSignal | undefined, journal: RunJournal): () => void {
  const lose = (): void => {
    if (caller?.reason instanceof LeaseLostError) journal.lose(caller.reason);
  };
  if (caller?.aborted === true) lose();
  caller?.addEventListener("abort", lose, { once: true });
  return () => caller?.removeEventListener("abort", lose);
}
