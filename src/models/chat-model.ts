import type { JsonSchema } from "../schema/index.js";
import type { ProviderToolEntry, ToolExample } from "../tool/index.js";
import type { Message, ToolCall } from "./message.js";
import type { ModelError } from "./model-error.js";
import type { ChangedPart, GrowingRequest } from "./prefix.js";

/** A tool in a request to a model. */
export interface ModelTool {
  /** A name that every provider accepts: `^[a-zA-Z0-9_-]{1,64}$`. */
  readonly name: string;
  /** The description that the model reads. It ends with the examples, one a line, if there are any. */
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: JsonSchema;
  /** Arguments of typical calls, for providers that take them apart from the description. */
  readonly examples?: readonly ToolExample[];
  /** Whether to use the provider's strict mode; `parameters` was made for it. */
  readonly strict?: boolean;
  /** What the provider runs, for one of its own tools: it is sent in place of the description and the parameters. */
  readonly providerTool?: ProviderToolEntry;
  /** Set for the tool by which the model finds deferred tools: some providers have a form of their own for its calls. */
  readonly findsTools?: true;
}

/** A request to a `ChatModel`. See docs/03-agents.md. */
export interface ChatRequest {
  /** The history. Each tool call has exactly one result, directly after its message. */
  readonly messages: readonly Message[];
  /** The tools that the model may call. */
  readonly tools: readonly ModelTool[];
  /**
   * The same request in a form that only grows, if the instructions or the tools have changed since the first request of the
   * conversation. A model that can't send the changes in their places ignores it: `messages` and `tools` are complete.
   */
  readonly growing?: GrowingRequest;
  /** The options of `@modelOptions`: `temperature`, `maxOutputTokens`, `providerOptions`, ... */
  readonly options?: ModelOptions;
  /** The tags of the run. OpenAI's Responses API keeps them as metadata; other providers don't get them. */
  readonly tags?: Readonly<Record<string, string>>;
  /** Cancels the request. */
  readonly abortSignal?: AbortSignal;
  /** Whether the model must call a tool, or a certain one (by its name in `tools`). Default: the model decides. */
  readonly toolChoice?: ToolChoice;
  /** Requires an answer that is JSON of this schema. Set only for providers that support it. */
  readonly responseFormat?: { readonly name: string; readonly schema: JsonSchema };
  /**
   * Receives the answer while it is generated. A model that can't stream doesn't call it. A model that streams must send
   * everything: the pieces of one kind, joined, equal the text of the response.
   */
  readonly onDelta?: (delta: ModelDelta) => void;
  /**
   * Called when an attempt failed and another one follows, of this model or of a fallback. `withRetries` and `withFallback` call
   * it.
   */
  readonly onRetry?: (retry: ModelRetry) => void;
}

/** A failed attempt at a model call that is followed by another one. */
export interface ModelRetry {
  /** The error of the attempt. Its `modelId` names the model that failed. */
  readonly error: ModelError;
  /**
   * The minimum of milliseconds until the next attempt. A random delay is added to `Retry-After`, so that not all runs retry at
   * once.
   */
  readonly delay: number;
}

/**
 * Whether the model must call a tool.
 *
 * - `"auto"`: the model decides
 * - `"required"`: it must call some tool
 * - `"none"`: it must not call one
 * - `{ tool: "search" }`: it must call this one
 */
export type ToolChoice = "auto" | "required" | "none" | { readonly tool: string };

/** A piece of an answer, sent to `onDelta`: of its text, its reasoning, or the JSON arguments of a tool call. */
export type ModelDelta =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  /**
   * `index` is the position of the call in `toolCalls` of the response, `id` and `name` are as there; `arguments` is the piece
   * as the provider sends it. What the whole means for the tool's own schema stands in the response alone.
   */
  | { readonly type: "tool_call"; readonly index: number; readonly id: string; readonly name: string; readonly arguments: string };

