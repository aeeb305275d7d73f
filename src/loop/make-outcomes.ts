import { isQuestion } from "../confirmation/internal.js";
import { type Gate, undecided } from "./gate.js";
import type { FinishReason } from "../models/index.js";
import type { LoopState, LoopStep } from "./loop-state.js";
import type { RunOutcome } from "./run-outcome.js";

export function answerOutcome(finishReason: FinishReason): RunOutcome {
  switch (finishReason) {
    case "length":
      return {
        reason: "truncated",
        detail: "The answer was cut off by the limit of output tokens. Raise maxOutputTokens in @modelOptions.",
      };
    case "content_filter":
      return {
        reason: "content_filter",
        detail: "The provider's content filter withheld the answer. Ask in other words, or look into the provider's settings.",
      };
    case "error":
      return {
        reason: "content_filter",
        detail:
          "The provider ended its answer with an error, so the tool calls in it were not run. Ask again, or look into the provider's log.",
      };
    default:
      return { reason: "success" };
  }
}

/** The outcome of a run whose calls wait. An approval comes first: applications that know no questions ask for it as ever. */
export function waitingOutcome(gates: readonly (Gate | undefined)[]): RunOutcome {
  const calls = gates.length === 1 ? "A tool call waits" : `${gates.length} tool calls wait`;
  const waiting = gates.flatMap((gate) => (gate === undefined ? [] : undecided(gate)));
  if (waiting.length > 0 && waiting.every(isQuestion)) {
    return {
      reason: "awaiting_answer",
      detail: `${calls} for an answer. Resume the run with it: agent.resume(state, { decisions: [answer(question, value)] }).`,
    };
  }
  return {
    reason: "awaiting_confirmation",
    detail: `${calls} for a person's decision. Resume the run with it: agent.resume(state, { decisions }).`,
  };
}

export const stepLimitOutcome = (steps: number): RunOutcome => ({
  reason: "max_steps",
  detail: `The model still called tools in step ${steps}, the last that is allowed. Raise the limit with @maxSteps, or resume the run to go on.`,
});

export const tokenLimitOutcome = ({ limits }: LoopState): RunOutcome => ({
  reason: "budget_exhausted",
  budget: "tokens",
  detail: `The run used its ${limits.tokens} tokens. Raise tokens in the budget, or resume the run with a fresh one.`,
});

export const callLimitOutcome = (tool: string): RunOutcome => ({
  reason: "budget_exhausted",
  budget: "callsPerTool",
  detail: `The model called "${tool}" more often than the budget allows. Raise callsPerTool in the budget, or resume the run with a fresh one.`,
});

export const resultLimitOutcome = (bytes: number): RunOutcome => ({
  reason: "budget_exhausted",
  budget: "resultBytes",
  detail: `The results of tools filled the ${bytes} bytes of the budget. Raise resultBytes, or resume the run with a fresh one.`,
});

export const repeatedFailureOutcome = ({ calls, results }: LoopStep, times: number): RunOutcome => ({
  reason: "repeated_failure",
  detail: `The model repeated the same failing call ${times} times. Fix the cause, or resume the run to let it continue. ${calls.map(({ name }, index) => `${name}: ${results[index]?.content}`).join("; ")}`,
});

export const invalidOutputOutcome = (detail: string): RunOutcome => ({
  reason: "invalid_structured_output",
  detail: `The answer doesn't fit what @returns says: ${detail}`,
});
