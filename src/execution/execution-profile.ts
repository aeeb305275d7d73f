import type { ToolCategory, ToolDefinition } from "../tool/index.js";
import { isOptions, nearestName } from "../tool/internal.js";

/**
 * Restricts which tools a run may call. A tool must match every member that is given.
 *
 * ```ts
 * const profile: ExecutionProfile = { allowedTools: ["search", "billing/*"], categories: ["read"] };
 * ```
 *
 * A tool that doesn't match isn't sent to the model, can't be called (by other tools either) and isn't named in messages. See
 * docs/02-tools.md.
 */
export interface ExecutionProfile {
  /** Exact names, or prefixes that end in `*`: `billing/*`. */
  readonly allowedTools?: readonly string[];
  /** The tool must have at least one of these tags. */
  readonly tags?: readonly string[];
  /** The tool's category must be one of these. */
  readonly categories?: readonly ToolCategory[];
}

/** Whether the profile lets the tool be called. */
export const isInProfile = (
  tool: Pick<ToolDefinition, "name" | "tags" | "category">,
  { allowedTools, tags, categories }: ExecutionProfile,
): boolean =>
  (allowedTools === undefined || allowedTools.some((allowed) => isNamed(tool.name, allowed))) &&
  (tags === undefined || tool.tags.some((tag) => tags.includes(tag))) &&
  (categories === undefined || categories.includes(tool.category));

const isNamed = (name: string, allowed: string): boolean =>
  allowed.endsWith("*") ? name.startsWith(allowed.slice(0, -1)) : name === allowed;

/** Throws `TypeError` for an invalid profile: a misspelt rule would narrow nothing, and a star inside a name would allow nothing. */
export function checkProfile(profile: ExecutionProfile): void {
  checkRules(profile);
  const starred = profile.allowedTools?.find((allowed) => allowed.slice(0, -1).includes("*"));
  if (starred === undefined) return;
  throw new TypeError(
    `The execution profile's allowedTools take full names, and one star at the end, "billing/*": ${JSON.stringify(starred)} would allow nothing.`,
  );
}

/** The profiles that were checked, because a run asks for each of its calls. */
const known = new WeakSet<ExecutionProfile>();

/** Throws `TypeError` for a profile that would narrow less than intended. Each object is checked once. */
export function checkNarrowing(profile: ExecutionProfile): void {
  if (known.has(profile)) return;
  checkRules(profile);
  known.add(profile);
}

function checkRules(profile: ExecutionProfile): void {
  if (!isOptions(profile)) {
    throw new TypeError(`The execution profile takes { allowedTools, tags, categories }, got ${JSON.stringify(profile)}.`);
  }
  for (const [name, list] of Object.entries(profile)) {
    if (!rules.includes(name)) {
      const nearest = nearestName(name, rules);
      const hint = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
      throw new TypeError(`The execution profile knows ${rules.join(", ")}, not "${name}": it would narrow nothing.${hint}`);
    }
    if (list === undefined || (Array.isArray(list) && list.every((item) => typeof item === "string"))) continue;
    throw new TypeError(`The execution profile's ${name} must be a list of strings, got ${JSON.stringify(list)}.`);
  }
}

const rules: readonly string[] = ["allowedTools", "tags", "categories"];
