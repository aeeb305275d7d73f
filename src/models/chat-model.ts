import type { JsonSchema } from "../schema/index.js";
import type { Message, ToolCall } from "./message.js";
import type { ModelError } from "./model-error.js";

/** A tool as a model is told of it. `name` is already legal for every provider (`^[a-zA-Z0-9_-]{1,64}$`). */
export interface ModelTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** The provider's strict mode, where `parameters` was made for it. */
  readonly strict?: boolean;
}

export interface ChatRequest {
  /** The history, always paired: each tool call has exactly one result, directly after its message. */
  readonly messages: readonly Message[];
  readonly tools: readonly ModelTool[];
  /** `@modelOptions`: temperature, maxOutputTokens, providerOptions, ... as the AI SDK names them. */
  readonly options?: ModelOptions;
  readonly abortSignal?: AbortSignal;
  /** Whether the model must call a tool, or a certain one (by its name in `tools`). Left out: it decides. */
  readonly toolChoice?: ToolChoice;
  /** The answer must be JSON of this schema; asked of providers that can promise it. */
  readonly responseFormat?: { readonly name: string; readonly schema: JsonSchema };
  /**
   * Hears what the model says while it says it. A model that can't stream doesn't call it; one that does tells
   * everything: the deltas of one kind, joined, are what the response says.
   */
  readonly onDelta?: (delta: ModelDelta) => void;
  /** Hears of each attempt that failed and is followed by another one, of this model or a fallback: `withRetries` and `withFallback` tell. */
  readonly onRetry?: (retry: ModelRetry) => void;
}

/** An attempt at a model call that failed, but not for good. */
export interface ModelRetry {
  /** Its `modelId` names the model that failed. */
  readonly error: ModelError;
  /** Milliseconds until the next attempt, at least: `Retry-After` is lengthened by chance, and runs come back one after another. */
  readonly delay: number;
}

export type ToolChoice = "auto" | "required" | "none" | { readonly tool: string };

/** A piece of an answer. */
export type ModelDelta =
  | { readonly type: "text" | "reasoning"; readonly text: string }
  /**
   * `index` is the position of the call in `toolCalls` of the response, `id` and `name` are as there; `arguments` is the piece
   * as the provider sends it. What the whole means for the tool's own schema stands in the response alone.
   */
  | { readonly type: "tool_call"; readonly index: number; readonly id: string; readonly name: string; readonly arguments: string };

/** Call settings by the AI SDK's names; what a model doesn't know it ignores. */
export interface ModelOptions {
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly maxOutputTokens?: number;
  readonly stopSequences?: readonly string[];
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  /**
   * Asks Anthropic to keep the instructions and the conversation so far in its prompt cache, where the next step finds them
   * (`cacheControl` on the last system message and on the last message). Other providers cache by themselves.
   */
  readonly cachePrompt?: boolean;
  readonly providerOptions?: Record<string, Record<string, unknown>>;
}

/**
 * Why an answer ended. Tool calls of `content_filter`, `error` and `other` never run, nor does the last one of `length`. An
 * answer of `other`, or of `tool_calls` without calls, is asked for again. Translate a provider's own word with `finishReasonOf`.
 */
export type FinishReason = "stop" | "tool_calls" | "length" | "content_filter" | "error" | "other";

/** Tokens of one or more model calls; 0 where the provider tells none. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
}

export interface ChatResponse {
  readonly text: string;
  readonly toolCalls: readonly ToolCall[];
  readonly finishReason: FinishReason;
  readonly usage: TokenUsage;
  readonly reasoning?: string;
  /** What must stay with the assistant message, so that the next step can send it back to the provider. */
  readonly providerMetadata?: Record<string, unknown>;
  /** What of the request the provider's package left out or changed: settings that the model doesn't take, say. For people. */
  readonly warnings?: readonly string[];
}

/**
 * The port behind which every language model sits. `generate` throws `ModelError` for whatever the provider
 * or the network does wrong.
 */
export interface ChatModel {
  /** `provider/model`, as `@model` takes it. */
  readonly id: string;
  /**
   * Why the model can't be offered a tool (`it takes no $ref, which recursive types need`); undefined where it can.
   * Such a tool is left out of the run with a warning, so that it doesn't fail every request. Left out: any tool fits.
   */
  refusesTool?(tool: ModelTool): string | undefined;
  generate(request: ChatRequest): Promise<ChatResponse>;
}
