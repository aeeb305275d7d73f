import type { ToolContext, ToolDefinition } from "../tool/index.js";

/**
 * Searches tools for a model: returns the names of those that fit the query, the best first. Set it with `@toolSearch`.
 *
 * - `query`: what the model wrote, a few words
 * - `tools`: the deferred tools that the run may use; the same list as long as they are the same
 * - `context`: as tools receive it
 *
 * See docs/23-many-tools.md.
 */
export type ToolSearch = (
  query: string,
  tools: readonly ToolDefinition[],
  context: ToolContext,
) => readonly string[] | Promise<readonly string[]>;
