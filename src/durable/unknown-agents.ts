import { warnProcess } from "../redaction/internal.js";

/** Warns of runs whose agents this process doesn't have: once per agent. */
export class UnknownAgents {
  readonly #warned = new Set<string>();

  warn(runId: string, agent: string): void {
    if (this.#warned.has(agent)) return;
    this.#warned.add(agent);
    warnProcess(
      `The run ${runId} waits for the agent "${agent}", which this runtime doesn't have: add its class to agents, here or in another process.`,
    );
  }
}
