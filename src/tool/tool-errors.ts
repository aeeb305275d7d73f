import { describeFaults, type Fault } from "../schema/index.js";
import { printableLines } from "../redaction/internal.js";

/** The author's mistake: thrown when a definition is first read, naming class, field, reason and fix. */
export class ToolDefinitionError extends Error {
  override readonly name = "ToolDefinitionError";

  constructor(message: string, options?: { readonly cause?: unknown }) {
    // It may quote a document, a server or a schema that a stranger wrote.
    super(printableLines(message), options);
  }
}

/** The base of everything that a tool call can throw to a caller of `ToolExecutor.run`. */
export class ToolError extends Error {
  override readonly name: string = "ToolError";
  readonly toolName: string;

  constructor(toolName: string, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.toolName = toolName;
  }
}

/** No tool of that name may be called here. */
export class ToolNotFoundError extends ToolError {
  override readonly name = "ToolNotFoundError";
}

/** Input or output breaks its schema. */
export class ToolValidationError extends ToolError {
  override readonly name: string = "ToolValidationError";
  readonly issues: readonly Fault[];

  constructor(toolName: string, prefix: string, issues: readonly Fault[], root: string, suffix = "") {
    super(toolName, `${prefix}: ${describeFaults(issues, root)}${suffix}`);
    this.issues = issues;
  }
}

/** The arguments break the tool's parameters schema. */
export class ToolInputValidationError extends ToolValidationError {
  override readonly name = "ToolInputValidationError";

  constructor(toolName: string, issues: readonly Fault[]) {
    super(toolName, `Invalid input provided for tool: ${toolName}`, issues, "arguments");
  }
}

/** The result breaks the tool's output schema. */
export class ToolOutputValidationError extends ToolValidationError {
  override readonly name = "ToolOutputValidationError";

  /** `declaredBy`: where the author wrote the output schema, such as `@returns`. */
  constructor(toolName: string, issues: readonly Fault[], declaredBy?: string) {
    const suffix = declaredBy === undefined ? "" : ` (declared by ${declaredBy})`;
    super(toolName, `Invalid output received from tool implementation: ${toolName}`, issues, "output", suffix);
  }
}

/**
 * The tool ran and failed; `cause` is what its code threw.
 * A tool may throw it itself: the message goes to the model.
 */
export class ToolExecutionError extends ToolError {
  override readonly name: string = "ToolExecutionError";
}

/** The caller may not use this tool. */
export class ToolAuthorizationError extends ToolExecutionError {
  override readonly name = "ToolAuthorizationError";
}

/** The tool overran its deadline. */
export class ToolTimeoutError extends ToolExecutionError {
  override readonly name = "ToolTimeoutError";
  readonly timeout: number;

  constructor(toolName: string, timeout: number) {
    super(toolName, timeoutMessage(timeout));
    this.timeout = timeout;
  }
}

/** JavaScript can't stop code that ignores its signal: the message says so, and claims no more. */
export const timeoutMessage = (timeout: number): string =>
  `Tool execution timed out after ${timeout} ms. It was told to stop, but may have finished its work.`;
