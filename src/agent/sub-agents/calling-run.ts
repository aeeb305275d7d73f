import { AsyncLocalStorage } from "node:async_hooks";
import type { WithSettings } from "../../execution/internal.js";
import type { TokenUsage } from "../../models/index.js";
import type { SubAgent, SubAgentClass } from "../agent-class.js";
import type { GenerateOptions } from "../run-options.js";
import { modelInterceptor, type WithInterceptor } from "../intercepted-models.js";
import { replaying, type WithReplaying } from "../replay/replaying.js";
import type { AgentEvent } from "../stream/agent-event.js";
import type { RunState } from "../../loop/index.js";
import type { Resumption } from "./resumption.js";

/** Options of a run that hold for its sub-agents' runs as well. */
export type InheritedOptions = GenerateOptions & WithInterceptor & WithReplaying;

/** What the runs of sub-agents take over: limits and choices of this run are its own. */
const inheritedNames = [
  ...(["toolContext", "profile", "confirm", "confirmationTimeout", "claims", "stateSecret", "journal"] as const),
  ...(["tags", "container", "middleware", "listeners", modelInterceptor, replaying] as const),
] satisfies readonly (keyof InheritedOptions)[];

/** The options of a run that its sub-agents take over, as far as they are set. */
export const inherited = (options: InheritedOptions): InheritedOptions =>
  Object.fromEntries(inheritedNames.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])));

/** What a sub-agent takes over from the run that calls it. */
export interface CallingRun {
  readonly runId: string;
  readonly options: InheritedOptions;
  /** The agents that called each other to get here, the outermost first. */
  readonly lineage: readonly SubAgentClass[];
  readonly settings: WithSettings;
  /** The sub-agents that run now. */
  readonly running: Set<SubAgent>;
  /** Their runs, which may go on for a moment after the call that began them was aborted. */
  readonly subRuns: Set<Promise<unknown>>;
  /** Whether the run goes on in another process, its sub-agents' runs too. */
  isHandedOver: boolean;
}

/** A call of a run that has sub-agents, while it is carried out. */
export interface CallingCall {
  readonly run: CallingRun;
  readonly resumption: Resumption | undefined;
  /** Gets the events of the sub-agent's run, if the calling run has a listener. */
  readonly onEvent: ((agent: string, event: AgentEvent) => void) | undefined;
  /** The state in which an interrupt left the sub-agent's run. */
  left?: RunState | undefined;
  /** The tokens of what sub-agents the call ran, of those that have ended. */
  used?: TokenUsage;
}

// Two runs may continue from one state at the same time, with the same run id and the same call ids.
const calls = new AsyncLocalStorage<CallingCall>();

/** Carries out a call, whose sub-agent finds it by `callingCall`. */
export const duringCall = <Result>(call: CallingCall, work: () => Result): Result => calls.run(call, work);

/** The call in which a sub-agent is run; `undefined` if it isn't run by an agent. */
export function callingCall(runId: string): CallingCall | undefined {
  const call = calls.getStore();
  return call?.run.runId === runId ? call : undefined;
}
