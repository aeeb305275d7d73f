import type { JsonSchema } from "../schema/index.js";
import type { AnsweredBy } from "../tool/index.js";
import type { Confirmation } from "./confirmation.js";

/**
 * A tool call that waits for an answer from outside: what it asks, and what the answer is bound to. See
 * docs/24-calls-answered-elsewhere.md.
 */
export interface Question extends Confirmation {
  /** Who answers. */
  readonly answeredBy: AnsweredBy;
  /** The JSON Schema of the answer. */
  readonly answerSchema: JsonSchema;
}

/** Whether a call waits for an answer, and not for an approval. */
export const isQuestion = (waiting: object): waiting is Question => "answerSchema" in waiting;
