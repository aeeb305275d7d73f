/**
 * A decision that doesn't fit the run that `resume` was called with. Nothing has run, and the state can be resumed again.
 *
 * See docs/04-confirmation.md.
 */
export class DecisionError extends Error {
  override readonly name = "DecisionError";
  /** What doesn't fit, for programs. */
  readonly reason:
    | "unknown"
    | "unknown_call"
    | "decided_twice"
    | "decided_before"
    | "other_confirmation"
    | "not_available"
    | "other_kind"
    | "expired"
    | "invalid_answer"
    | "invalid_arguments";

  constructor(reason: DecisionError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}
