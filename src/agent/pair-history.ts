import type { Message, ToolCall, ToolMessage } from "../models/index.js";

/**
 * A history in which each tool call has exactly one result, directly after its message and in call order:
 * providers refuse any other for ever after. A call without a result gets one that says so; results of
 * unknown calls, and second results of one call, are left out. A paired history comes back as it is.
 */
export function pairHistory(history: readonly Message[]): readonly Message[] {
  const paired: Message[] = [];
  let index = 0;
  while (index < history.length) {
    const message = history[index++] as Message;
    if (message.role === "tool") continue;
    paired.push(message);
    const results = new Map<string, ToolMessage>();
    for (let next = history[index]; next?.role === "tool"; next = history[++index]) {
      if (!results.has(next.toolCallId)) results.set(next.toolCallId, next);
    }
    const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
    for (const call of calls) paired.push(results.get(call.id) ?? missingResult(call));
  }
  return paired;
}

const missingResult = ({ id, name }: ToolCall): ToolMessage => ({
  role: "tool",
  toolCallId: id,
  toolName: name,
  content: "Request was cancelled",
  errorType: "cancelled",
});
