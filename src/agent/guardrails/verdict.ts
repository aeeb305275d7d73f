/** The result of a guardrail. Make it with `pass`, `transform` or `block`. */
export type Verdict =
  | { readonly type: "pass" }
  | { readonly type: "transform"; readonly text: string }
  | { readonly type: "block"; readonly reason: string; readonly details?: unknown };

const passed: Verdict = Object.freeze({ type: "pass" });

/** Lets a guardrail accept the text unchanged. See docs/03-agents.md. */
export const pass = (): Verdict => passed;

/** Lets a guardrail replace the text: `transform(output.replace(/\d{16}/g, "[card number]"))`. See docs/03-agents.md. */
export const transform = (text: string): Verdict => ({ type: "transform", text });

/**
 * Lets a guardrail end the run with the outcome `guardrail_blocked`: `block("The prompt contains a card number.")`.
 *
 * `reason` and `details` are for the application; they aren't sent to a model. See docs/03-agents.md.
 */
export const block = (reason: string, details?: unknown): Verdict => ({
  type: "block",
  reason,
  ...(details !== undefined && { details }),
});
