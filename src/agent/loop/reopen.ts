import type { LoopLimits } from "./limits.js";
import { type LoopState, nothingSpent } from "./loop-state.js";
import { isResumable, type RunOutcome } from "./outcome.js";

/** Outcomes after which the limits would end the run at once: it goes on with a fresh budget. */
const spentOutcomes: ReadonlySet<RunOutcome["reason"]> = new Set(["max_steps", "budget_exhausted", "repeated_failure"]);

/**
 * The state from which a run goes on that stopped: with its open calls, or else by asking the model again.
 * `undefined` where it can't: it was finished. A state that was stored in the middle of a run comes back as it is.
 * `limits`: those of the application for what follows; without them, what was spent counts on.
 */
export function reopen(state: LoopState, agentLimits: LoopLimits, limits: LoopLimits | undefined): LoopState | undefined {
  const { outcome, status, current, step } = state;
  if (outcome === null) return limits === undefined ? state : { ...state, ...freshBudget(state, limits) };
  if (!isResumable(outcome)) return undefined;
  const budget = limits ?? (spentOutcomes.has(outcome.reason) ? agentLimits : undefined);
  const open = { ...state, ...(budget !== undefined && freshBudget(state, budget)), outcome: null };
  if (status === "finished") return { ...open, status: "calling_model", step: step + 1 };
  if (current !== null) return { ...open, status: "executing_calls" };
  return { ...open, status: step === 0 ? "ready" : "calling_model" };
}

const freshBudget = ({ step, usage }: LoopState, limits: LoopLimits): Pick<LoopState, "limits" | "spent" | "failures"> => ({
  limits,
  spent: { ...nothingSpent, stepsBefore: step, tokensBefore: usage.inputTokens + usage.outputTokens },
  failures: null,
});
