import { type AnswerSource, type FinishReason, type ProviderCall, type TokenUsage, type ToolCall, noUsage } from "../models/index.js";
import type { Attachment, ToolErrorType } from "../tool/index.js";
import type { Gates } from "./gate.js";
import type { LoopLimits } from "./limits.js";
import type { RunOutcome } from "./run-outcome.js";

/** The result of one tool call, as the loop keeps it. */
export interface CallResult {
  /** What the model reads. */
  readonly content: string;
  /** What the tool returned, as JSON; absent if it failed. */
  readonly data?: unknown;
  /** The images and files that the tool returned, whose notes are in `content`. */
  readonly attachments?: readonly Attachment[];
  /** Why it failed; absent if it succeeded. */
  readonly errorType?: ToolErrorType;
  /** True if a replay took the result from the record of another run: the tool didn't run. */
  readonly fromRecord?: true;
}

/** One answer of the model, with the calls in it and their results, in the same order; `null` while a call is open. */
export interface LoopStep {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: TokenUsage;
  readonly calls: readonly ToolCall[];
  readonly results: readonly (CallResult | null)[];
  /** The calls that the provider ran itself. Absent if there are none. */
  readonly providerCalls?: readonly ProviderCall[];
  /** The pages that the provider names as sources. Absent if there are none. */
  readonly sources?: readonly AnswerSource[];
  /** The calls that wait for a person, by call id. Absent if none does. */
  readonly gates?: Gates;
  /** The tools that may be called in the step, by their own names. Absent if it is all of the run's. */
  readonly allowedTools?: readonly string[];
}

/** What counts against the limits, since the run began or was resumed with a fresh budget. */
export interface Spent {
  /** Steps and tokens that were there before. */
  readonly stepsBefore: number;
  readonly tokensBefore: number;
  /** Bytes of UTF-8 of all results; counted if they are limited. */
  readonly resultBytes: number;
  /** Calls by tool; counted if they are limited. */
  readonly calls: Readonly<Record<string, number>>;
  /** The tool whose calls are used up; `null` while none is. */
  readonly refusedTool: string | null;
}

/**
 * Everything that decides what happens next. It is small, plain JSON, and never changed in place; the history
 * is not part of it, so that a step costs the same however long the history is.
 */
export interface LoopState {
  /** `paused`: the run waits for something outside and keeps its open calls. */
  readonly status: "ready" | "calling_model" | "executing_calls" | "paused" | "finished";
  /** Model calls begun: 1 during the first. */
  readonly step: number;
  readonly limits: LoopLimits;
  readonly spent: Spent;
  /** Tokens of all steps so far, and of the sub-agents that have ended. */
  readonly usage: TokenUsage;
  /** The step whose calls are being executed, or wait. */
  readonly current: LoopStep | null;
  /** How many steps in a row had the same calls that all failed in the same way. */
  readonly failures: { readonly hash: string; readonly count: number } | null;
  /** How often the model was asked to correct its structured output. */
  readonly repairs: number;
  readonly outcome: RunOutcome | null;
}

/** Nothing is spent yet. */
export const nothingSpent: Spent = Object.freeze({
  stepsBefore: 0,
  tokensBefore: 0,
  resultBytes: 0,
  calls: Object.freeze({}),
  refusedTool: null,
});

/** The state of a run that has not begun. */
export const initialState = (limits: LoopLimits): LoopState => ({
  status: "ready",
  step: 0,
  limits,
  spent: nothingSpent,
  usage: noUsage,
  current: null,
  failures: null,
  repairs: 0,
  outcome: null,
});
