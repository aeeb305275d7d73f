/** A stored run can't be resumed as it is. Nothing has run, and the state stays as it was. */
export class RunStateError extends Error {
  override readonly name = "RunStateError";
  readonly reason: "no_state" | "version" | "edited" | "other_agent" | "finished" | "given_up";

  constructor(reason: RunStateError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}
