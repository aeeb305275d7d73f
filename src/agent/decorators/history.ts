import type { HistoryLimits } from "../../conversation/index.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * Limits how much of a long conversation is sent to the model, by tokens, turns, or both. `agent.messages` keeps everything.
 *
 * `@history({ maxTokens: 50_000 }) class SupportAgent extends Agent {}`
 *
 * Whole turns are dropped, the oldest first; the last turn is always kept. Each cut goes down to two thirds of the limit, so that
 * many requests in a row begin the same way and the provider's prompt cache can be used. See docs/03-agents.md.
 */
export function history(limits: HistoryLimits): AgentClassDecorator {
  return agentDecorator("history", limits);
}
