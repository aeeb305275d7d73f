import { modelText, toToolError } from "../../execution/index.js";
import type { ToolFailure } from "../../tool/index.js";

/**
 * A call that failed, for a framework in which tools say so by throwing. Its message is what the model reads; `cause` is the
 * typed error that `ToolExecutor.run` throws, with the issues, and the error of the tool's own code as its own cause.
 */
export class ToolFailureError extends Error {
  override readonly name = "ToolFailureError";
  readonly result: ToolFailure;

  constructor(result: ToolFailure) {
    super(modelText(result), { cause: toToolError(result) });
    this.result = result;
  }

  /** What some frameworks write for the model: the message, without the name of the class. */
  override toString(): string {
    return this.message;
  }
}
