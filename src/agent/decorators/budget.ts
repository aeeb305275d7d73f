import type { Budget } from "../../loop/index.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * What one run may use at most: calls of each tool, time, tokens, bytes of results, identical failures. A run that
 * reaches a limit ends with outcome `budget_exhausted` (`repeated_failure` for identical failures) and its history in
 * order; `resume` goes on with a fresh budget.
 *
 * ```ts
 * @budget({ tokens: 50_000, wallTime: 60_000, callsPerTool: { send_mail: 1 } })
 * class SupportAgent extends Agent {}
 * ```
 */
export function budget(limits: Budget): AgentClassDecorator {
  return agentDecorator("budget", limits);
}
