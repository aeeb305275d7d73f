import type { AnswerSource, FinishReason, Message, ModelError, ProviderCall, TokenUsage } from "../models/index.js";
import type { Attachment, ToolErrorType } from "../tool/index.js";
import type { Confirmation, Question } from "../confirmation/index.js";
import type { OutcomeOf, ResumableReason, RunOutcome, RunState, LoopStep } from "../loop/index.js";
import type { WireNames } from "../schema/internal.js";

/** A tool call of a run and its result. */
export interface AgentToolCall {
  /** The id of the call, as the model sent it. */
  readonly id: string;
  /** The tool's own name. */
  readonly name: string;
  /** The JSON text of the arguments, as the model sent it. */
  readonly arguments: string;
  /** The result as the model reads it. */
  readonly content: string;
  /** The tool's return value as JSON; absent if the call failed. */
  readonly data?: unknown;
  /** The images and files that the tool returned. */
  readonly attachments?: readonly Attachment[];
  /** Why the call failed; absent if it succeeded. */
  readonly errorType?: ToolErrorType;
}

/** One model call of a run, with the tool calls that the model requested. */
export interface AgentStep {
  /** The text of the model's answer; empty if it only called tools. */
  readonly text: string;
  /** Why the model's answer ended. */
  readonly finishReason: FinishReason;
  /** The tokens of this model call. */
  readonly usage: TokenUsage;
  /** The tool calls, in the order in which the model requested them. */
  readonly toolCalls: readonly AgentToolCall[];
  /** The calls of `providerTool`s, which the provider ran, in their order. Absent if there were none. */
  readonly providerCalls?: readonly ProviderCall[];
  /** The pages that the provider names as sources of the answer. Absent if there are none. */
  readonly sources?: readonly AnswerSource[];
}

interface AnyResponse {
  /** The id of the run. A resumed run keeps it. */
  readonly runId: string;
  /** The messages that this run added to the history, starting with the prompt. */
  readonly messages: readonly Message[];
  /** The steps of the run whose calls all have their results. */
  readonly steps: readonly AgentStep[];
  /** The tokens of all steps, with those before a resumption and those of sub-agents. */
  readonly usage: TokenUsage;
  /**
   * The calls that waited for approval when `generate` was called again, and can't be approved any more. The model reads that they
   * didn't run. Absent if there were none.
   */
  readonly givenUp?: readonly Confirmation[];
}

/** A response whose run ended with an answer of the model. See docs/03-agents.md. */
export interface AgentSuccess<Output = unknown> extends AnyResponse {
  readonly reason: "success";
  readonly outcome: OutcomeOf<"success">;
  /** The answer; empty if the model returned no text. */
  readonly text: string;
  /** The answer parsed as the type of the agent's `@returns`; `undefined` without `@returns`. */
  readonly output: Output;
  readonly error?: undefined;
  readonly state?: undefined;
  readonly confirmations?: undefined;
  readonly questions?: undefined;
}

/**
 * A response whose run waits for a person to decide about tool calls.
 *
 * Store `state`, ask the person, and pass both to `resume`: `agent.resume(state, { decisions: [approve("call_1")] })`. See
 * docs/04-confirmation.md.
 */
export interface AgentPause extends AnyResponse {
  readonly reason: "awaiting_confirmation";
  /** Why the run paused. */
  readonly outcome: OutcomeOf<"awaiting_confirmation">;
  /** The tool calls that wait for a decision. */
  readonly confirmations: readonly Confirmation[];
  /** The tool calls that wait for an answer besides. They are answered in the same way, now or later. */
  readonly questions: readonly Question[];
  /** The paused run as frozen JSON. */
  readonly state: RunState;
  readonly text?: undefined;
  readonly output?: undefined;
  readonly error?: undefined;
}

/**
 * A response whose run waits for answers to tool calls, and for no decision.
 *
 * Store `state`, get the answers, and pass both to `resume`: `agent.resume(state, { decisions: [answer(question, "blue")] })`. See
 * docs/24-calls-answered-elsewhere.md.
 */
export interface AgentQuestions extends AnyResponse {
  readonly reason: "awaiting_answer";
  /** Why the run paused. */
  readonly outcome: OutcomeOf<"awaiting_answer">;
  /** The tool calls that wait for an answer. */
  readonly questions: readonly Question[];
  /** The paused run as frozen JSON. */
  readonly state: RunState;
  readonly confirmations?: undefined;
  readonly text?: undefined;
  readonly output?: undefined;
  readonly error?: undefined;
}

/**
 * A response whose run ended because the model failed, after all retries and fallbacks.
 *
 * The history is consistent: resume `state`, or call `generate` again. See docs/03-agents.md.
 */
export interface AgentModelFailure extends AnyResponse {
  readonly reason: "model_error";
  readonly outcome: OutcomeOf<"model_error">;
  /** The error of the last attempt. */
  readonly error: ModelError;
  /** The run as frozen JSON, for `resume`. */
  readonly state: RunState;
  /** The part of the answer that was streamed before the connection broke. The history contains it too. */
  readonly text?: string;
  readonly output?: undefined;
  readonly confirmations?: undefined;
  readonly questions?: undefined;
}

type StopReason = Exclude<ResumableReason, "awaiting_confirmation" | "awaiting_answer" | "model_error">;

/**
 * A response whose run stopped before the model answered: interrupted, aborted, or over a limit.
 *
 * `steps` has the steps so far. Continue the run with `resume(state)`. See docs/03-agents.md.
 */
