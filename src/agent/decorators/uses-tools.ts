import type { AgentTools } from "../agent-tools.js";
import type { ApplicationContext } from "../application-context.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * The tools of an agent: a list, or a function of the caller's context that is asked at the start of each run
 * (seed 002, "Registering Tools with Agents"). Exactly these tools can be called in the run.
 *
 * ```ts
 * @usesTools((context) => (context.userId ? [SearchTool, OrdersTool] : [SearchTool]))
 * class SupportAgent extends Agent {}
 * ```
 */
export function usesTools(tools: AgentTools | ((context: ApplicationContext) => AgentTools | Promise<AgentTools>)): AgentClassDecorator {
  return agentDecorator("usesTools", tools);
}
