import type { ChatResponse, FinishReason, TokenUsage } from "../chat-model.js";
import { finishReasonOf } from "../finish-reason.js";
import type { ToolCall } from "../message.js";
import type { ChangedPart } from "../prefix.js";
import type { AiSdkContent, AiSdkResult, AiSdkUsage, AiSdkWarning } from "./language-model.js";
import { argumentsText } from "./arguments-text.js";
import { isCompaction, isProviderPart, providerCallsIn, sourcesIn } from "./provider-calls.js";
import { replayMetadata } from "./replayed-metadata.js";

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["length", "length"],
  ["tool-calls", "tool_calls"],
  ["content-filter", "content_filter"],
  ["error", "error"],
  // Since v4, a stream that was cut off.
  ["interrupted", "error"],
]);

/** What a response needs besides the provider's answer. */
export interface AnswerNotes {
  readonly warnings: readonly string[];
  /** See `droppingThinking`. */
  readonly dropsThinking: boolean;
  /** See `frozenForm`. */
  readonly stripsThinking?: boolean;
  /** See `isFrozen`. */
  readonly rejectedBy?: string;
  /** See `restartingForm`. */
  readonly restarts?: boolean;
  readonly changedPart?: ChangedPart | undefined;
  /** The provider whose own calls and results the answer may have: only it takes them back. */
  readonly provider: string;
}

/** What the provider answered, in this library's form. */
export function toResponse(result: AiSdkResult, notes: AnswerNotes): ChatResponse {
  // The loop must not run again what the provider ran.
  const content = result.content.filter((part) => !isProviderPart(part));
  const ranCalls = content.length < result.content.length;
  const sources = sourcesIn(content);
  const toolCalls = content.filter((part) => part.type === "tool-call").map(toToolCall);
  const reasoning = textOf(content, "reasoning");
  const providerMetadata = replayMetadata(result.content, notes);
  const warnings = [...notes.warnings, ...(result.warnings ?? []).map(warningText), ...transformationWarnings(result)];
  return {
    text: textOf(content, "text"),
    toolCalls,
    finishReason: toFinishReason(result.finishReason, toolCalls.length > 0, ranCalls),
    usage: toUsage(result),
    ...(ranCalls && { providerCalls: providerCallsIn(result.content) }),
    ...(sources.length > 0 && { sources }),
    ...(reasoning !== "" && { reasoning }),
    ...(providerMetadata !== undefined && { providerMetadata }),
    ...(warnings.length > 0 && { warnings }),
    ...(notes.changedPart !== undefined && { changedPart: notes.changedPart }),
  };
}

/** What Anthropic changed in the request because its beginning had changed. */
function transformationWarnings({ providerMetadata }: AiSdkResult): readonly string[] {
  const { inputTransformations } = (providerMetadata?.anthropic ?? {}) as { readonly inputTransformations?: unknown };
  if (!Array.isArray(inputTransformations)) return [];
  return inputTransformations.map((made: { readonly type?: unknown; readonly path?: unknown; readonly reason?: unknown } | null) =>
    [made?.type, made?.path, made?.reason].filter((text) => typeof text === "string").join(", "),
  );
}

const textOf = (content: readonly AiSdkContent[], type: "text" | "reasoning"): string =>
  content
    .filter((part) => part.type === type && !isCompaction(part))
    .map((part) => part.text ?? "")
    .join("");

const toToolCall = (part: AiSdkContent): ToolCall => ({
  id: part.toolCallId ?? "",
  name: part.toolName ?? "",
  arguments: argumentsText(part.input),
  ...(part.providerMetadata !== undefined && { providerMetadata: part.providerMetadata }),
});

function toFinishReason(reason: AiSdkResult["finishReason"], hasCalls: boolean, providerRanCalls: boolean): FinishReason {
  const unified = typeof reason === "string" ? reason : reason.unified;
  const raw = typeof reason === "string" ? undefined : reason.raw;
  const known = finishReasons.get(unified) ?? "other";
  if (known === "content_filter" || known === "length" || known === "error") return known;
  // A package doesn't know its provider's newest words, and calls may count more for it than such a word.
  const own = typeof raw === "string" ? finishReasonOf(raw) : "other";
  if (own === "content_filter" || own === "length" || own === "error") return own;
  const end = known === "other" ? own : known;
  // OpenAI-compatible servers and Gemini end a step with calls by "stop".
  if (hasCalls && end !== "other") return "tool_calls";
  return end === "tool_calls" && providerRanCalls ? "stop" : end;
}

function toUsage({ usage, providerMetadata }: AiSdkResult): TokenUsage {
  const { inputTokens: input, outputTokens: output } = usage;
  const written = (typeof input === "object" ? input.cacheWrite : undefined) ?? writtenBy(providerMetadata);
  return {
    inputTokens: (typeof input === "object" ? input.total : input && input + uncounted(usage, providerMetadata)) ?? 0,
    outputTokens: (typeof output === "object" ? output.total : output) ?? 0,
    cachedInputTokens: (typeof input === "object" ? input.cacheRead : usage.cachedInputTokens) ?? 0,
    reasoningTokens: (typeof output === "object" ? output.reasoning : usage.reasoningTokens) ?? 0,
    ...(written !== undefined && { cacheWriteInputTokens: written }),
  };
}

/** Packages of the specification v2 have it among Anthropic's own members alone. */
function writtenBy(metadata: AiSdkResult["providerMetadata"]): number | undefined {
  const anthropic = metadata?.anthropic as { readonly cacheCreationInputTokens?: number | null } | undefined;
  return anthropic?.cacheCreationInputTokens ?? undefined;
}

/** Of Anthropic, v2 counts only the input that was neither read from the cache nor written to it; everywhere else all of it. */
function uncounted(usage: AiSdkUsage, metadata: AiSdkResult["providerMetadata"]): number {
  return metadata?.anthropic === undefined ? 0 : (usage.cachedInputTokens ?? 0) + (writtenBy(metadata) ?? 0);
}

/** A package's warning as a sentence; the specifications name its members differently. */
export function warningText({ type, feature, setting, tool, details, message }: AiSdkWarning): string {
  const subject = feature ?? setting ?? (tool as { readonly name?: string } | undefined)?.name;
  if (subject === undefined) return message ?? details ?? type;
  const why = details ?? message;
  return why === undefined ? `${subject} is not supported` : `${subject}: ${why}`;
}
