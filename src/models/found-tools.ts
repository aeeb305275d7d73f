import type { Message } from "./message.js";

/** The name of the tool by which the model of an agent finds deferred tools. */
export const searchToolName = "search_tools";

/** The names in the result of a search, as the model knows them; none for any other message. */
export function namesFoundIn(message: Message): readonly string[] {
  if (message.role !== "tool" || message.toolName !== searchToolName || message.errorType !== undefined) return [];
  try {
    const { tools } = JSON.parse(message.content) as { readonly tools?: unknown };
    return Array.isArray(tools) ? tools.flatMap(({ name }: { readonly name?: unknown }) => (typeof name === "string" ? [name] : [])) : [];
  } catch {
    return [];
  }
}
