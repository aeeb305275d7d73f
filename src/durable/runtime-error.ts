/**
 * A runtime can't do what it was asked for. `unknown_agent`: none of its agents has the name. `draining`: `drain` was called. `input`: what
 * was to be recorded isn't JSON. See docs/errors.md.
 */
export class RuntimeError extends Error {
  override readonly name = "RuntimeError";
  readonly reason: "unknown_agent" | "draining" | "input";

  constructor(reason: RuntimeError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}
