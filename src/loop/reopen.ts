import type { Message } from "../models/index.js";
import type { LoopLimits } from "./limits.js";
import { type LoopState, nothingSpent } from "./loop-state.js";
import { isResumable, type RunOutcome } from "./run-outcome.js";

/** Outcomes after which the limits would end the run at once: it goes on with a fresh budget. */
const spentOutcomes: ReadonlySet<RunOutcome["reason"]> = new Set(["max_steps", "budget_exhausted", "repeated_failure"]);

/**
 * The state from which a run goes on that stopped: with its open calls, or else by asking the model again.
 * `undefined` if it can't: it was finished. A state that was stored in the middle of a run comes back as it is.
 * `limits`: those of the application for what follows; without them, what was spent counts on.
 */
export function reopen(state: LoopState, agentLimits: LoopLimits, limits: LoopLimits | undefined): LoopState | undefined {
  const { outcome } = state;
  if (outcome !== null && !isResumable(outcome)) return undefined;
  const open = outcome === null ? state : { ...state, ...placeOf(state), outcome: null };
  const budget = limits ?? (outcome !== null && spentOutcomes.has(outcome.reason) ? agentLimits : undefined);
  return budget === undefined ? open : { ...open, ...freshBudget(open, budget) };
}

/** The step at which a stopped run continues. */
function placeOf({ status, current, step }: LoopState): Pick<LoopState, "status" | "step"> {
  if (status === "finished") return { status: "calling_model", step: step + 1 };
  if (current !== null) return { status: "executing_calls", step };
  return { status: step === 0 ? "ready" : "calling_model", step };
}

/** The model call that the run goes on with is the first that counts. */
const freshBudget = ({ status, step, usage }: LoopState, limits: LoopLimits): Pick<LoopState, "limits" | "spent" | "failures"> => ({
  limits,
  spent: {
    ...nothingSpent,
    stepsBefore: status === "calling_model" ? step - 1 : step,
    tokensBefore: usage.inputTokens + usage.outputTokens,
  },
  failures: null,
});

/** A history without an answer at its end that was aborted, or that broke off: the run that goes on gives it anew. */
export function withoutPartialAnswer(history: readonly Message[]): readonly Message[] {
  const last = history.at(-1);
  return last?.role === "assistant" && last.toolCalls === undefined ? history.slice(0, -1) : history;
}
