/**
 * A mistake in the definition of an agent class, thrown when the agent is first used.
 *
 * The message names the class, the value, the reason and the fix. See docs/errors.md.
 */
export class AgentDefinitionError extends Error {
  override readonly name = "AgentDefinitionError";
}

/**
 * Thrown if `generate`, `stream` or `resume` is called while another run of the same instance is in progress.
 *
 * One instance is one conversation and runs one prompt at a time. See docs/errors.md.
 */
export class AgentBusyError extends Error {
  override readonly name = "AgentBusyError";

  constructor(agent: string) {
    super(
      `${agent} is still answering: one agent instance is one conversation, with one generate at a time. ` +
        `Await the first call, or use a new instance for another conversation.`,
    );
  }
}

/** For an agent that a container gives to all who ask: one instance is one conversation. */
export const sharedAgent = (owner: string, what: string): AgentDefinitionError =>
  new AgentDefinitionError(
    `${owner}: the container ${what}, and its users would share one conversation. ` +
      "Let get(class) make a new one each time. typedi: @Service({ transient: true }).",
  );
