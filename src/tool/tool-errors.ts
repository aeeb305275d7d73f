import { describeFaults, type Fault } from "../schema/index.js";
import { printableLines } from "../redaction/internal.js";

/**
 * A mistake in the definition of a tool, thrown when the definition is first read.
 *
 * The message names the class, the field, the reason and the fix. See docs/errors.md.
 */
export class ToolDefinitionError extends Error {
  override readonly name = "ToolDefinitionError";

  constructor(message: string, options?: { readonly cause?: unknown }) {
    // It may quote a document, a server or a schema that a stranger wrote.
    super(printableLines(message), options);
  }
}

/** The base class of the errors that `ToolExecutor.run` throws for a call. See docs/errors.md. */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  /** The tool's name. */
  readonly toolName: string;

  constructor(toolName: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.toolName = toolName;
  }
}

/** There is no tool of this name, or it may not be called here. See docs/errors.md. */
export class ToolNotFoundError extends ToolError {
  override readonly name = "ToolNotFoundError";
}

/** The arguments or the result don't match their schema. See docs/errors.md. */
export class ToolValidationError extends ToolError {
  override readonly name: string = "ToolValidationError";
  /** All violations, each with its path. */
  readonly issues: readonly Fault[];

  constructor(toolName: string, prefix: string, issues: readonly Fault[], root: string, suffix = "") {
    super(toolName, `${prefix}: ${describeFaults(issues, root)}${suffix}`);
    this.issues = issues;
  }
}

/** The arguments don't match the tool's parameters schema. See docs/errors.md. */
export class ToolInputValidationError extends ToolValidationError {
  override readonly name = "ToolInputValidationError";

  constructor(toolName: string, issues: readonly Fault[]) {
    super(toolName, `Invalid input provided for tool: ${toolName}`, issues, "arguments");
  }
}

/** The result doesn't match the tool's output schema. See docs/errors.md. */
export class ToolOutputValidationError extends ToolValidationError {
  override readonly name = "ToolOutputValidationError";

  /** `declaredBy`: the place of the output schema, such as `@returns`. */
  constructor(toolName: string, issues: readonly Fault[], declaredBy?: string) {
    const suffix = declaredBy === undefined ? "" : ` (declared by ${declaredBy})`;
    super(toolName, `Invalid output received from tool implementation: ${toolName}`, issues, "output", suffix);
  }
}

/**
 * The tool ran and failed; `cause` is what its code threw. A tool may throw it too: the message is sent to the model. See
 * docs/errors.md.
 */
export class ToolExecutionError extends ToolError {
  override readonly name: string = "ToolExecutionError";
}

/** The caller may not use this tool: `@access` or the profile doesn't allow it. See docs/errors.md. */
export class ToolAuthorizationError extends ToolExecutionError {
  override readonly name = "ToolAuthorizationError";
}

/** The tool took longer than its timeout. It may still have taken effect. See docs/errors.md. */
export class ToolTimeoutError extends ToolExecutionError {
  override readonly name = "ToolTimeoutError";
  /** The timeout in milliseconds. */
  readonly timeout: number;

  constructor(toolName: string, timeout: number) {
    super(toolName, timeoutMessage(timeout));
    this.timeout = timeout;
  }
}

/** JavaScript can't stop code that ignores its signal: the message says so, and claims no more. */
export const timeoutMessage = (timeout: number): string =>
  `Tool execution timed out after ${timeout} ms. It was cancelled, but may have finished its work.`;
