import type { AnswerSource, ChatModel, ChatRequest, ChatResponse, FinishReason, ProviderCall, TokenUsage } from "./chat-model.js";
import type { ToolCall } from "./message.js";
import { streamInPieces } from "./stream-in-pieces.js";
import { noUsage } from "./usage.js";
import { checkOptionNames } from "../tool/internal.js";

/** A tool call in a script of `ScriptedModel`. */
export interface ScriptedToolCall {
  /** The id of the call. Default: `call_1`, `call_2`, ..., counted for the model. */
  readonly id?: string;
  /** The tool's name. */
  readonly name: string;
  /** An object, or the raw text, for tests with malformed arguments. Default: `{}`. */
  readonly arguments?: Record<string, unknown> | string;
  readonly providerMetadata?: Record<string, unknown>;
}

/** A call in a script of `ScriptedModel` that the provider ran itself, such as one of its web search. */
export interface ScriptedProviderCall {
  /** The id of the call. Default: `call_1`, `call_2`, ..., counted for the model together with tool calls. */
  readonly id?: string;
  /** The tool's name: the part of `providerTool("anthropic/web_search")` after the slash. */
  readonly name: string;
  /** Default: `{}`. */
  readonly arguments?: Record<string, unknown>;
  /** The result in the AI SDK's form; left out if it comes with a later answer. */
  readonly result?: unknown;
  /** True if the call failed: `result` says why. */
  readonly isError?: true;
}

/** An answer in a script of `ScriptedModel`. All members are optional. */
export interface ScriptedReply {
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Calls that a provider ran itself, with their results. */
  readonly providerCalls?: readonly ScriptedProviderCall[];
  /** The pages that a provider names as sources. */
  readonly sources?: readonly AnswerSource[];
  /** Default: `tool_calls` if there are tool calls, else `stop`. */
  readonly finishReason?: FinishReason;
  /** The tokens to report. Default: 0. */
  readonly usage?: Partial<TokenUsage>;
  readonly reasoning?: string;
  readonly providerMetadata?: Record<string, unknown>;
}

/** A step that fails: `{ error: new ModelError("test/model", "Overloaded.", { retryable: true }) }`. The error is thrown as it is. */
export interface ScriptedError {
  /** The error to throw. */
  readonly error: unknown;
}

/** One step of a script: a text, a reply, an error, or a function of the request that returns one of them. */
export type ScriptedStep =
  | string
  | ScriptedReply
  | ScriptedError
  | ((request: ChatRequest) => string | ScriptedReply | ScriptedError | Promise<string | ScriptedReply | ScriptedError>);

/**
 * A model for tests that plays a script: each `generate` takes the next step.
 *
 * ```ts
 * const model = new ScriptedModel([
 *   { toolCalls: [{ name: "weather", arguments: { city: "Paris" } }] },
 *   "It is sunny.",
 * ]);
 * const response = await agent.generate("Weather in Paris?");
 * expect(model.requests[1]?.messages.at(-1)?.content).toBe("Sunny in Paris.");
 * ```
 *
 * It streams if the request has `onDelta`: texts word by word, arguments in pieces of eight characters. A call after the last step
 * throws an error with the length of the script. An aborted request rejects with the signal's reason and takes no step. See
 * docs/06-testing.md.
 */
export class ScriptedModel implements ChatModel {
  /** The name of the model. Default: `scripted/model`. */
  readonly id: string;
  /** All requests in order; their lists are copies made at the time of the call. */
  readonly requests: ChatRequest[] = [];
  readonly #steps: readonly ScriptedStep[];
  #next = 0;
  #calls = 0;

  constructor(steps: readonly ScriptedStep[], options: { readonly id?: string } = {}) {
    checkOptionNames(options, { id: true }, "ScriptedModel");
    this.#steps = [...steps];
    this.id = options.id ?? "scripted/model";
  }

  /** A script stands for any provider. */
  runsProviderTool(): boolean {
    return true;
  }

  /** Plays the next step. */
  async generate(request: ChatRequest): Promise<ChatResponse> {
    request.abortSignal?.throwIfAborted();
    const { growing } = request;
    this.requests.push({
      ...request,
      messages: [...request.messages],
      tools: [...request.tools],
      ...(growing !== undefined && { growing: { ...growing, messages: [...growing.messages] } }),
    });
    const step = this.#steps[this.#next];
    if (step === undefined) {
      throw new Error(`ScriptedModel: the script has ${this.#steps.length} step(s), and the model was called once more. Add a step.`);
    }
    this.#next += 1;
    const outcome = typeof step === "function" ? await step(request) : step;
    if (typeof outcome === "object" && "error" in outcome) throw outcome.error;
    return streamInPieces(this.#respond(typeof outcome === "string" ? { text: outcome } : outcome), request);
  }

  #respond(reply: ScriptedReply): ChatResponse {
    const toolCalls = (reply.toolCalls ?? []).map((call) => this.#toolCall(call));
    return {
      text: reply.text ?? "",
      toolCalls,
      finishReason: reply.finishReason ?? (toolCalls.length > 0 ? "tool_calls" : "stop"),
      usage: { ...noUsage, ...reply.usage },
      ...(reply.providerCalls !== undefined && { providerCalls: reply.providerCalls.map((call) => this.#providerCall(call)) }),
      ...(reply.sources !== undefined && { sources: reply.sources }),
      ...(reply.reasoning !== undefined && { reasoning: reply.reasoning }),
      ...(reply.providerMetadata !== undefined && { providerMetadata: reply.providerMetadata }),
    };
  }

  #toolCall(call: ScriptedToolCall): ToolCall {
    this.#calls += 1;
    return {
      id: call.id ?? `call_${this.#calls}`,
      name: call.name,
      arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {}),
      ...(call.providerMetadata !== undefined && { providerMetadata: call.providerMetadata }),
    };
  }

  #providerCall({ id, arguments: input = {}, ...call }: ScriptedProviderCall): ProviderCall {
    if (id === undefined) this.#calls += 1;
    return { id: id ?? `call_${this.#calls}`, ...call, arguments: JSON.stringify(input) };
  }
}
