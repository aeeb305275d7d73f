import type { ModelTool } from "../../chat-model.js";
import { namesFoundIn } from "../../found-tools.js";
import type { Message } from "../../message.js";
import type { ChangeEntry, GrowingRequest } from "../../prefix.js";
import { isClientSearch } from "./client-search.js";

/** What the searches of a history loaded. */
export interface LoadedTools {
  /** By the result of a search: the tools that it loads. */
  readonly results: ReadonlyMap<Message, readonly ModelTool[]>;
  /** By the change behind the results of a step: the names of the tools that these load. */
  readonly before: ReadonlyMap<ChangeEntry, ReadonlySet<string>>;
  /** Each tool as it was loaded last. */
  readonly latest: ReadonlyMap<string, ModelTool>;
}

/** The definition of a tool that was found comes with the change behind the results of the step. */
export function loadedTools({ messages, tools }: GrowingRequest): LoadedTools {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const first: ReadonlySet<string> = new Set(known.keys());
  const results = new Map<Message, readonly ModelTool[]>();
  const before = new Map<ChangeEntry, ReadonlySet<string>>();
  const latest = new Map<string, ModelTool>();
  const calls = new Set<string>();
  let open: Message[] = [];
  const close = (): ReadonlySet<string> => {
    const names = new Set<string>();
    for (const result of open) {
      // What is in the list of tools needn't be loaded.
      const found = namesFoundIn(result).flatMap((name) => (first.has(name) ? [] : (known.get(name) ?? [])));
      results.set(result, found);
      for (const tool of found) {
        latest.set(tool.name, tool);
        names.add(tool.name);
      }
    }
    open = [];
    return names;
  };
  for (const entry of messages) {
    if (entry.role === "tool") {
      if (calls.has(entry.toolCallId)) open.push(entry);
      continue;
    }
    if (entry.role === "change") {
      for (const tool of entry.offered ?? []) known.set(tool.name, tool);
      before.set(entry, close());
    } else close();
    if (entry.role === "assistant") for (const call of entry.toolCalls ?? []) if (isClientSearch(call)) calls.add(call.id);
  }
  close();
  return { results, before, latest };
}
