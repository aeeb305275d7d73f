import type { ChatRequest, ModelTool } from "../../chat-model.js";
import type { Message } from "../../message.js";
import type { ChangeEntry, GrowingRequest } from "../../prefix.js";
import { isSameTool } from "../../same-tool.js";
import type { AiSdkLanguageModel, AiSdkMessage } from "../language-model.js";
import { ownMetadata, withoutThinking } from "../replayed-metadata.js";
import { changeRuleOf } from "./change-rules.js";
import { instructionsAfter } from "./instructions-after.js";
import { changedInstructions, type SentForm } from "./sent-form.js";

/**
 * Whether the beginning of the model's requests stays as it was. The ARN of an inference profile doesn't name its model: one that has
 * rejected thinking in this conversation checks it.
 */
export function isFrozen(model: AiSdkLanguageModel, messages: readonly Message[]): boolean {
  const rule = changeRuleOf(model);
  return rule === "frozen" || (rule === "rewrite" && model.provider.startsWith("amazon-bedrock") && hasRejectedThinking(model, messages));
}

const hasRejectedThinking = ({ modelId }: AiSdkLanguageModel, messages: readonly Message[]): boolean =>
  messages.some((message) => message.role === "assistant" && ownMetadata(message.providerMetadata)?.rejectedBy === modelId);

/**
 * The form for models that check the beginning of a request and take no changes: it stays as it was. Withdrawn tools are still declared,
 * and the executor rejects them. If the model needs a new tool, or if the provider has rejected the thinking (`isRejected`), the beginning is
 * written anew, without the thinking so far. This happens once: the answer remembers it, and later requests begin as that one did.
 */
export function frozenForm(request: ChatRequest, { messages, tools }: GrowingRequest, isRejected = false): SentForm {
  const restart = messages.findLastIndex(isRestart);
  const sent = messages.slice(0, Math.max(restart, 0));
  const declared = new Map(tools.map((tool) => [tool.name, tool]));
  for (const tool of offeredIn(sent)) declared.set(tool.name, tool);
  const isDeclared = (tool: ModelTool): boolean => {
    const known = declared.get(tool.name);
    return known !== undefined && isSameTool(known, tool);
  };
  // A definition may have changed and changed back while another model answered: the last one counts.
  const offered = new Map(offeredIn(messages.slice(sent.length)).map((tool) => [tool.name, tool]));
  const current = new Set(request.tools.map(({ name }) => name));
  const isMissing = (tool: ModelTool): boolean => current.has(tool.name) && !isDeclared(tool);
  if (isRejected || [...offered.values()].some(isMissing)) {
    for (const [name, tool] of offered) declared.set(name, tool);
    return { messages: request.messages.map(withoutThinking), tools: [...declared.values()], stripsThinking: true };
  }
  const instructions = instructionsAfter(sent, messages[0]);
  const isFirstInstructions = (entry: Entry): boolean => entry === messages[0] && entry.role === "system";
  const before = sent.filter((entry) => entry.role !== "change").filter((entry) => !isFirstInstructions(entry));
  const after = messages.slice(sent.length).filter((entry) => !isFirstInstructions(entry));
  const { changesAsUserMessages = false } = request.options ?? {};
  return {
    messages: [
      ...(instructions === undefined ? [] : [{ role: "system", content: instructions } as const]),
      ...before.map(withoutThinking),
      ...after,
    ],
    tools: [...declared.values()],
    changeWriter: () => (change) => (changesAsUserMessages && change.instructions !== undefined ? [noteOf(change.instructions)] : []),
  };
}

type Entry = Message | ChangeEntry;

const isRestart = (entry: Entry): boolean => entry.role === "assistant" && ownMetadata(entry.providerMetadata)?.stripsThinking === true;

const offeredIn = (entries: readonly Entry[]): readonly ModelTool[] =>
  entries.flatMap((entry) => (entry.role === "change" ? (entry.offered ?? []) : []));

const noteOf = (instructions: string | null): AiSdkMessage => ({
  role: "user",
  content: [{ type: "text", text: changedInstructions(instructions) }],
});
