import { isRecord } from "../../schema/internal.js";
import type { ChatResponse, FinishReason } from "../../models/index.js";

/** Throws `TypeError` if an application's own `ChatModel` gives what is no response: a mistake in its code. */
export function checkResponse(response: ChatResponse, model: string): void {
  const { text, toolCalls, finishReason, usage, providerCalls, sources } = (response ?? {}) as Partial<ChatResponse>;
  if (typeof text !== "string") fail(model, "text", "a text, which may be empty", text);
  if (!Array.isArray(toolCalls)) fail(model, "toolCalls", "a list, which may be empty", toolCalls);
  if (typeof usage?.inputTokens !== "number") fail(model, "usage", "a TokenUsage, such as noUsage", usage);
  for (const { id, name, arguments: text } of toolCalls) {
    if (typeof id !== "string") fail(model, "id of a tool call", "a text, which may be empty", id);
    if (typeof name !== "string") fail(model, "name of a tool call", "a text", name);
    if (typeof text !== "string") fail(model, "arguments of a tool call", "JSON text", text);
  }
  if (providerCalls !== undefined && !isListOfObjects(providerCalls)) fail(model, "providerCalls", "a list of calls", providerCalls);
  if (sources !== undefined && !isListOfObjects(sources)) fail(model, "sources", "a list of sources", sources);
  // Calls run only if it is known how their answer ended; a provider's own word must not pass for a good end.
  if (finishReason === undefined || !Object.hasOwn(finishReasons, finishReason)) {
    throw new TypeError(
      `${model}: generate returned the finishReason ${JSON.stringify(finishReason)}, which isn't one of ${Object.keys(finishReasons).join(", ")}. Translate the provider's word with finishReasonOf(word).`,
    );
  }
}

const isListOfObjects = (value: unknown): boolean => Array.isArray(value) && value.every(isRecord);

const finishReasons: Readonly<Record<FinishReason, true>> = {
  stop: true,
  tool_calls: true,
  length: true,
  content_filter: true,
  error: true,
  other: true,
};

function fail(model: string, member: string, what: string, value: unknown): never {
  throw new TypeError(`${model}: generate gave a response whose ${member} is ${typeof value}, but must be ${what}.`);
}
