import type { Budget } from "../../loop/index.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * Limits one run: calls of each tool, time, tokens, bytes of results, identical failures.
 *
 * `@budget({ tokens: 50_000, wallTime: 60_000, callsPerTool: { send_mail: 1 } }) class SupportAgent extends Agent {}`
 *
 * `callsPerTool` takes classes too: `new Map([[SendMailTool, 1]])`. A run that reaches a limit ends with the outcome `budget_exhausted` (`repeated_failure` for identical failures); `resume`
 * continues it with a fresh budget. See docs/03-agents.md.
 */
export function budget(limits: Budget): AgentClassDecorator {
  return agentDecorator("budget", limits);
}
