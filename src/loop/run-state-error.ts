/** A stored run can't be resumed. Nothing has run, and the state is unchanged. See docs/04-confirmation.md. */
export class RunStateError extends Error {
  override readonly name = "RunStateError";
  /** Why the state was rejected, for programs. */
  readonly reason: "no_state" | "version" | "edited" | "other_agent" | "finished" | "given_up" | "journal" | "replay";

  constructor(reason: RunStateError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}
