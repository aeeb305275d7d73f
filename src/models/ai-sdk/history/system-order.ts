import type { AiSdkMessage } from "../language-model.js";

/** System messages before all others. */
export const systemFirst = (prompt: readonly AiSdkMessage[]): AiSdkMessage[] => [
  ...prompt.filter(({ role }) => role === "system"),
  ...prompt.filter(({ role }) => role !== "system"),
];

/**
 * System messages that come late stand before an answer of the model. Answers without content are left out, so that what stood before one
 * may come between two messages of a user.
 */
export function systemBeforeAnswers(prompt: readonly AiSdkMessage[]): AiSdkMessage[] {
  const start = prompt.findIndex(({ role }) => role !== "system");
  const ordered = prompt.slice(0, Math.max(start, 0));
  const late: AiSdkMessage[] = [];
  for (const message of prompt.slice(ordered.length)) {
    if (message.role === "system") {
      late.push(message);
      continue;
    }
    if (message.role === "assistant" && ordered.at(-1)?.role !== "assistant") ordered.push(...late.splice(0));
    ordered.push(message);
  }
  return [...ordered, ...late];
}
