import type { AgentDefinition } from "../agent-class.js";
import type { RecordedAnswers } from "./recorded-answers.js";

/** What makes a run a replay: calls are answered from a record, and each other one waits for a person. Holds for its sub-agents' runs too. */
export interface Replaying {
  readonly answers: RecordedAnswers;
  /** The agent whose run is replayed: other instructions are for it, and not for its sub-agents. */
  readonly definition: AgentDefinition;
  readonly instructions: string | undefined;
}

/** The internal option of a run that is a replay. Options are copied with their symbols. */
export const replaying = Symbol.for("toolwright.replaying");

/** Options of a run that may be a replay. */
export interface WithReplaying {
  readonly [replaying]?: Replaying;
}
