import type { ToolDefinition } from "../tool/index.js";

/** Whether repeating a call of the tool with the same arguments does no harm, whatever became of the call before. */
export const isHarmlessToRepeat = ({ effect, category }: ToolDefinition): boolean =>
  effect === undefined ? category === "read" : effect !== "once";

/**
 * Whether the same arguments may be tried again after a call of which nobody knows whether it took effect: it timed out,
 * or was cancelled midway. For a write or a delete only `@effect` says so; a tool of which nothing was said may be,
 * because tools are retryable by default.
 */
export const mayRepeatUnknown = (definition: ToolDefinition): boolean =>
  definition.retryable && (isHarmlessToRepeat(definition) || (definition.effect === undefined && definition.category === "side_effect"));

/** What a model is to know of the tool before it calls it once more, after a call that was stopped. */
export function adviceOnStopped(definition: ToolDefinition): string {
  if (!mayRepeatUnknown(definition)) {
    return "Find out by a tool that reads whether it did: the same arguments are refused for the rest of this run.";
  }
  return isHarmlessToRepeat(definition)
    ? "Calling it again with the same arguments does no harm."
    : "Find out whether it did before you call it again with the same arguments.";
}
