import type { Attachment } from "./content/content-part.js";

/** Why a tool call failed. You may use your own values: `failure("Sold out.", "out_of_stock")`. See docs/errors.md. */
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
  | "limit_exceeded"
  // Keeps the list above in completion while any string is legal.
  | (string & {});

/** The result of a successful call. See docs/02-tools.md. */
export interface ToolSuccess {
  /** The tool's name. */
  readonly tool: string;
  /** The start of the attempt, ISO 8601: `2025-01-15T10:30:00.000Z`. */
  readonly fetchedAt: string;
  /** The tool's return value as JSON. A note stands in place of each attachment: `[image/png, 12.3 KB]`. */
  readonly data: unknown;
  /** The images and files that the tool returned, with their bytes. */
  readonly attachments?: readonly Attachment[];
  readonly error?: never;
  readonly errorType?: never;
}

/** The result of a failed call. See docs/02-tools.md. */
export interface ToolFailure {
  /** The tool's name. */
  readonly tool: string;
  /** The start of the attempt, ISO 8601. */
  readonly fetchedAt: string;
  /** The error message. */
  readonly error: string;
  /** Why the call failed, for programs. */
  readonly errorType: ToolErrorType;
  readonly data?: never;
  readonly attachments?: never;
}

/** The result of a tool call. It failed if it has `error`; it has either `data` or `error`, never both. See docs/02-tools.md. */
export type ToolResult = ToolSuccess | ToolFailure;
