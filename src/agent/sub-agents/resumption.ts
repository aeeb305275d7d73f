import type { Decision } from "../../confirmation/index.js";
import type { RunState } from "../../loop/index.js";

/** A sub-agent's run that waited, and what was decided since. */
export interface Resumption {
  readonly state: RunState;
  readonly decisions: readonly Decision[];
}
