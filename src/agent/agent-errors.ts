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
