import { hideSecrets, redactText } from "../../redaction/index.js";
import type { ToolResult } from "../../tool/index.js";
import { withNotes } from "../../tool/internal.js";

const quoted = new WeakSet<ToolResult>();

/** Remembers that a string is to be read as JSON: the tool said so by `json("...")`. */
export function readAsJson<Result extends ToolResult>(result: Result): Result {
  quoted.add(result);
  return result;
}

/**
 * The text of a result as the model reads it: a string unchanged, other data as JSON, `null` for nothing, a failure as its message.
 *
 * ```ts
 * modelText({ tool: "weather", fetchedAt, error: "API rate limit exceeded", errorType: "execution_error" });
 * // "Error executing tool: API rate limit exceeded"
 * ```
 *
 * An image or a file is a note there (`[image/png, 12.3 KB]`); its bytes are in `result.attachments`. Failure messages are redacted. In data, only values that `addSecret` registered are replaced. See docs/02-tools.md.
 */
export function modelText(result: ToolResult): string {
  if (result.error === undefined) {
    const text = hideSecrets(dataText(result.data, quoted.has(result)));
    return result.attachments === undefined ? text : withNotes(text, result.attachments);
  }
  const message = redactText(result.error);
  switch (result.errorType) {
    case "execution_error":
    case "unhandled_error":
      return `Error executing tool: ${message}`;
    case "validation_error":
      return `Invalid arguments: ${message}`;
    default:
      return message;
  }
}

export const dataText = (data: unknown, asJson = false): string =>
  typeof data === "string" && !asJson ? data : (JSON.stringify(data) ?? "null");
