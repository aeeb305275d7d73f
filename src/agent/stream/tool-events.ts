import type { AgentListener } from "../listener.js";
import type { AgentEvent } from "./agent-event.js";

/** A run that is streamed. */
interface Teller {
  readonly emit: (event: AgentEvent) => void;
  readonly step: () => number;
  /** The calls of the model whose tools began; calls that tools make by themselves are not among them. */
  readonly started: Set<string>;
}

/** One listener serves all streamed runs, so that they can share an executor. */
const tellers = new Map<string, Teller>();

/** Tells a stream of the attempts and the progress of a run's tools, until the returned function is called. */
export function tellToolEvents(runId: string, emit: Teller["emit"], step: () => number): () => void {
  tellers.set(runId, { emit, step, started: new Set() });
  return () => tellers.delete(runId);
}

/** To be given to the executor of every run that is streamed. */
export const toolEvents: AgentListener = {
  toolStarted: ({ runId, callId, tool, attempt, input, parentCallId }) => {
    const teller = tellers.get(runId);
    if (teller === undefined || parentCallId !== undefined) return;
    teller.started.add(callId);
    teller.emit({ type: "tool_started", step: teller.step(), callId, tool, attempt, input });
  },
  toolProgress: ({ runId, callId, tool, fraction, message }) => {
    const teller = tellers.get(runId);
    if (teller?.started.has(callId) !== true) return;
    teller.emit({ type: "tool_progress", step: teller.step(), callId, tool, fraction, ...(message !== undefined && { message }) });
  },
};