/** Options of a model call, with the AI SDK's names. Models ignore options that they don't know. See docs/03-agents.md. */
export interface ModelOptions {
  /** Randomness of the answer: 0 is the least. The range depends on the provider. */
  readonly temperature?: number;
  /** Nucleus sampling: considers only the most likely tokens whose probabilities add up to this (0 to 1). */
  readonly topP?: number;
  /** Considers only this many of the most likely tokens. */
  readonly topK?: number;
  /** The most tokens of an answer. An answer that is cut ends the run with the outcome `truncated`. */
  readonly maxOutputTokens?: number;
  /** Texts at which the model stops. */
  readonly stopSequences?: readonly string[];
  /** Makes answers repeatable, if the provider supports it. */
  readonly seed?: number;
  /** Reduces repetition of tokens that appeared before. The range depends on the provider. */
  readonly presencePenalty?: number;
  /** Reduces repetition of tokens, the more often they appeared. The range depends on the provider. */
  readonly frequencyPenalty?: number;
  /**
   * Asks Anthropic to cache the instructions and the conversation so far, so that the next step reuses them. Other providers cache
   * automatically.
   *
   * It sets `cacheControl` on the first instructions and on the last message.
   */
  readonly cachePrompt?: boolean;
  /**
   * Sends changed instructions as a message of the user to models that take them in no other way without losing their thinking: Claude on
   * Bedrock's Converse API. The model can't distinguish them from the user's own words. Default: such a model keeps the first instructions.
   */
  readonly changesAsUserMessages?: boolean;
  /** Options of one provider, by its name: `{ openai: { reasoningEffort: "low" } }`. */
  readonly providerOptions?: Record<string, Record<string, unknown>>;
}

/**
 * Why an answer ended. Convert a provider's own value with `finishReasonOf`.
 *
 * Tool calls of an answer that ended with `content_filter`, `error` or `other` don't run, nor does the last call of one that ended
 * with `length`. An answer that ended with `other`, or with `tool_calls` but without calls, is requested again.
 */
export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter" | "error" | "other";

/** Tokens of one or more model calls; 0 if the provider doesn't report them. */
export interface TokenUsage {
  /** The tokens of requests, cached ones included. */
  readonly inputTokens: number;
  /** The tokens of answers, reasoning included. */
  readonly outputTokens: number;
  /** The part of `inputTokens` that was read from the provider's prompt cache. */
  readonly cachedInputTokens: number;
  /** The part of `inputTokens` that was written to the provider's prompt cache. Left out if the provider doesn't report it. */
  readonly cacheWriteInputTokens?: number;
  /** The part of `outputTokens` that the model used for reasoning. */
  readonly reasoningTokens: number;
}

/** A call of a tool that the provider ran itself. See docs/11-providers.md. */
export interface ProviderCall {
  readonly id: string;
  /** The tool's name. */
  readonly name: string;
  /** The JSON text of the arguments; empty if the call was part of an earlier answer. */
  readonly arguments: string;
  /** The result in the AI SDK's form; left out if it comes with a later answer. */
  readonly result?: unknown;
  /** True if the call failed: `result` says why. */
  readonly isError?: true;
}

/** A page that a provider names as a source of an answer. */
export interface AnswerSource {
  readonly url: string;
  readonly title?: string;
}

/** The answer of a `ChatModel`. See docs/03-agents.md. */
export interface ChatResponse {
  /** The text; empty if the model only called tools. */
  readonly text: string;
  /** The tool calls that the model requests. */
  readonly toolCalls: readonly ToolCall[];
  /** Why the answer ended. */
  readonly finishReason: FinishReason;
  /** The tokens of the call. */
  readonly usage: TokenUsage;
  /** The calls that the provider ran itself, in their order. Left out if there are none. */
  readonly providerCalls?: readonly ProviderCall[];
  /** The pages that the provider names as sources of the answer. Left out if there are none. */
  readonly sources?: readonly AnswerSource[];
  /** The reasoning text, if the provider returns it. */
  readonly reasoning?: string;
  /** Data that must stay with the assistant message, because the provider needs it in the next request. */
  readonly providerMetadata?: Record<string, unknown>;
  /** What the provider package ignored or changed in the request, such as unsupported options. For people. */
  readonly warnings?: readonly string[];
  /** The first part of the request that differs from the request before in the conversation; left out if it only grew. */
  readonly changedPart?: ChangedPart;
}

/**
 * A language model. Implement it to connect a model that the AI SDK doesn't have; use it with `@model(myModel)`.
 *
 * `generate` throws `ModelError` for errors of the provider and the network. See docs/03-agents.md.
 */
export interface ChatModel {
  /** `provider/model`, as in `@model("openai/gpt-5-mini")`. */
  readonly id: string;
  /**
   * Why the model can't accept a tool (`it takes no $ref, which recursive types need`); `undefined` if it can. Such a tool is left
   * out of the run with a warning. Without this method, every tool is sent.
   */
  refusesTool?(tool: ModelTool): string | undefined;
  /** Whether the provider runs the tool with this id, such as `anthropic.web_search_20260209`. Without this method, it runs none. */
  runsProviderTool?(id: string): boolean;
  /** Calls the model. Throws `ModelError`, or the reason of `abortSignal`. */
  generate(request: ChatRequest): Promise<ChatResponse>;
}
