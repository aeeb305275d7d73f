/** The author's mistake: thrown when an agent is first used, naming class, value, reason and fix. */
export class AgentDefinitionError extends Error {
  override readonly name = "AgentDefinitionError";
}

/** A conversation can answer one prompt at a time: `generate` was called while another `generate` ran on the same instance. */
export class AgentBusyError extends Error {
  override readonly name = "AgentBusyError";

  constructor(agent: string) {
    super(
      `${agent} is still answering: one agent instance is one conversation, with one generate at a time. ` +
        `Await the first call, or use a new instance for another conversation.`,
    );
  }
}

/** A stored run can't be resumed as it is. Nothing has run, and the state stays as it was. */
export class RunStateError extends Error {
  override readonly name = "RunStateError";
  readonly reason: "no_state" | "version" | "edited" | "other_agent" | "finished" | "given_up";

  constructor(reason: RunStateError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

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
