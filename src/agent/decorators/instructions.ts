import type { ApplicationContext } from "../../tool/index.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * The system message of an agent: a text, or a function of the caller's context that is asked at the start of each run.
 *
 * ```ts
 * @instructions((context) => `You help ${context.userId ?? "a guest"} with the weather.`)
 * class WeatherAgent extends Agent {}
 * ```
 */
export function instructions(text: string | ((context: ApplicationContext) => string | Promise<string>)): AgentClassDecorator {
  return agentDecorator("instructions", text);
}
