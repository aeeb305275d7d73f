import type { RunOutcome } from "./loop/index.js";
import type { AgentResponse } from "./response.js";

/**
 * How a run ended, as somebody outside is told, such as a browser: a state never has an error's own words, and what a
 * guardrail found out besides its reason is the application's.
 */
export function toldOutcome({ outcome, state }: AgentResponse): RunOutcome {
  const { reason, detail } = outcome;
  return reason === "guardrail_blocked" ? { reason, detail } : (state?.loop.outcome ?? outcome);
}
