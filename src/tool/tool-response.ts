import type { ToolErrorType } from "./tool-result.js";

const responseBrand = Symbol.for("toolwright.toolResponse");

/** What `text()`, `json()` and `failure()` make: a result that says what it is. */
export interface ToolResponse {
  readonly kind: "text" | "json" | "failure";
  readonly value: unknown;
  readonly errorType?: ToolErrorType;
}

function respond(response: ToolResponse): ToolResponse {
  return Object.freeze(Object.defineProperty({ ...response }, responseBrand, { value: true }));
}

/** A successful result that the model reads as plain text. */
export const text = (value: string): ToolResponse => respond({ kind: "text", value });

/** A successful result that the model reads as JSON, also where the value is a string. */
export const json = (value: unknown): ToolResponse => respond({ kind: "json", value });

/**
 * A failed result, returned instead of thrown: the message should tell the model what to do next
 * (seed 000, "Custom Tool Best Practices" 3).
 *
 * ```ts
 * return failure(`No station in ${this.city}. Ask for a larger city nearby.`);
 * ```
 */
export const failure = (message: string, type: ToolErrorType = "execution_error"): ToolResponse =>
  respond({ kind: "failure", value: message, errorType: type });

/** True for responses of any copy of the package. */
export const isToolResponse = (value: unknown): value is ToolResponse =>
  typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[responseBrand] === true;
