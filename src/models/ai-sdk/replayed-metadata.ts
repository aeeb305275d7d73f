import { parseArgumentsText } from "../../schema/internal.js";
import type { AssistantMessage, Message, ToolCall } from "../message.js";
import { argumentsText } from "./arguments-text.js";
import { isClientSearch, searchCallPart } from "./client-search/client-search.js";
import { isCompaction, isProviderPart } from "./provider-calls.js";
import type { AiSdkAssistantPart, AiSdkContent, AiSdkMetadata, AiSdkProviderResultPart } from "./language-model.js";

/**
 * One part of a provider's answer as it must be sent back. A provider that thinks wants its parts in their order
 * and with their metadata: Anthropic the signature of each thinking block, OpenAI the ids of its items, Gemini its
 * thought signatures. Without them the second step of a run is refused, or thinks anew.
 */
type ReplayPart =
  | { readonly type: "text" | "reasoning"; readonly text: string; readonly metadata?: AiSdkMetadata }
  | { readonly type: "tool-call"; readonly id: string }
  | CompactionPart
  | ProviderPart;

/** What stands for the history before it: a text of Anthropic's, or an item of OpenAI's that is named by its kind. */
type CompactionPart = { readonly type: "compaction"; readonly metadata?: AiSdkMetadata } & (
  | { readonly text: string }
  | { readonly kind: string }
);

/** A call that the provider ran itself, or its result. */
type ProviderPart = { readonly id: string; readonly name: string; readonly metadata?: AiSdkMetadata } & (
  | { readonly type: "provider-call"; readonly arguments: string }
  | { readonly type: "provider-result"; readonly result: unknown; readonly isError?: boolean }
);

/** The key of `AssistantMessage.providerMetadata` that holds what is kept for the next request. */
const ownKey = "toolwright";

interface OwnMetadata {
  readonly parts?: readonly ReplayPart[];
  /** The provider that ran calls itself, or compacted the history. Others don't get these parts. */
  readonly ranBy?: string;
  /** Thinking that no longer fits was dropped for this answer, and must be for each later one. */
  readonly dropsThinking?: boolean;
  /** Earlier thinking was left out of the request for this answer, and must be of each later one. */
  readonly stripsThinking?: boolean;
  /** The id of the model that had rejected the thinking that was left out. */
  readonly rejectedBy?: string;
  /** The request for this answer was written anew, and later ones begin as it did. */
  readonly restarts?: boolean;
}

export const ownMetadata = (metadata: AssistantMessage["providerMetadata"]): OwnMetadata | undefined =>
  metadata?.[ownKey] as OwnMetadata | undefined;

/** What to keep with the message, or nothing if the message's own fields say it all. */
export function replayMetadata(
  content: readonly AiSdkContent[],
  {
    dropsThinking = false,
    stripsThinking = false,
    rejectedBy,
    restarts = false,
    provider,
  }: Pick<OwnMetadata, "dropsThinking" | "stripsThinking" | "rejectedBy" | "restarts"> & { readonly provider: string },
): Record<string, unknown> | undefined {
  const parts = replayParts(content);
  const own: OwnMetadata = {
    ...(parts !== undefined && { parts }),
    ...(content.some((part) => isProviderPart(part) || isCompaction(part)) && { ranBy: provider }),
    ...(dropsThinking && { dropsThinking }),
    ...(stripsThinking && { stripsThinking }),
    ...(rejectedBy !== undefined && { rejectedBy }),
    ...(restarts && { restarts }),
  };
  return Object.keys(own).length === 0 ? undefined : { [ownKey]: own };
}

function replayParts(content: readonly AiSdkContent[]): readonly ReplayPart[] | undefined {
  const isPlain = content.every(
    (part) => !isProviderPart(part) && !isCompaction(part) && (part.type === "tool-call" || part.providerMetadata === undefined),
  );
  if (isPlain) return undefined;
  return content.flatMap((part): ReplayPart[] => {
    if (isProviderPart(part)) return [providerPart(part)];
    if (isCompaction(part)) return [compactionPart(part)];
    if (part.type === "tool-call") return [{ type: part.type, id: part.toolCallId ?? "" }];
    if (part.type !== "text" && part.type !== "reasoning") return [];
    return [{ type: part.type, text: part.text ?? "", ...(part.providerMetadata !== undefined && { metadata: part.providerMetadata }) }];
  });
}

function compactionPart({ text = "", kind, providerMetadata }: AiSdkContent): CompactionPart {
  const form = kind === undefined ? { text } : { kind };
  return { type: "compaction", ...form, ...(providerMetadata !== undefined && { metadata: providerMetadata }) };
}

function providerPart({
  type,
  toolCallId: id = "",
  toolName: name = "",
  input,
  result,
  isError,
  providerMetadata,
}: AiSdkContent): ProviderPart {
  const called = { id, name, ...(providerMetadata !== undefined && { metadata: providerMetadata }) };
  if (type === "tool-call") return { type: "provider-call", ...called, arguments: argumentsText(input) };
  return { type: "provider-result", ...called, result, ...(isError === true && { isError }) };
}

/** The message without what the model thought. */
export function withoutThinking(message: Message): Message {
  if (message.role !== "assistant") return message;
  const { reasoning: _, ...said } = message;
  const own = ownMetadata(message.providerMetadata);
  if (own?.parts === undefined) return said;
  const parts = own.parts.filter(({ type }) => type !== "reasoning");
  return { ...said, providerMetadata: { ...message.providerMetadata, [ownKey]: { ...own, parts } } };
}

