/** What a guardrail says of a text: made by `pass`, `transform` and `block`. */
export type Verdict =
  | { readonly type: "pass" }
  | { readonly type: "transform"; readonly text: string }
  | { readonly type: "block"; readonly reason: string; readonly details?: unknown };

const passed: Verdict = Object.freeze({ type: "pass" });

/** The text may go on as it is. */
export const pass = (): Verdict => passed;

/** Another text goes on in its place. */
export const transform = (text: string): Verdict => ({ type: "transform", text });

/** The run ends with outcome `guardrail_blocked`. `reason` and `details` are for the application; no model reads them. */
export const block = (reason: string, details?: unknown): Verdict => ({
  type: "block",
  reason,
  ...(details !== undefined && { details }),
});
