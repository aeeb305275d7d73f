import type { Attachment } from "./content/content-part.js";
import type { ToolErrorType } from "./tool-result.js";

const responseBrand = Symbol.for("toolwright.toolResponse");

/** The return value of `text()`, `json()` and `failure()`. */
export interface ToolResponse<Kind extends ResponseKind = ResponseKind, Value = unknown> {
  /** Which of the functions made it: `"text"`, `"json"` or `"failure"`. */
  readonly kind: Kind;
  /** The text, the data, or the error message. */
  readonly value: Value;
  /** The error type of a `failure()`. */
  readonly errorType?: ToolErrorType;
  /** Images and files beside the data, if another library's result has some. */
  readonly attachments?: readonly Attachment[];
}

type ResponseKind = "text" | "json" | "failure";

function respond<Kind extends ResponseKind, Value>(response: ToolResponse<Kind, Value>): ToolResponse<Kind, Value> {
  return Object.freeze(Object.defineProperty({ ...response }, responseBrand, { value: true }));
}

/** Makes a successful result that the model reads as plain text: `return text("Sunny in Paris.")`. See docs/02-tools.md. */
export const text = (value: string): ToolResponse<"text", string> => respond({ kind: "text", value });

/**
 * Makes a successful result that the model reads as JSON, even if the value is a string: `return json({ temperature: 21 })`. See
 * docs/02-tools.md.
 */
export const json = <Value>(value: Value): ToolResponse<"json", Value> => respond({ kind: "json", value });

/** Data with images and files beside it, which notes in the data or its text may stand for. */
export const jsonWith = <Value>(value: Value, attachments: readonly Attachment[] | undefined): ToolResponse<"json", Value> =>
  respond(attachments === undefined ? { kind: "json", value } : { kind: "json", value, attachments });

/**
 * Makes a failed result, to return instead of throwing. Write in the message what the model should do next.
 *
 * ```ts
 * return failure(`No station in ${this.city}. Ask for a larger city nearby.`);
 * ```
 *
 * The second argument is the error type, by default `"execution_error"`. See docs/02-tools.md.
 */
export const failure = (message: string, type: ToolErrorType = "execution_error"): ToolResponse<"failure", string> =>
  respond({ kind: "failure", value: message, errorType: type });

/** True for responses of any copy of the package. */
export const isToolResponse = (value: unknown): value is ToolResponse =>
  typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[responseBrand] === true;
