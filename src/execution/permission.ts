import type { ToolDefinition } from "../tool/index.js";
import { checkNarrowing, type ExecutionProfile, isInProfile } from "./execution-profile.js";

/**
 * Whether a context may call a tool: its `scopes` and `roles` contain everything that `@access` lists, and the profile allows the
 * tool.
 *
 * ```ts
 * isPermitted(RefundTool.definition, { scopes: ["orders:write"], roles: ["support"] });
 * isPermitted(RefundTool.definition, {}, { categories: ["read"] });
 * ```
 *
 * Throws `TypeError` for an invalid profile. See docs/02-tools.md.
 */
export function isPermitted(
  definition: ToolDefinition,
  toolContext: Readonly<Record<string, unknown>> | undefined,
  profile?: ExecutionProfile,
): boolean {
  const { access } = definition;
  if (access !== undefined && !(holds(toolContext?.scopes, access.scopes) && holds(toolContext?.roles, access.roles))) return false;
  if (profile === undefined) return true;
  checkNarrowing(profile);
  return isInProfile(definition, profile);
}

const holds = (held: unknown, required: readonly string[] | undefined): boolean =>
  required === undefined || required.length === 0 || (Array.isArray(held) && required.every((name) => held.includes(name)));

/** Why a tool isn't permitted, for developers. Applications match the first sentence, so it doesn't change. */
export function denialOf({ name, access }: ToolDefinition, toolContext: Readonly<Record<string, unknown>> | undefined): string {
  const lacking = (["scopes", "roles"] as const).flatMap((kind) => {
    const names = access?.[kind]?.filter((required) => !holds(toolContext?.[kind], [required])) ?? [];
    return names.length === 0 ? [] : `${names.map((required) => `"${required}"`).join(", ")} in toolContext.${kind}`;
  });
  const reason = lacking.length === 0 ? "The profile of the run doesn't allow it." : `It requires ${lacking.join(", and ")}.`;
  return `Permission denied for tool: ${name}. ${reason}`;
}
