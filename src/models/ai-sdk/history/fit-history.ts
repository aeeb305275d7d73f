import type { AiSdkAssistantPart, AiSdkMessage, AiSdkToolResultPart, AiSdkUserPart } from "../language-model.js";
import type { HistoryRules } from "./history-rules.js";
import { systemBeforeAnswers, systemFirst } from "./system-order.js";
import { type CallIdForm, WireCallIds } from "./wire-call-ids.js";

/**
 * The history as its provider takes it. What was sent once is sent the same way again when the history has grown: providers cache it,
 * and some check it. The history itself stays as it is.
 */
export function fitHistory(prompt: readonly AiSdkMessage[], rules: HistoryRules): AiSdkMessage[] {
  let fitted = prompt.flatMap((message) => withoutBlanks(message, rules.keepsBlankTexts === true) ?? []);
  if (rules.systemFirst === true) fitted = systemFirst(fitted);
  if (rules.alternates === true || rules.answersTools === true) fitted = inOrder(fitted, rules);
  if (rules.systemBeforeAnswers === true) fitted = systemBeforeAnswers(fitted);
  return rules.callIds === undefined ? fitted : withCallIds(fitted, rules.callIds);
}

const isBlank = (text: string): boolean => text.trim() === "";

const isBlankText = (part: AiSdkUserPart | AiSdkAssistantPart): boolean => part.type === "text" && isBlank(part.text);

/** Most providers reject a blank text for as long as it is in the history. */
function withoutBlanks(message: AiSdkMessage, keepsBlankTexts: boolean): AiSdkMessage | undefined {
  switch (message.role) {
    case "system":
      // One that changes tools has no text.
      return isBlank(message.content) && message.providerOptions === undefined ? undefined : message;
    case "tool":
      return message.content.some(isEmptyResult) ? { ...message, content: message.content.map(writeOut) } : message;
    case "user": {
      if (message.content.length > 0 && !message.content.some(isBlankText)) return message;
      const content = message.content.filter((part) => !isBlankText(part));
      return { ...message, content: content.length > 0 ? content : [textPart("(empty message)")] };
    }
    case "assistant": {
      const content = keepsBlankTexts ? message.content : withoutBlankTexts(message.content);
      if (content.every((part) => part.type === "text" && part.text === "")) return undefined;
      return content === message.content ? message : { ...message, content };
    }
  }
}

const isEmptyResult = ({ output }: AiSdkToolResultPart): boolean => typeof output.value === "string" && isBlank(output.value);

const writeOut = (part: AiSdkToolResultPart): AiSdkToolResultPart =>
  isEmptyResult(part) ? { ...part, output: { type: part.output.type as "text" | "error-text", value: "(no output)" } } : part;

/** Reasoning alone is rejected as well: something follows it. */
function withoutBlankTexts(parts: AiSdkAssistantPart[]): AiSdkAssistantPart[] {
  const isSaid =
    parts.some(({ type }) => type === "tool-call" || type === "tool-result") ||
    parts.some((part) => part.type === "text" && !isBlank(part.text));
  if (isSaid && !parts.some(isBlankText)) return parts;
  const rest = parts.filter((part) => !isBlankText(part));
  return isSaid || rest.length === 0 ? rest : [...rest, textPart("(no text)")];
}

const textPart = (text: string): { type: "text"; text: string } => ({ type: "text", text });

/** With the turns that are missing between two others. */
function inOrder(prompt: readonly AiSdkMessage[], { alternates, answersTools }: HistoryRules): AiSdkMessage[] {
  const ordered: AiSdkMessage[] = [];
  let before: AiSdkMessage["role"] | undefined;
  for (const message of prompt) {
    const { role } = message;
    if (role !== "system") {
      if (answersTools && before === "tool" && role === "user") ordered.push({ role: "assistant", content: [textPart("(no answer)")] });
      else if (alternates && role === "assistant" && before === undefined) ordered.push(saidByUser("(start of the conversation)"));
      else if (alternates && role === "assistant" && before === "assistant") ordered.push(saidByUser("Continue."));
      before = role;
    }
    ordered.push(message);
  }
  if (alternates && before === "assistant") ordered.push(saidByUser("Continue."));
  return ordered;
}

const saidByUser = (text: string): AiSdkMessage => ({ role: "user", content: [textPart(text)] });

function withCallIds(prompt: readonly AiSdkMessage[], form: CallIdForm): AiSdkMessage[] {
  const ids = new WireCallIds(form);
  const renamed = <Part extends AiSdkToolResultPart | AiSdkAssistantPart>(part: Part): Part => {
    if (part.type !== "tool-call" && part.type !== "tool-result") return part;
    const toolCallId = ids.toWire(part.toolCallId);
    return toolCallId === part.toolCallId ? part : { ...part, toolCallId };
  };
  return prompt.map((message): AiSdkMessage => {
    if (message.role === "assistant") return { ...message, content: message.content.map(renamed) };
    return message.role === "tool" ? { ...message, content: message.content.map(renamed) } : message;
  });
}