/** The message as the provider's own parts; built from the message's fields if none are kept or they no longer match. */
export function assistantParts(message: AssistantMessage, form: PartsForm): AiSdkAssistantPart[] {
  const calls = message.toolCalls ?? [];
  const toPart = (call: ToolCall): AiSdkAssistantPart => callPart(call, form.searches !== undefined);
  return keptParts(message, calls, form, toPart) ?? plainParts(message, calls, toPart);
}

/** What of a request decides how earlier answers are sent: members of `PromptForm`. */
interface PartsForm {
  readonly provider: string;
  readonly specification: string;
  readonly searches?: object | undefined;
}

type ToPart = (call: ToolCall) => AiSdkAssistantPart;

/** An answer that isn't whole yet, as the provider wants it back to go on. */
export const pausedParts = (content: readonly AiSdkContent[]): AiSdkAssistantPart[] =>
  content.flatMap((part): AiSdkAssistantPart[] => {
    if (isProviderPart(part)) return [sentProviderPart(providerPart(part))];
    if (isCompaction(part)) return [sentCompaction(compactionPart(part))];
    if (part.type !== "text" && part.type !== "reasoning") return [];
    return [
      { type: part.type, text: part.text ?? "", ...(part.providerMetadata !== undefined && { providerOptions: part.providerMetadata }) },
    ];
  });

function keptParts(
  message: AssistantMessage,
  calls: readonly ToolCall[],
  form: PartsForm,
  toPart: ToPart,
): AiSdkAssistantPart[] | undefined {
  const { parts: kept, ranBy } = ownMetadata(message.providerMetadata) ?? {};
  if (kept === undefined) return undefined;
  const text = kept.map((part) => (part.type === "text" ? part.text : "")).join("");
  const callCount = kept.filter(({ type }) => type === "tool-call").length;
  // The application may have edited or shortened its history: then the message as it now is counts. Ids don't: a repeated one was replaced.
  if (text !== message.content || callCount !== calls.length) return undefined;
  const remaining = [...calls];
  return kept.flatMap((part): AiSdkAssistantPart[] => {
    if (part.type === "tool-call") return remaining.splice(0, 1).map(toPart);
    if (part.type === "provider-call" || part.type === "provider-result")
      return ranBy === form.provider && isTakenBack(part, form) ? [sentProviderPart(part)] : [];
    if (part.type === "compaction") return ranBy === form.provider ? [sentCompaction(part)] : [];
    return [{ type: part.type, text: part.text, ...(part.metadata !== undefined && { providerOptions: part.metadata }) }];
  });
}

/**
 * Google's package sends Gemini's code back since AI SDK 7. Before, it made a function's call of it, and dropped the result: Gemini rejects a
 * call without a response. Calls with an id of the server were always sent back.
 */
const isTakenBack = ({ metadata = {} }: ProviderPart, { provider, specification }: PartsForm): boolean =>
  !provider.startsWith("google") ||
  specification === "v4" ||
  Object.values(metadata).some((own) => (own as { readonly serverToolCallId?: unknown } | null)?.serverToolCallId !== undefined);

function sentCompaction({ metadata, ...part }: CompactionPart): AiSdkAssistantPart {
  const options = metadata !== undefined && { providerOptions: metadata };
  return "kind" in part ? { type: "custom", kind: part.kind, ...options } : { type: "text", text: part.text, ...options };
}

function sentProviderPart(part: ProviderPart): AiSdkAssistantPart {
  const { id: toolCallId, name: toolName, metadata } = part;
  const sent = { toolCallId, toolName, ...(metadata !== undefined && { providerOptions: metadata }) };
  if (part.type === "provider-call") return { type: "tool-call", ...sent, input: argumentsObject(part.arguments), providerExecuted: true };
  return { type: "tool-result", ...sent, output: outputOf(part.result, part.isError) };
}

function outputOf(result: unknown, isError = false): AiSdkProviderResultPart["output"] {
  if (isError) return { type: "error-json", value: result };
  return typeof result === "string" ? { type: "text", value: result } : { type: "json", value: result };
}

function plainParts(message: AssistantMessage, calls: readonly ToolCall[], toPart: ToPart): AiSdkAssistantPart[] {
  const parts: AiSdkAssistantPart[] = [];
  if (message.reasoning) parts.push({ type: "reasoning", text: message.reasoning });
  if (message.content !== "") parts.push({ type: "text", text: message.content });
  return [...parts, ...calls.map(toPart)];
}

function callPart(call: ToolCall, isSearching: boolean): AiSdkAssistantPart {
  const input = argumentsObject(call.arguments);
  const isSearch = isClientSearch(call);
  if (isSearch && isSearching) return searchCallPart(call, input);
  return {
    type: "tool-call",
    toolCallId: call.id,
    toolName: call.name,
    input,
    // If the search is sent as a function, the provider knows the id of the call as that of something else.
    ...(call.providerMetadata !== undefined && !isSearch && { providerOptions: call.providerMetadata }),
  };
}

/** Providers take objects only; what the model wrote that can't be read stands as `{}`, and its tool result says why. */
function argumentsObject(text: string): object {
  const parsed = parseArgumentsText(text);
  const isObject = parsed.ok && typeof parsed.value === "object" && parsed.value !== null && !Array.isArray(parsed.value);
  return isObject ? parsed.value : {};
}
