import type { JsonSchema, Result } from "../../schema/index.js";

/** The structured output of an agent. */
export interface AgentOutput {
  readonly name: string;
  readonly schema: JsonSchema;
  /** The output in an answer's text, or what is wrong with it. */
  read(text: string): Result<unknown, string> | Promise<Result<unknown, string>>;
  /** What the model is told to mend an answer that doesn't fit. */
  repairPrompt(faults: string): string;
}
