import type { Tool, ToolAnnotations } from "@modelcontextprotocol/server";
import { describedByExamples } from "../../schema/internal.js";
import type { ToolDefinition } from "../../tool/index.js";

/** What `tools/list` says of a tool. Annotations are hints: a client must not trust them. */
export function listedTool(name: string, definition: ToolDefinition): Tool {
  const { description, parametersSchema, outputSchema, examples } = definition;
  const annotations = annotationsOf(definition);
  return {
    name,
    title: titleOf(definition.name),
    // MCP has no member for examples.
    description: examples === undefined ? description : describedByExamples(description, examples),
    // Always an object schema; a union of objects is carried inside it.
    inputSchema: parametersSchema as Tool["inputSchema"],
    // The SDK wraps what isn't an object for revisions that want one.
    ...(outputSchema !== undefined && { outputSchema }),
    ...(annotations !== undefined && { annotations }),
  };
}

/**
 * Category and consequence as hints. A tool with external side effects, or without a category, gets none of the first two. A client then
 * assumes that the tool changes things, and may destroy them.
 */
function annotationsOf({ category, consequenceLevel, effect }: ToolDefinition): ToolAnnotations | undefined {
  const annotations: ToolAnnotations = {};
  if (category === "read") annotations.readOnlyHint = true;
  if (category === "write" || category === "delete") {
    annotations.readOnlyHint = false;
    const destructive = category === "delete" || consequenceLevel === "high";
    // Of a medium consequence, which is also that of who declares none, nothing is claimed.
    if (destructive || consequenceLevel === "low") annotations.destructiveHint = destructive;
  }
  if (effect !== undefined) annotations.idempotentHint = effect !== "once";
  return Object.keys(annotations).length === 0 ? undefined : annotations;
}

/** `billing/send_invoice` becomes "Billing: send invoice", `getWeather` becomes "Get weather". */
function titleOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`)
    .replace(/[_\-.]+/g, " ")
    .replaceAll("/", ": ")
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
