import type { FinishReason, Message, ModelError, TokenUsage } from "../models/index.js";
import type { ToolErrorType } from "../tool/index.js";
import type { Confirmation } from "../confirmation/index.js";
import type { OutcomeOf, ResumableReason, RunOutcome, RunState } from "../loop/index.js";

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
  /** The steps whose calls all have their results. */
  readonly steps: readonly AgentStep[];
  /** Tokens of all steps together, those before a resumption and those of sub-agents included. */
  readonly usage: TokenUsage;
  /**
   * What waited for a person when `generate` was called, and can't be approved any more: the model read that these calls were
   * not run. Absent if nothing waited.
   */
  readonly givenUp?: readonly Confirmation[];
}

/** The model gave its answer. */
export interface AgentSuccess<Output = unknown> extends AnyResponse {
  readonly reason: "success";
  readonly outcome: OutcomeOf<"success">;
  /** The answer; empty where the model said nothing. */
  readonly text: string;
  /** The answer as `@returns` of the agent describes it; `undefined` where it says nothing. */
  readonly output: Output;
  readonly error?: undefined;
  readonly state?: undefined;
  readonly confirmations?: undefined;
}

/** Tool calls wait for a person. Store the state, ask, and resume it with the decisions. */
export interface AgentPause extends AnyResponse {
  readonly reason: "awaiting_confirmation";
  readonly outcome: OutcomeOf<"awaiting_confirmation">;
  readonly confirmations: readonly Confirmation[];
  readonly state: RunState;
  readonly text?: undefined;
  readonly output?: undefined;
  readonly error?: undefined;
}

/** The model failed for good; the history is in order: resume the state, or `generate` again. */
export interface AgentModelFailure extends AnyResponse {
  readonly reason: "model_error";
  readonly outcome: OutcomeOf<"model_error">;
  readonly error: ModelError;
  readonly state: RunState;
  /** What a stream had sent of the answer before the connection broke. The history has it too. */
  readonly text?: string;
  readonly output?: undefined;
  readonly confirmations?: undefined;
}

type StopReason = Exclude<ResumableReason, "awaiting_confirmation" | "model_error">;

/** The run ended before the model gave its answer, and can go on from its state; the steps before are in `steps`. */
export interface AgentStop extends AnyResponse {
  readonly reason: StopReason;
  readonly outcome: OutcomeOf<StopReason>;
  readonly state: RunState;
  /** What the model had said before the run was aborted; of an answer in the middle, what a stream had sent. The history has it too. */
  readonly text?: string;
  readonly output?: undefined;
  readonly error?: undefined;
  readonly confirmations?: undefined;
}

type RefusalReason = "truncated" | "content_filter" | "guardrail_blocked" | "invalid_structured_output";

/** The run ended with no answer that can be used, and nothing is left to resume; `generate` can be called again. */
export interface AgentRefusal extends AnyResponse {
  readonly reason: RefusalReason;
  readonly outcome: OutcomeOf<RefusalReason>;
  readonly text?: undefined;
  readonly output?: undefined;
  readonly error?: undefined;
  readonly state?: undefined;
  readonly confirmations?: undefined;
}

/**
 * What `generate` and `resume` give, however the run ended. `reason` says how, and the compiler knows by it what is there;
 * `outcome` tells more about it.
 *
 * ```ts
 * const response = await agent.generate("Weather in Paris?");
 * if (response.reason === "success") console.log(response.text);
 * else if (response.reason === "awaiting_confirmation") await ask(response.confirmations, response.state);
 * else console.error(response.outcome.detail);
 * ```
 */
export type AgentResponse<Output = unknown> = AgentSuccess<Output> | AgentPause | AgentModelFailure | AgentStop | AgentRefusal;

/** What a run leaves behind. */
export interface EndedRun {
  readonly outcome: RunOutcome;
  readonly runId: string;
  readonly steps: readonly AgentStep[];
  readonly usage: TokenUsage;
  readonly output: unknown;
  readonly modelError: ModelError | undefined;
  /** What a stream had sent of an answer that never came to its end. */
  readonly partialText: string | undefined;
  readonly confirmations: readonly Confirmation[];
  /** Made only where the run can be resumed. */
  readonly snapshot: () => RunState;
}

/** Puts together what `generate` gives. `messages`: those that the run added. */
export function responseOf(run: EndedRun, messages: readonly Message[], givenUp: readonly Confirmation[]): AgentResponse {
  const response = bareResponseOf(run, messages);
  return givenUp.length === 0 ? response : { ...response, givenUp };
}

function bareResponseOf(run: EndedRun, messages: readonly Message[]): AgentResponse {
  const { outcome, runId, steps, usage, output, modelError, partialText, confirmations, snapshot } = run;
  // A run that was aborted during its calls said something before them.
  const spoken = partialText ?? (outcome.reason === "aborted" ? steps.at(-1)?.text : undefined);
  const said = spoken === undefined || spoken === "" ? {} : { text: spoken };
  // `reason` again, because TypeScript narrows a union by its own members, and not by those of `outcome`.
  switch (outcome.reason) {
    case "success":
      return { reason: outcome.reason, runId, outcome, text: steps.at(-1)?.text ?? "", output, messages, steps, usage };
    case "awaiting_confirmation":
      return { reason: outcome.reason, runId, outcome, confirmations, state: snapshot(), messages, steps, usage };
    case "model_error":
      // The run keeps the error with this very outcome.
      return {
        reason: outcome.reason,
        runId,
        outcome,
        error: modelError as ModelError,
        state: snapshot(),
        messages,
        steps,
        usage,
        ...said,
      };
    case "truncated":
    case "content_filter":
    case "guardrail_blocked":
    case "invalid_structured_output":
      return { reason: outcome.reason, runId, outcome, messages, steps, usage };
    default:
      return { reason: outcome.reason, runId, outcome, state: snapshot(), messages, steps, usage, ...said };
  }
}
