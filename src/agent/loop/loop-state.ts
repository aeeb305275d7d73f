import type { FinishReason, TokenUsage, ToolCall } from "../../models/index.js";
import { noUsage } from "../../models/index.js";
import type { ToolErrorType } from "../../tool/index.js";
import type { RunOutcome } from "./outcome.js";

/** The result of one tool call, as the loop keeps it. */
export interface CallResult {
  /** What the model reads. */
  readonly content: string;
  /** What the tool returned, as JSON; absent where it failed. */
  readonly data?: unknown;
  /** Why it failed; absent where it succeeded. */
  readonly errorType?: ToolErrorType;
}

/** One answer of the model, with the calls in it and their results, in the same order; `null` while a call is open. */
export interface LoopStep {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: TokenUsage;
  readonly calls: readonly ToolCall[];
  readonly results: readonly (CallResult | null)[];
}

/**
 * Everything that decides what happens next. It is small, plain JSON, and never changed in place; the history
 * is not part of it, so that a step costs the same however long the history is.
 */
export interface LoopState {
  readonly status: "ready" | "calling_model" | "executing_calls" | "finished";
  /** Model calls begun: 1 during the first. */
  readonly step: number;
  /** `null`: no limit (JSON has no Infinity). */
  readonly maxSteps: number | null;
  /** Tokens of all steps so far. */
  readonly usage: TokenUsage;
  /** The step whose calls are being executed. */
  readonly current: LoopStep | null;
  /** How many steps in a row had the same calls that all failed in the same way. */
  readonly failures: { readonly hash: string; readonly count: number } | null;
  readonly outcome: RunOutcome | null;
}

/** The state of a run that has not begun. `maxSteps`: a positive integer, or Infinity. */
export const initialState = (maxSteps: number): LoopState => ({
  status: "ready",
  step: 0,
  maxSteps: maxSteps === Number.POSITIVE_INFINITY ? null : maxSteps,
  usage: noUsage,
  current: null,
  failures: null,
  outcome: null,
});
