import type { AgentListener } from "../agent-listener.js";
import type { AgentEvent } from "./agent-event.js";

/** A run that is streamed. */
interface Teller {
  readonly emit: (event: AgentEvent) => void;
  readonly step: () => number;
}

/** One listener serves all streamed runs, so that they can share an executor. */
const tellers = new Map<string, Teller>();

/** Sends the progress of a run's tools to its stream, until the returned function is called. */
export function streamProgress(runId: string, emit: Teller["emit"], step: () => number): () => void {
  tellers.set(runId, { emit, step });
  return () => tellers.delete(runId);
}

/** A listener for the executor of a streamed run. Calls that tools make themselves have no events. */
export const progressListener: AgentListener = {
  toolProgress: ({ runId, callId, tool, fraction, message, parentCallId }) => {
    const teller = parentCallId === undefined ? tellers.get(runId) : undefined;
    teller?.emit({ type: "tool_progress", step: teller.step(), callId, tool, fraction, ...(message !== undefined && { message }) });
  },
};
