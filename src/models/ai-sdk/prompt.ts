import type { ModelTool } from "../chat-model.js";
import { type Message, messageText, type ToolMessage } from "../message.js";
import type { AiSdkMessage, AiSdkTool, AiSdkToolResultPart } from "./language-model.js";
import { assistantParts } from "./replay.js";

/** The history in the AI SDK's form. The results of one step become one message, as Anthropic and Gemini want them. */
export function toPrompt(messages: readonly Message[]): AiSdkMessage[] {
  const prompt: AiSdkMessage[] = [];
  for (const message of messages) {
    const last = prompt.at(-1);
    if (message.role === "system") prompt.push({ role: "system", content: message.content });
    else if (message.role === "user") prompt.push({ role: "user", content: [{ type: "text", text: messageText(message.content) }] });
    else if (message.role === "tool" && last?.role === "tool") last.content.push(resultPart(message));
    else if (message.role === "tool") prompt.push({ role: "tool", content: [resultPart(message)] });
    else {
      const content = assistantParts(message);
      // Anthropic refuses a message without content.
      if (content.length > 0) prompt.push({ role: "assistant", content });
    }
  }
  return prompt;
}

const resultPart = (message: ToolMessage): AiSdkToolResultPart => ({
  type: "tool-result",
  toolCallId: message.toolCallId,
  toolName: message.toolName,
  output: { type: message.errorType === undefined ? "text" : "error-text", value: message.content },
});

/**
 * The tools in the AI SDK's form. OpenAI's Responses API makes every tool strict whose schema allows it unless told
 * otherwise (its `FunctionTool.strict`), so that `strict` is always sent there; elsewhere only where the tool says it.
 */
export function toTools(tools: readonly ModelTool[], provider: string): AiSdkTool[] {
  const always = /^(openai|azure)(\.|$)/.test(provider);
  return tools.map(({ name, description, parameters, strict = always ? false : undefined }) => ({
    type: "function",
    name,
    description,
    inputSchema: parameters,
    ...(strict !== undefined && { strict }),
  }));
}
