import type { Agent } from "../agent/index.js";
import { waitingCalls } from "../loop/internal.js";
import { WebRequestError } from "./web-request-error.js";

/** Throws `WebRequestError` (400) if `generate` without a prompt has nothing to continue in the agent's conversation. `fix`: what to send. */
export function refuseNothingToContinue(agent: Agent, fix: string): void {
  const { state } = agent;
  if (state?.version === 1 && waitingCalls(state).length > 0) {
    throw new WebRequestError(
      400,
      "Calls of this conversation wait for a person: send the decisions, or a prompt, which gives the calls up.",
    );
  }
  const last = agent.messages.at(-1)?.role;
  if (last === "user" || last === "tool") return;
  throw new WebRequestError(
    400,
    `There is nothing to continue: the conversation ${last === undefined ? "is empty" : "ends with an answer"}. ${fix}`,
  );
}
