/** A decision doesn't fit the run that is resumed with it. Nothing has run, and the state can be resumed again. */
export class DecisionError extends Error {
  override readonly name = "DecisionError";
  readonly reason:
    | "unknown"
    | "unknown_call"
    | "decided_twice"
    | "decided_before"
    | "other_confirmation"
    | "not_available"
    | "invalid_arguments";

  constructor(reason: DecisionError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}
