import { markAsInterrupt } from "../../tool/internal.js";
import type { Confirmation } from "../../confirmation/index.js";
import type { RunState } from "../../loop/index.js";

/** Thrown out of a sub-agent's tool call where its run waits for a person: the calling run waits with it. */
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
