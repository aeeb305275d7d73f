import type { ToolDefinition } from "../tool/index.js";
import type { KeywordIndex } from "./keyword-index.js";
import type { ToolSearch } from "./search-function.js";

/** More than a model is shown: a caller's permissions may have changed since its tools were listed. */
const mostNames = 50;

/** Makes a search by words. It has one index for all the lists that it is given; the index is loaded on first use. */
export function keywordSearch(): ToolSearch {
  const covered = new WeakMap<readonly ToolDefinition[], ReadonlySet<ToolDefinition>>();
  let index: KeywordIndex | undefined;
  return async (query, tools) => {
    if (index === undefined) {
      const loaded = await import("./keyword-index.js");
      index ??= new loaded.KeywordIndex();
    }
    let members = covered.get(tools);
    if (members === undefined) {
      await index.cover(tools);
      covered.set(tools, (members = new Set(tools)));
    }
    const names: string[] = [];
    for (const tool of index.search(query)) {
      if (members.has(tool)) names.push(tool.name);
      if (names.length === mostNames) break;
    }
    return names;
  };
}
