import type { AgentClass } from "../agent.js";
import type { Decision } from "../confirmation/decision.js";
import type { GenerateOptions } from "../options.js";
import type { RunState } from "../run-state.js";

/** What a sub-agent takes over from the run that calls it. */
export interface ParentRun {
  readonly options: GenerateOptions;
  /** The agents that called each other to get here, the outermost first. */
  readonly lineage: readonly AgentClass[];
}

const parents = new Map<string, ParentRun>();
const resumptions = new Map<string, Resumption>();

/** A sub-agent's run that waited, and what was decided since. */
export interface Resumption {
  readonly state: RunState;
  readonly decisions: readonly Decision[];
}

/** Tells the sub-agents of a run whose run it is, until the returned function is called. */
export function registerParent(runId: string, parent: ParentRun): () => void {
  parents.set(runId, parent);
  return () => parents.delete(runId);
}

/** `undefined` outside an agent's run. */
export const parentOf = (runId: string): ParentRun | undefined => parents.get(runId);

/** Lets the next execution of a call go on with the sub-agent's run. */
export function resumeNext(runId: string, callId: string, resumption: Resumption): void {
  resumptions.set(`${runId} ${callId}`, resumption);
}

export function takeResumption(runId: string, callId: string): Resumption | undefined {
  const resumption = resumptions.get(`${runId} ${callId}`);
  resumptions.delete(`${runId} ${callId}`);
  return resumption;
}
