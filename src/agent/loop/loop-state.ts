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

/** A tool call of the step in hand; `result` is absent while it is open. */
export interface StepCall extends ToolCall {
  readonly result?: CallResult;
}

/** What the model answered in the step in hand. */
export interface LoopStep {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: TokenUsage;
  readonly calls: readonly StepCall[];
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
  readonly current?: LoopStep;
  /** A run of steps in which every call failed, each step the same as the one before. */
  readonly failures?: { readonly hash: string; readonly count: number };
  readonly outcome?: RunOutcome;
}

/** The state of a run that has not begun. `maxSteps`: a positive integer, or Infinity. */
export const initialState = (maxSteps: number): LoopState => ({
  status: "ready",
  step: 0,
  maxSteps: maxSteps === Number.POSITIVE_INFINITY ? null : maxSteps,
  usage: noUsage,
});
