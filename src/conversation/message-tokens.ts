import type { ChangeEntry, ContentPart, Message } from "../models/index.js";
import { warnProcess } from "../redaction/internal.js";

const charactersPerToken = 4;

/** Providers count an image by its size, which isn't known here: that of a large one. */
const tokensPerAttachment = 1_500;

/** An estimate of the tokens of a message: providers count each by their own rules. */
export function estimateTokens(message: Message): number {
  const content: readonly ContentPart[] = typeof message.content === "string" ? [{ type: "text", text: message.content }] : message.content;
  let characters = 0;
  let attachments = 0;
  for (const part of content) {
    if (part.type === "text") characters += part.text.length;
    else attachments += 1;
  }
  if (message.role === "tool") attachments += message.attachments?.length ?? 0;
  if (message.role === "assistant") {
    characters += message.reasoning?.length ?? 0;
    for (const { name, arguments: text } of message.toolCalls ?? []) characters += name.length + text.length;
  }
  return Math.ceil(characters / charactersPerToken) + attachments * tokensPerAttachment;
}

/** The same of a change. */
export const estimateChangeTokens = (change: ChangeEntry): number => Math.ceil(JSON.stringify(change).length / charactersPerToken);

/** As the application counts. It can't fail a run: what is no count is replaced by the estimate, with a warning. */
export function countTokens(message: Message, count: (message: Message) => number): number {
  let problem: string;
  try {
    const tokens = count(message);
    if (Number.isFinite(tokens) && tokens >= 0) return tokens;
    problem = `gave ${String(tokens)}`;
  } catch (error) {
    problem = `threw: ${String(error)}`;
  }
  warnProcess(`countTokens of @history ${problem}. It must give a number of tokens; they are estimated now.`);
  return estimateTokens(message);
}
