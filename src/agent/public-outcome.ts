import type { RunOutcome } from "../loop/index.js";
import type { AgentResponse } from "./agent-response.js";

/**
 * How a run ended, for readers outside the application, such as a browser or a calling model: without an error's own message, without
 * advice for programmers, and without a guardrail's details.
 */
export function publicOutcome({ outcome, state }: AgentResponse): RunOutcome {
  return state?.loop.outcome ?? withPublicDetail(outcome, undefined);
}

/** The outcome with a detail that clients may see. `publicDetail` replaces the detail of an error. */
export function withPublicDetail(outcome: RunOutcome, publicDetail: string | undefined): RunOutcome {
  if (outcome.reason === "success") return outcome;
  const { reason, detail } = outcome;
  if (reason === "guardrail_blocked") return { reason, detail };
  return { ...outcome, detail: publicDetail ?? details[reason] ?? detail };
}

/** The details of the other outcomes were written by the application, to be read. */
const details: Readonly<Partial<Record<RunOutcome["reason"], string>>> = {
  awaiting_confirmation: "The run waits for a person's decision.",
  awaiting_answer: "The run waits for an answer.",
  max_steps: "The run reached its limit of steps before it had an answer.",
  budget_exhausted: "The run used up its budget before it had an answer.",
  repeated_failure: "The run stopped because the same tool call failed again and again.",
  truncated: "The answer reached its maximum length and was cut off.",
  content_filter: "The provider withheld the answer.",
  invalid_structured_output: "The answer doesn't have the required form.",
};
