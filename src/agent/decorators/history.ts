import type { HistoryLimits } from "../../conversation/index.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * Limits what the model is sent of a long conversation, by tokens, by turns, or by both; `agent.messages` keeps all of it.
 * Turns are dropped whole, the oldest first, and the last one never. Cuts go down to two thirds of the limit, so that
 * requests begin in the same way for many steps and the provider's prompt cache stays warm.
 *
 * ```ts
 * @history({ maxTokens: 50_000 })
 * class SupportAgent extends Agent {}
 * ```
 */
export function history(limits: HistoryLimits): AgentClassDecorator {
  return agentDecorator("history", limits);
}
