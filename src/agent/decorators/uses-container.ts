import type { Container } from "../../execution/index.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * Sets the container that creates the agent's tools: any object with `get(class)`, synchronous or not.
 *
 * `@usesContainer(Container.of("billing")) class BillingAgent extends Agent {}`
 *
 * It is used instead of the container given to `useContainer`. The option `container` of `generate` replaces both. See
 * docs/01-getting-started.md.
 */
export function usesContainer(container: Container): AgentClassDecorator {
  return agentDecorator("usesContainer", container);
}
