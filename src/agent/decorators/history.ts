import type { HistoryLimits } from "../../conversation/index.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * Limits how much of a long conversation is sent to the model, by tokens, turns, or both. `agent.messages` keeps everything.
 *
 * `@history({ maxTokens: 50_000 }) class SupportAgent extends Agent {}`
 *
 * Whole turns are dropped, the oldest first; the last turn is always kept. Each cut goes down to two thirds of the limit. Many
 * requests in a row then begin the same way, which the provider's prompt cache needs. See docs/03-agents.md.
 */
export function history(limits: HistoryLimits): AgentClassDecorator {
  return agentDecorator("history", limits);
}
