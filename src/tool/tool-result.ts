/**
 * Why a tool call failed. An application may use words of its own: `failure("...", "out_of_stock")`.
 */
export type ToolErrorType =
  | "unknown_tool"
  | "unauthorized"
  | "validation_error"
  | "confirmation_denied"
  | "cancelled"
  | "timeout_error"
  | "execution_error"
  | "unhandled_error"
  | "output_validation_error"
  | "retries_exhausted"
  // Keeps the list above in completion while any string is legal.
  | (string & {});

/** The attempt succeeded: `data` is JSON. */
export interface ToolSuccess {
  /** The tool's name as its definition gives it. */
  readonly tool: string;
  /** ISO 8601 start of the attempt: "2025-01-15T10:30:00.000Z". */
  readonly fetchedAt: string;
  readonly data: unknown;
  readonly error?: never;
  readonly errorType?: never;
}

/** The attempt failed: `error` is a message for people. */
export interface ToolFailure {
  readonly tool: string;
  readonly fetchedAt: string;
  readonly error: string;
  readonly errorType: ToolErrorType;
  readonly data?: never;
}

/**
 * What every tool call gives, however it ended. The presence of `error` is the sign of failure;
 * there is no `success` flag and never both `data` and `error`.
 */
export type ToolResult = ToolSuccess | ToolFailure;
