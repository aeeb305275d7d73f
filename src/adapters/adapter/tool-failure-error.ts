import { modelText, toToolError } from "../../execution/index.js";
import type { ToolFailure } from "../../tool/index.js";

/**
 * A failed tool call, for frameworks that report failures by exceptions.
 *
 * The message is what the model reads. `cause` is the typed error that `ToolExecutor.run` throws, with its issues; the `cause` of
 * that is the error that the tool's own code threw. See docs/13-other-frameworks.md.
 */
export class ToolFailureError extends Error {
  override readonly name = "ToolFailureError";
  /** The failed result of the call. */
  readonly result: ToolFailure;

  constructor(result: ToolFailure) {
    super(modelText(result), { cause: toToolError(result) });
    this.result = result;
  }

  /** The message without the name of the class, because some frameworks send this text to the model. */
  override toString(): string {
    return this.message;
  }
}
