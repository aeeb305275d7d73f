import type { ContentPart, Message, ToolCall } from "../models/index.js";
import { redact, redactText } from "../redaction/index.js";
import { redactMalformed } from "../redaction/internal.js";

/** The arguments that a model wrote, without secrets: as JSON, or as text if they aren't JSON. */
export function redactedArguments(text: string): unknown {
  try {
    return redact(JSON.parse(text));
  } catch {
    return redactMalformed(text);
  }
}

/** A message in the form of OpenTelemetry's GenAI conventions, without secrets; of files only their size. */
export function toConventionMessage(message: Message): object {
  if (message.role === "tool") {
    return { role: "tool", parts: [{ type: "tool_call_response", id: message.toolCallId, response: redactText(message.content) }] };
  }
  if (message.role === "user") {
    const parts = typeof message.content === "string" ? [textPart(message.content)] : message.content.map(toConventionPart);
    return { role: "user", parts };
  }
  if (message.role === "system") return { role: "system", parts: [textPart(message.content)] };
  return { role: "assistant", parts: answerParts(message.reasoning, message.content, message.toolCalls ?? []) };
}

/** What a model says, as the parts of a message. */
export function answerParts(reasoning: string | undefined, text: string, toolCalls: readonly ToolCall[]): readonly object[] {
  return [
    ...(reasoning === undefined || reasoning === "" ? [] : [{ type: "reasoning", content: redactText(reasoning) }]),
    ...(text === "" ? [] : [textPart(text)]),
    ...toolCalls.map(({ id, name, arguments: written }) => ({ type: "tool_call", id, name, arguments: redactedArguments(written) })),
  ];
}

const textPart = (text: string): object => ({ type: "text", content: redactText(text) });

function toConventionPart(part: ContentPart): object {
  if (part.type === "text") return textPart(part.text);
  const common = { mime_type: part.mediaType, modality: part.type };
  if (part.url !== undefined) return { type: "uri", ...common, uri: redactText(part.url) };
  return { type: "blob", ...common, content: `[${part.data.length} characters of base64]` };
}
