/**
 * The part of the AI SDK's language-model interface that the library uses: `LanguageModelV2`, `LanguageModelV3` and
 * `LanguageModelV4` of `@ai-sdk/provider` fit it.
 *
 * It is declared structurally because the SDK is an optional package.
 */
export interface AiSdkLanguageModel {
  /** `"v2"`, `"v3"` or `"v4"`. */
  readonly specificationVersion: string;
  /** `openai.responses`, `anthropic.messages`, `google.generative-ai`, ... */
  readonly provider: string;
  /** The provider's id of the model. */
  readonly modelId: string;
  /** Calls the model. Used by `AiSdkModel`. */
  // The options are `AiSdkCallOptions`; each specification types JSON more narrowly than the next.
  // biome-ignore lint/suspicious/noExplicitAny: no one type is assignable to the parameter of all three specifications
  doGenerate(options: any): PromiseLike<AiSdkResult>;
  /** Calls the model and streams the answer. Used by `AiSdkModel`. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  doStream?(options: any): PromiseLike<Pick<AiSdkResult, "request"> & { readonly stream: ReadableStream<AiSdkStreamPart> }>;
}

export type AiSdkMetadata = Record<string, unknown>;

export interface AiSdkCallOptions {
  prompt: AiSdkMessage[];
  tools?: AiSdkTool[];
  toolChoice?: { type: "auto" | "required" | "none" } | { type: "tool"; toolName: string };
  responseFormat?: { type: "json"; name: string; schema: object };
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

/** A function of the application, or a tool that the provider runs: `provider-defined` in v2, `provider` since v3. */
export type AiSdkTool =
  | AiSdkFunctionTool
  | { type: "provider" | "provider-defined"; id: string; name: string; args: object; providerOptions?: AiSdkMetadata };

interface AiSdkFunctionTool {
  type: "function";
  name: string;
  description: string;
  inputSchema: object;
  inputExamples?: { input: object }[];
  strict?: boolean;
  providerOptions?: AiSdkMetadata;
}

export type AiSdkMessage = { providerOptions?: AiSdkMetadata } & (
  | { role: "system"; content: string }
  | { role: "user"; content: AiSdkUserPart[] }
  | { role: "assistant"; content: AiSdkAssistantPart[] }
  | { role: "tool"; content: AiSdkToolResultPart[] }
);

export type AiSdkUserPart = AiSdkTextPart | { type: "file"; mediaType: string; filename?: string; data: AiSdkFileData };

/** Base64 or a URL in v2 and v3, distinguished by a tag since v4. */
export type AiSdkFileData = string | URL | { type: "data"; data: string } | { type: "url"; url: URL };

interface AiSdkTextPart {
  type: "text";
  text: string;
  providerOptions?: AiSdkMetadata;
}

export type AiSdkAssistantPart =
  | AiSdkTextPart
  | { type: "reasoning"; text: string; providerOptions?: AiSdkMetadata }
  | {
      type: "tool-call";
      toolCallId: string;
      toolName: string;
      input: unknown;
      providerExecuted?: boolean;
      providerOptions?: AiSdkMetadata;
    }
  | { type: "custom"; kind: string; providerOptions?: AiSdkMetadata }
  | AiSdkProviderResultPart;

/** The result of a call that the provider ran itself. */
export interface AiSdkProviderResultPart {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output: { type: "text"; value: string } | { type: "json" | "error-json"; value: unknown };
  providerOptions?: AiSdkMetadata;
}

export interface AiSdkToolResultPart {
  type: "tool-result";
  toolCallId: string;
  toolName: string;
  output:
    | { type: "text" | "error-text"; value: string }
    | { type: "content"; value: AiSdkResultContent[] }
    | { type: "json"; value: object };
}

/** A part of a result: a file is `media` in v2, `image-data` or `file-data` in v3, and `file` with tagged data since v4. */
export type AiSdkResultContent =
  | { type: "text"; text: string }
  | { type: "media" | "image-data"; mediaType: string; data: string }
  | { type: "file-data"; mediaType: string; filename?: string; data: string }
  | { type: "file"; mediaType: string; filename?: string; data: { type: "data"; data: string } };

export interface AiSdkResult extends AiSdkEnd {
  readonly content: readonly AiSdkContent[];
  /** `body` is the provider's own answer. */
  readonly response?: { readonly body?: unknown } | undefined;
  /** `body` is the request as it went out, as an object or as JSON. */
  readonly request?: { readonly body?: unknown } | undefined;
  readonly warnings?: readonly AiSdkWarning[] | undefined;
}

/** What a package left out of a request or changed in it. v2 has `setting` and `tool`; v3 and v4 have `feature`. */
export interface AiSdkWarning {
  readonly type: string;
  readonly feature?: string | undefined;
  // The types of v2 make no text of it.
  readonly setting?: unknown;
  readonly tool?: unknown;
  readonly details?: string | undefined;
  readonly message?: string | undefined;
}

/** What a provider says when it has answered, streamed or not. */
export interface AiSdkEnd {
  /** A word in v2, `{ unified, raw }` since v3. */
  readonly finishReason: string | { readonly unified: string; readonly raw?: string | undefined };
  readonly usage: AiSdkUsage;
  readonly providerMetadata?: AiSdkMetadata | undefined;
}

/** Text, reasoning, calls, results of the provider's own tools, compactions and sources are read; other parts are skipped. */
export interface AiSdkContent {
  readonly type: string;
  readonly text?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly toolName?: string | undefined;
  readonly input?: unknown;
  readonly providerExecuted?: boolean | undefined;
  /** Of a result of a tool that the provider ran. */
  readonly result?: unknown;
  readonly isError?: boolean | undefined;
  /** A later result of the same call follows. */
  readonly preliminary?: boolean | undefined;
  /** Of a part that only one provider has: `openai.compaction`. */
  readonly kind?: string | undefined;
  /** Of a source. */
  readonly url?: string | undefined;
  readonly title?: string | undefined;
  readonly providerMetadata?: AiSdkMetadata | undefined;
}

/**
 * A part of a stream. `text-start`, `-delta` and `-end` carry the id of their text, `reasoning-*` likewise, `tool-input-*`
 * that of their call; `tool-call` is as in a result; `finish` has the members of `AiSdkEnd`; `error` has an error of any shape.
 */
export interface AiSdkStreamPart extends Partial<AiSdkEnd>, Omit<AiSdkContent, "text"> {
  readonly id?: string | undefined;
  readonly delta?: string | undefined;
  /** `text`: the pieces of this call aren't JSON, only the whole is. */
  readonly inputEncoding?: string | undefined;
  /** Of `stream-start`. */
  readonly warnings?: readonly AiSdkWarning[] | undefined;
  readonly error?: unknown;
}

/** Plain numbers in v2, objects since v3. */
export interface AiSdkUsage {
  readonly inputTokens?:
    | number
    | { readonly total?: number | undefined; readonly cacheRead?: number | undefined; readonly cacheWrite?: number | undefined }
    | undefined;
  readonly outputTokens?: number | { readonly total?: number | undefined; readonly reasoning?: number | undefined } | undefined;
  readonly cachedInputTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
}

/**
 * Whether a value is a language model of the AI SDK, of any specification (v1 included, which `AiSdkModel` rejects). See
 * docs/11-providers.md.
 */
export const isAiSdkLanguageModel = (value: unknown): value is AiSdkLanguageModel =>
  typeof value === "object" && value !== null && "specificationVersion" in value && "doGenerate" in value;

/** `openai/gpt-5-mini`: the provider package and the model's own id. */
export const referenceTo = ({ provider, modelId }: AiSdkLanguageModel): string => `${provider.split(".")[0]}/${modelId}`;
