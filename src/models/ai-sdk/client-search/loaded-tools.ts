import type { ModelTool } from "../../chat-model.js";
import { namesFoundIn } from "../../found-tools.js";
import type { Message } from "../../message.js";
import type { GrowingRequest } from "../../prefix.js";
import { isClientSearch } from "./client-search.js";

/** What the searches of a history loaded. */
export interface LoadedTools {
  /** By the result of a search: the tools that it loads. */
  readonly results: ReadonlyMap<Message, readonly ModelTool[]>;
  /** The names of the tools that the conversation has by a search: the model had none of them before it. */
  readonly names: ReadonlySet<string>;
}

/** The definition of a tool that was found comes with the change behind the results of the step. */
export function loadedTools({ messages, tools }: GrowingRequest): LoadedTools {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const first: ReadonlySet<string> = new Set(known.keys());
  const results = new Map<Message, readonly ModelTool[]>();
  const names = new Set<string>();
  const calls = new Set<string>();
  let open: Message[] = [];
  /** `fresh`: the tools that come with the change behind these results. */
  const close = (fresh: ReadonlySet<string> = new Set()): void => {
    for (const result of open) {
      // What is in the list of tools needn't be loaded.
      const found = namesFoundIn(result).flatMap((name) => (first.has(name) ? [] : (known.get(name) ?? [])));
      results.set(result, found);
      for (const { name } of found) if (fresh.has(name)) names.add(name);
    }
    open = [];
  };
  for (const entry of messages) {
    if (entry.role === "tool") {
      if (calls.has(entry.toolCallId)) open.push(entry);
      continue;
    }
    if (entry.role === "change") {
      const fresh = new Set<string>();
      for (const tool of entry.offered ?? []) {
        if (!known.has(tool.name)) fresh.add(tool.name);
        known.set(tool.name, tool);
      }
      close(fresh);
    } else close();
    if (entry.role === "assistant") for (const call of entry.toolCalls ?? []) if (isClientSearch(call)) calls.add(call.id);
  }
  close();
  return { results, names };
}
