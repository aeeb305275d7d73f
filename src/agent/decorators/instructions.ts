import type { ApplicationContext } from "../../tool/index.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * Sets the system message of an agent: a text, or a function of the application's context that is called at the start of each run.
 *
 * - `@instructions("You are a weather assistant.")`
 * - ``@instructions((context) => `You help ${context.userId ?? "a guest"} with the weather.`)``
 *
 * See docs/03-agents.md.
 */
export function instructions(text: string | ((context: ApplicationContext) => string | Promise<string>)): AgentClassDecorator {
  return agentDecorator("instructions", text);
}
