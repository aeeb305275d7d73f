import type { ChatResponse } from "../../models/index.js";

/** Throws `TypeError` where an application's own `ChatModel` gives what is no response: a mistake in its code. */
export function checkResponse(response: ChatResponse, model: string): void {
  const { text, toolCalls, usage } = (response ?? {}) as Partial<ChatResponse>;
  if (typeof text !== "string") fail(model, "text", "a text, which may be empty", text);
  if (!Array.isArray(toolCalls)) fail(model, "toolCalls", "a list, which may be empty", toolCalls);
  if (typeof usage?.inputTokens !== "number") fail(model, "usage", "a TokenUsage, such as noUsage", usage);
  for (const { id, name, arguments: text } of toolCalls) {
    if (typeof id !== "string") fail(model, "id of a tool call", "a text, which may be empty", id);
    if (typeof name !== "string") fail(model, "name of a tool call", "a text", name);
    if (typeof text !== "string") fail(model, "arguments of a tool call", "JSON text", text);
  }
}

function fail(model: string, member: string, what: string, value: unknown): never {
  throw new TypeError(`${model}: generate gave a response whose ${member} is ${typeof value}, but must be ${what}.`);
}
