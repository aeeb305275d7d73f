import type { ToolErrorType } from "./tool-result.js";

const responseBrand = Symbol.for("toolwright.toolResponse");

/** What `text()`, `json()` and `failure()` make: a result that says what it is. */
export interface ToolResponse<Kind extends ResponseKind = ResponseKind, Value = unknown> {
  readonly kind: Kind;
  readonly value: Value;
  readonly errorType?: ToolErrorType;
}

type ResponseKind = "text" | "json" | "failure";

function respond<Kind extends ResponseKind, Value>(response: ToolResponse<Kind, Value>): ToolResponse<Kind, Value> {
  return Object.freeze(Object.defineProperty({ ...response }, responseBrand, { value: true }));
}

/** A successful result that the model reads as plain text. */
export const text = (value: string): ToolResponse<"text", string> => respond({ kind: "text", value });

/** A successful result that the model reads as JSON, also where the value is a string. */
export const json = <Value>(value: Value): ToolResponse<"json", Value> => respond({ kind: "json", value });

/**
 * A failed result, returned instead of thrown: the message should tell the model what to do next.
 *
 * ```ts
 * return failure(`No station in ${this.city}. Ask for a larger city nearby.`);
 * ```
 */
export const failure = (message: string, type: ToolErrorType = "execution_error"): ToolResponse<"failure", string> =>
  respond({ kind: "failure", value: message, errorType: type });

/** True for responses of any copy of the package. */
export const isToolResponse = (value: unknown): value is ToolResponse =>
  typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[responseBrand] === true;