export interface AgentStop extends AnyResponse {
  /** Why the run stopped: `interrupted`, `max_steps`, `budget_exhausted`, `repeated_failure` or `aborted`. */
  readonly reason: StopReason;
  readonly outcome: OutcomeOf<StopReason>;
  /** The run as frozen JSON, for `resume`. */
  readonly state: RunState;
  /**
   * The text of the model before the run was aborted; if an answer was cut, the part that was streamed. The history contains it
   * too.
   */
  readonly text?: string;
  readonly output?: undefined;
  readonly error?: undefined;
  readonly confirmations?: undefined;
  readonly questions?: undefined;
}

type RefusalReason = "truncated" | "content_filter" | "guardrail_blocked" | "invalid_structured_output";

/**
 * A response whose run ended without a usable answer, and can't be resumed. Call `generate` again to continue. See
 * docs/03-agents.md.
 */
export interface AgentRefusal extends AnyResponse {
  /** Why there is no answer: `truncated`, `content_filter`, `guardrail_blocked` or `invalid_structured_output`. */
  readonly reason: RefusalReason;
  readonly outcome: OutcomeOf<RefusalReason>;
  readonly text?: undefined;
  readonly output?: undefined;
  readonly error?: undefined;
  readonly state?: undefined;
  readonly confirmations?: undefined;
  readonly questions?: undefined;
}

/**
 * The result of `generate` and `resume`. `reason` says how the run ended, and narrows the type; `outcome` has the details.
 *
 * ```ts
 * const response = await agent.generate("Weather in Paris?");
 * if (response.reason === "success") console.log(response.text);
 * else if (response.reason === "awaiting_confirmation") await ask(response.confirmations, response.state);
 * else console.error(response.outcome.detail);
 * ```
 *
 * See docs/03-agents.md.
 */
export type AgentResponse<Output = unknown> =
  | AgentSuccess<Output>
  | AgentPause
  | AgentQuestions
  | AgentModelFailure
  | AgentStop
  | AgentRefusal;

/** What a run leaves behind. */
interface EndedRun {
  readonly runId: string;
  readonly steps: readonly AgentStep[];
  readonly usage: TokenUsage;
  readonly output: unknown;
  readonly modelError: ModelError | undefined;
  /** What a stream had sent of an answer that never came to its end. */
  readonly partialText: string | undefined;
  readonly confirmations: readonly Confirmation[];
  readonly questions: readonly Question[];
  /** Those of the run before, which the conversation went on without. */
  readonly givenUp: readonly Confirmation[];
  snapshot(): RunState;
}

/** Puts together what `generate` gives. `messages`: those that the run added. */
export function responseOf(run: EndedRun, outcome: RunOutcome, messages: readonly Message[]): AgentResponse {
  const response = bareResponseOf(run, outcome, messages);
  return run.givenUp.length === 0 ? response : { ...response, givenUp: run.givenUp };
}

function bareResponseOf(run: EndedRun, outcome: RunOutcome, messages: readonly Message[]): AgentResponse {
  const { runId, steps, usage, modelError, partialText } = run;
  // A run that was aborted during its calls said something before them.
  const spoken = partialText ?? (outcome.reason === "aborted" ? steps.at(-1)?.text : undefined);
  const said = spoken === undefined || spoken === "" ? {} : { text: spoken };
  // `reason` again, because TypeScript narrows a union by its own members, and not by those of `outcome`.
  switch (outcome.reason) {
    case "success":
      return { reason: outcome.reason, runId, outcome, text: steps.at(-1)?.text ?? "", output: run.output, messages, steps, usage };
    case "awaiting_confirmation":
      return {
        reason: outcome.reason,
        runId,
        outcome,
        confirmations: run.confirmations,
        questions: run.questions,
        state: run.snapshot(),
        messages,
        steps,
        usage,
      };
    case "awaiting_answer":
      return { reason: outcome.reason, runId, outcome, questions: run.questions, state: run.snapshot(), messages, steps, usage };
    case "model_error":
      // The run keeps the error with this very outcome.
      return {
        reason: outcome.reason,
        runId,
        outcome,
        error: modelError as ModelError,
        state: run.snapshot(),
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
      return { reason: outcome.reason, runId, outcome, state: run.snapshot(), messages, steps, usage, ...said };
  }
}

/** A step as the application sees it, with the tools' own names; the loop has their wire names. */
export function describeStep(
  { text, finishReason, usage, calls, results, providerCalls, sources }: LoopStep,
  names: Pick<WireNames, "toTool">,
): AgentStep {
  const toolCalls = calls.map((call, index) => {
    const { content = "", data, attachments, errorType } = results[index] ?? {};
    const { id, arguments: text } = call;
    const name = names.toTool(call.name);
    if (errorType !== undefined) return { id, name, arguments: text, content, errorType };
    if (attachments !== undefined) return { id, name, arguments: text, content, data, attachments };
    return { id, name, arguments: text, content, data };
  });
  const step = { text, finishReason, usage, toolCalls };
  return providerCalls === undefined && sources === undefined
    ? step
    : Object.assign(step, providerCalls && { providerCalls: namedCalls(providerCalls, names) }, sources && { sources });
}

const namedCalls = (calls: readonly ProviderCall[], names: Pick<WireNames, "toTool">): readonly ProviderCall[] =>
  calls.map((call) => ({ ...call, name: names.toTool(call.name) }));
