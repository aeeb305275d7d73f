/**
 * The part of the AI SDK's language-model interface that is used here, common to its specifications v2, v3 and v4
 * (`LanguageModelV2`, `LanguageModelV3`, `LanguageModelV4` of `@ai-sdk/provider`). Structural, because the SDK is
 * an optional peer: nothing of it is imported, and an object of any of the three fits.
 */
export interface AiSdkLanguageModel {
  readonly specificationVersion: string;
  /** `openai.responses`, `anthropic.messages`, `google.generative-ai`, ... */
  readonly provider: string;
  readonly modelId: string;
  // The options are `AiSdkCallOptions`; each specification types JSON more narrowly than the next.
  // biome-ignore lint/suspicious/noExplicitAny: no one type is assignable to the parameter of all three specifications
  doGenerate(options: any): PromiseLike<AiSdkResult>;
}

export type AiSdkMetadata = Record<string, unknown>;

export interface AiSdkCallOptions {
  prompt: AiSdkMessage[];
  tools?: AiSdkTool[];
  abortSignal?: AbortSignal;
  temperature?: number;
  topP?: number;
  topK?: number;
  maxOutputTokens?: number;
  stopSequences?: string[];
  seed?: number;
  presencePenalty?: number;
  frequencyPenalty?: number;
  providerOptions?: Record<string, Record<string, unknown>>;
}

export interface AiSdkTool {
  type: "function";
  name: string;
  description: string;
  inputSchema: object;
  strict?: boolean;
}

export type AiSdkMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: AiSdkTextPart[] }
  | { role: "assistant"; content: AiSdkAssistantPart[] }
  | { role: "tool"; content: AiSdkToolResultPart[] };

interface AiSdkTextPart {
  type: "text";
  text: string;
  providerOptions?: AiSdkMetadata;
}

export type AiSdkAssistantPart =
  | AiSdkTextPart
  | { type: "reasoning"; text: string; providerOptions?: AiSdkMetadata }
  | { type: "tool-call"; toolCallId: string; toolName: string; input: unknown; providerOptions?: AiSdkMetadata };

export interface AiSdkToolResultPart {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text" | "error-text"; value: string };
}

export interface AiSdkResult {
  readonly content: readonly AiSdkContent[];
  /** A word in v2, `{ unified, raw }` since v3. */
  readonly finishReason: string | { readonly unified: string };
  readonly usage: AiSdkUsage;
}

/** Text, reasoning and tool calls are read; whatever else a provider sends (files, sources) is passed over. */
export interface AiSdkContent {
  readonly type: string;
  readonly text?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly input?: unknown;
  readonly providerExecuted?: boolean | undefined;
  readonly providerMetadata?: AiSdkMetadata | undefined;
}

/** Plain numbers in v2, objects since v3. */
export interface AiSdkUsage {
  readonly inputTokens?: number | { readonly total?: number | undefined; readonly cacheRead?: number | undefined } | undefined;
  readonly outputTokens?: number | { readonly total?: number | undefined; readonly reasoning?: number | undefined } | undefined;
  readonly cachedInputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}
