/**
 * A runtime can't do what it was asked for. `unknown_agent`: none of its agents has the name. `draining`: `drain` was called. `input`: what
 * was to be recorded isn't JSON. `unsupported`: a package is missing, or can't be used here. `in_use`: another process has the worker's id. `limit_exceeded`: a run would have to
 * wait, and `limits` say `whenExceeded: "reject"`.
 * See docs/errors.md.
 */
export class RuntimeError extends Error {
  override readonly name = "RuntimeError";
  readonly reason: "unknown_agent" | "draining" | "input" | "unsupported" | "in_use" | "limit_exceeded";

  constructor(reason: RuntimeError["reason"], message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}
