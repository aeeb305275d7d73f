import { isOptions, nearestName } from "../tool/internal.js";
import type { ToolCategory, ToolDefinition } from "../tool/index.js";

/**
 * Narrows what a run may call: every member that is given must hold. A tool that it
 * doesn't allow is neither shown to the model nor callable nor named, also for tools that call other tools.
 *
 * ```ts
 * const profile: ExecutionProfile = { allowedTools: ["search", "billing/*"], categories: ["read"] };
 * ```
 */
export interface ExecutionProfile {
  /** Exact names; one that ends in `*` allows every name that begins with what stands before the star. */
  readonly allowedTools?: readonly string[];
  /** The tool has at least one of these. */
  readonly tags?: readonly string[];
  /** The tool's category is one of these. */
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

/** Throws `TypeError` for what is no profile: a rule that is misspelt would narrow nothing, and a star in a name allow nothing. */
export function checkProfile(profile: ExecutionProfile): void {
  checkRules(profile);
  const starred = profile.allowedTools?.find((allowed) => allowed.slice(0, -1).includes("*"));
  if (starred === undefined) return;
  throw new TypeError(
    `The execution profile's allowedTools take full names, and one star at the end, "billing/*": ${JSON.stringify(starred)} would allow nothing.`,
  );
}

/** Those that were looked at: a run asks for each of its calls. */
const known = new WeakSet<ExecutionProfile>();

/** Throws `TypeError` for a profile that would narrow less than it says, once for each object. */
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
