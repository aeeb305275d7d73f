import type { ContentPart, Message, ToolMessage } from "../message.js";
import { type AttachmentRules, followingMessage, resultOutput } from "./attachments.js";
import type { ChangeEntry } from "../prefix.js";
import { searchResultPart } from "./client-search/client-search.js";
import type { ChangeWriter, SentForm } from "./growing/sent-form.js";
import { fitHistory } from "./history/fit-history.js";
import type { HistoryRules } from "./history/history-rules.js";
import type { AiSdkFileData, AiSdkMessage, AiSdkToolResultPart, AiSdkUserPart } from "./language-model.js";
import { assistantParts } from "./replayed-metadata.js";

export interface PromptForm {
  /** `anthropic.messages`: what a provider ran itself is sent to it alone. */
  readonly provider: string;
  /** `v2`, `v3` or `v4`: they differ in how a file is written. */
  readonly specification: string;
  readonly rules: HistoryRules;
  readonly attachments: AttachmentRules;
  /** Marks for Anthropic what it shall keep in its prompt cache. */
  readonly isCached: boolean;
  readonly writeChange?: ChangeWriter | undefined;
  /** See `SentForm`. */
  readonly searches?: SentForm["searches"] | undefined;
}

/** The history in the AI SDK's form, and as the provider takes it. */
export function toPrompt(messages: readonly (Message | ChangeEntry)[], form: PromptForm): AiSdkMessage[] {
  const { rules, isCached } = form;
  const prompt = fitHistory(toMessages(messages, form), rules);
  if (isCached) markForCache(prompt);
  return prompt;
}

/** The results of one step become one message, as Anthropic and Gemini want them. Files of results may follow in a message of their own. */
function toMessages(messages: readonly (Message | ChangeEntry)[], form: PromptForm): AiSdkMessage[] {
  const { specification, attachments, writeChange } = form;
  const prompt: AiSdkMessage[] = [];
  let results: ToolMessage[] = [];
  const endResults = (): void => {
    const following = results.length === 0 ? undefined : followingMessage(results, attachments, specification);
    if (following !== undefined) prompt.push(following);
    results = [];
  };
  for (const message of messages) {
    if (message.role === "change") {
      prompt.push(...(writeChange?.(message) ?? []));
      continue;
    }
    if (message.role !== "tool") endResults();
    else if (message.attachments !== undefined) results.push(message);
    const last = prompt.at(-1);
    if (message.role === "system") prompt.push({ role: "system", content: message.content });
    else if (message.role === "user") prompt.push({ role: "user", content: userParts(message.content, specification) });
    else if (message.role === "tool" && last?.role === "tool") last.content.push(resultPart(message, form));
    else if (message.role === "tool") prompt.push({ role: "tool", content: [resultPart(message, form)] });
    else {
      const content = assistantParts(message, form);
      // Anthropic refuses a message without content.
      if (content.length > 0) prompt.push({ role: "assistant", content });
    }
  }
  endResults();
  return prompt;
}

/**
 * Anthropic caches everything up to a mark. The first stands behind the tools and instructions, which every conversation
 * shares; the second stands behind the conversation, and moves on with each step.
 */
function markForCache(prompt: AiSdkMessage[]): void {
  const [first] = prompt;
  for (const message of [first?.role === "system" ? first : undefined, prompt.findLast(({ role }) => role !== "system")]) {
    if (message !== undefined) message.providerOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };
  }
}

function resultPart(message: ToolMessage, { searches, attachments, specification }: PromptForm): AiSdkToolResultPart {
  const { toolCallId, toolName } = message;
  const loaded = searches?.get(message);
  if (loaded !== undefined) return searchResultPart(toolCallId, loaded);
  return { type: "tool-result", toolCallId, toolName, output: resultOutput(message, attachments, specification) };
}

/** What a user says in the AI SDK's form, if an image is a file like any other. */
export function userParts(content: string | readonly ContentPart[], specification: string): AiSdkUserPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content.map((part): AiSdkUserPart => {
    if (part.type === "text") return { type: "text", text: part.text };
    // Gemini's package for AI SDK 7 rejects an image at a URL without a subtype. The one before it sent this type.
    const mediaType = part.mediaType === "image/*" && isTagged(specification) ? "image/jpeg" : part.mediaType;
    const filename = part.type === "file" ? part.filename : undefined;
    const data = part.url === undefined ? inData(part.data, specification) : atUrl(new URL(part.url), specification);
    return { type: "file", mediaType, ...(filename !== undefined && { filename }), data };
  });
}

const isTagged = (specification: string): boolean => specification !== "v2" && specification !== "v3";

const inData = (data: string, specification: string): AiSdkFileData => (isTagged(specification) ? { type: "data", data } : data);

const atUrl = (url: URL, specification: string): AiSdkFileData => (isTagged(specification) ? { type: "url", url } : url);
