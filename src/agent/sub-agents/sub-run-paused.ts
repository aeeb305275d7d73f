import { markAsInterrupt } from "../../tool/internal.js";
import type { Confirmation } from "../../confirmation/index.js";
import type { RunState } from "../../loop/index.js";

/** A sub-agent's tool call throws it if its run waits for a person. The calling run then waits too. */
export class SubRunPaused extends Error {
  override readonly name = "SubRunPaused";
  readonly state: RunState;
  readonly confirmations: readonly Confirmation[];

  constructor(agent: string, state: RunState, confirmations: readonly Confirmation[]) {
    super(`The agent "${agent}" waits for a person's decision.`);
    this.state = state;
    this.confirmations = confirmations;
    markAsInterrupt(this);
  }
}
