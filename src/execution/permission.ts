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

/** A `toolContext`. */
type Bag = Readonly<Record<string, unknown>> | undefined;

/** Why a tool isn't permitted, for developers. Applications match the first sentence, so it doesn't change. */
export function denialOf(definition: ToolDefinition, toolContext: Bag): string {
  return `Permission denied for tool: ${definition.name}. ${lackOf(definition, toolContext) ?? "The profile of the run doesn't allow it."}`;
}

/** What `@access` lists and the context lacks, with what may be meant instead; `undefined` if it lacks nothing. */
export function lackOf({ access }: ToolDefinition, toolContext: Bag): string | undefined {
  const lacking = (["scopes", "roles"] as const).flatMap((kind) => {
    const held = toolContext?.[kind];
    const names = access?.[kind]?.filter((required) => !holds(held, [required])) ?? [];
    return names.length === 0 ? [] : { kind, names, hints: hintsAbout(kind, names, held) };
  });
  if (lacking.length === 0) return undefined;
  const required = lacking.map(({ kind, names }) => `${names.map(quoted).join(", ")} in toolContext.${kind}`);
  return [`It requires ${required.join(", and ")}.`, ...lacking.flatMap(({ hints }) => hints)].join(" ");
}

/** A context that holds nearly what is required is the likeliest mistake. */
function hintsAbout(kind: string, names: readonly string[], held: unknown): readonly string[] {
  if (held === undefined) return [];
  if (!Array.isArray(held)) return [`toolContext.${kind} must be an array of strings.`];
  return names.flatMap((name) => {
    const similar = held.find((one: unknown) => typeof one === "string" && bare(one) === bare(name));
    return similar === undefined ? [] : `The context has ${quoted(similar)}: write ${quoted(name)} exactly.`;
  });
}

const bare = (name: string): string => name.trim().toLowerCase();
const quoted = (name: string): string => `"${name}"`;
