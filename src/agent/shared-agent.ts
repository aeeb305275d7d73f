import { AgentDefinitionError } from "./agent-errors.js";

/** For an agent that a container gives to all who ask: one instance is one conversation. */
export const sharedAgent = (owner: string, what: string): AgentDefinitionError =>
  new AgentDefinitionError(
    `${owner}: the container ${what}, and its users would share one conversation. ` +
      "Let get(class) make a new one each time. typedi: @Service({ transient: true }).",
  );
