import type { Message } from "../../src/models/index.js";

/** True where each tool call has exactly one result, directly after its message and in call order, and no id comes twice. */
export function isPaired(history: readonly Message[]): boolean {
  const ids = new Set<string>();
  let expected: string[] = [];
  for (const message of history) {
    if (message.role === "tool") {
      if (expected.shift() !== message.toolCallId) return false;
      continue;
    }
    if (expected.length > 0) return false;
    expected = message.role === "assistant" ? (message.toolCalls ?? []).map(({ id }) => id) : [];
    for (const id of expected) {
      if (id === "" || ids.has(id)) return false;
      ids.add(id);
    }
  }
  return expected.length === 0;
}
