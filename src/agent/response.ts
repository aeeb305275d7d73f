import type { FinishReason, Message, ModelError, TokenUsage } from "../models/index.js";
import type { ToolErrorType } from "../tool/index.js";
import type { OutcomeOf, RunOutcome } from "./loop/index.js";
import type { Run } from "./run.js";

/** A tool call of a run, and what became of it. */
export interface AgentToolCall {
  readonly id: string;
  /** The tool's own name. */
  readonly name: string;
  /** As the model wrote them. */
  readonly arguments: string;
  /** What the model read. */
  readonly content: string;
  /** What the tool returned, as JSON; absent where it failed. */
  readonly data?: unknown;
  /** Why it failed; absent where it succeeded. */
  readonly errorType?: ToolErrorType;
}

/** One model call and the tool calls that it asked for, in the order it gave them. */
export interface AgentStep {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly usage: TokenUsage;
  readonly toolCalls: readonly AgentToolCall[];
}

interface AnyResponse {
  readonly runId: string;
  /** What this run added to the history, the prompt first. */
  readonly messages: readonly Message[];
  readonly steps: readonly AgentStep[];
  /** Tokens of all steps together. */
  readonly usage: TokenUsage;
}

/** The model gave its answer. */
export interface AgentSuccess extends AnyResponse {
  readonly outcome: OutcomeOf<"success">;
  /** The answer; empty where the model said nothing. */
  readonly text: string;
  readonly error?: undefined;
}

/** The model failed for good; the history is in order, and `generate` can be called again. */
export interface AgentModelFailure extends AnyResponse {
  readonly outcome: OutcomeOf<"model_error">;
  readonly error: ModelError;
  readonly text?: undefined;
}

/** The run ended before the model gave its answer; what it said until then is in `steps`. */
export interface AgentStop extends AnyResponse {
  readonly outcome: OutcomeOf<"truncated" | "content_filter" | "max_steps" | "repeated_failure" | "aborted">;
  readonly text?: undefined;
  readonly error?: undefined;
}

/**
 * What `generate` gives, however the run ended: ask `text` or `outcome.reason`.
 *
 * ```ts
 * const response = await agent.generate("Weather in Paris?");
 * if (response.text !== undefined) console.log(response.text);
 * else console.error(response.outcome.reason, response.outcome.detail);
 * ```
 */
export type AgentResponse = AgentSuccess | AgentModelFailure | AgentStop;

/** Puts together what `generate` gives. `messages`: those that the run added. */
export function responseOf(run: Run, outcome: Exclude<RunOutcome, OutcomeOf<"interrupted">>, messages: readonly Message[]): AgentResponse {
  const { runId, steps, modelError } = run;
  const { usage } = run.state;
  if (outcome.reason === "success") return { runId, outcome, text: steps.at(-1)?.text ?? "", messages, steps, usage };
  if (outcome.reason !== "model_error") return { runId, outcome, messages, steps, usage };
  // The run keeps the error with this very outcome.
  return { runId, outcome, error: modelError as ModelError, messages, steps, usage };
}
