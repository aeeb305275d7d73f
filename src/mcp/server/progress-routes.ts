import type { ServerContext } from "@modelcontextprotocol/server";
import type { ToolListener } from "../../tool/index.js";

type Report = (fraction: number, message: string | undefined) => void;

/** Sends the progress of tools to the client that asked for it. One listener serves all calls, so that they share an executor. */
export class ProgressRoutes {
  readonly #reports = new Map<string, Report>();

  /** Calls that tools make themselves aren't reported. */
  readonly listener: ToolListener = {
    toolProgress: ({ runId, parentCallId, fraction, message }) => {
      if (parentCallId === undefined) this.#reports.get(runId)?.(fraction, message);
    },
  };

  /** Sends a run's progress, until the returned function is called. */
  follow(runId: string, { mcpReq }: ServerContext): () => void {
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) return nothing;
    let latest = Number.NEGATIVE_INFINITY;
    this.#reports.set(runId, (fraction, message) => {
      // The protocol wants each report to be further than the one before.
      if (fraction <= latest) return;
      latest = fraction;
      const params = { progressToken, progress: fraction, total: 1, ...(message !== undefined && { message }) };
      // A client that has disconnected gets nothing.
      mcpReq.notify({ method: "notifications/progress", params }).catch(nothing);
    });
    return () => this.#reports.delete(runId);
  }
}

const nothing = (): void => undefined;
