import { isInterrupt } from "../../tool/internal.js";
import type { Blocked } from "../guardrails/check-text.js";
import type { RunOutcome } from "../../loop/index.js";
import { WallTimeReached } from "./run-signal.js";

/** How a run ends early. */
export interface RunEnding {
  readonly outcome: RunOutcome;
  /** The detail for clients, if the outcome's has an error's own words: they may name hosts and tables. */
  readonly publicDetail?: string;
}

/** The end of a run whose signal was aborted. A reason that is a text is shown to clients. */
export function abortedBy({ reason }: AbortSignal): RunEnding {
  if (reason instanceof WallTimeReached) return { outcome: { reason: "budget_exhausted", budget: "wallTime", detail: reason.message } };
  const outcome: RunOutcome = { reason: "aborted", detail: String(reason) };
  return typeof reason === "string" ? { outcome } : { outcome, publicDetail: "The run was aborted." };
}

/** The end of a run that a tool interrupted, or that a claim of decisions failed in. */
export function interruptedBy(error: unknown): RunEnding {
  const outcome: RunOutcome = { reason: "interrupted", detail: error instanceof Error ? error.message : String(error) };
  return isInterrupt(error) ? { outcome } : { outcome, publicDetail: "The run was interrupted by an error on the server." };
}

/** The end of a run whose prompt or answer a guardrail refused. */
export const blockedOutcome = ({ blocked, details }: Blocked): RunOutcome => ({
  reason: "guardrail_blocked",
  detail: blocked,
  ...(details !== undefined && { details }),
});
