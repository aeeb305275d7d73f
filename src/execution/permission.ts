import type { ToolDefinition } from "../tool/index.js";

/**
 * Whether the application's bag carries every scope and every role that `@requires` asks for, in its arrays
 * `scopes` and `roles`. A tool that the context doesn't allow is neither shown to the model nor callable.
 *
 * ```ts
 * isPermitted(RefundTool.definition, { scopes: ["orders:write"], roles: ["support"] });
 * ```
 */
export function isPermitted(definition: ToolDefinition, toolContext: Readonly<Record<string, unknown>> | undefined): boolean {
  const { requires } = definition;
  if (requires === undefined) return true;
  return holds(toolContext?.scopes, requires.scopes) && holds(toolContext?.roles, requires.roles);
}

const holds = (held: unknown, required: readonly string[] | undefined): boolean =>
  required === undefined || required.length === 0 || (Array.isArray(held) && required.every((name) => held.includes(name)));
