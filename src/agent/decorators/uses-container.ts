import type { Container } from "../../execution/index.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * Makes the agent's tools, in place of the container given to `useContainer`; `generate(prompt, { container })` comes
 * before both. Anything with `get(class)` is a container, synchronous or not.
 *
 * ```ts
 * @usesContainer(Container.of("billing"))
 * class BillingAgent extends Agent {}
 * ```
 */
export function usesContainer(container: Container): AgentClassDecorator {
  return agentDecorator("usesContainer", container);
}
