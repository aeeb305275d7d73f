import type { ToolCategory, ToolDefinition } from "../tool/index.js";
import { isMeant, isOptions, isToolClass, type NamedClass, nearestName } from "../tool/internal.js";

/**
 * Restricts which tools a run may call. A tool must match every member that is given.
 *
 * ```ts
 * const profile: ExecutionProfile = { allowedTools: [SearchTool, "billing/*"], categories: ["read"] };
 * ```
 *
 * A tool that doesn't match isn't sent to the model, can't be called (by other tools either) and isn't named in messages. See
 * docs/02-tools.md.
 */
export interface ExecutionProfile {
  /** Classes, exact names, or prefixes that end in `*`: `billing/*`. */
  readonly allowedTools?: readonly (string | NamedClass)[];
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
  (allowedTools === undefined || allowedTools.some((allowed) => isAllowed(tool, allowed))) &&
  (tags === undefined || tool.tags.some((tag) => tags.includes(tag))) &&
  (categories === undefined || categories.includes(tool.category));

const isAllowed = (tool: Pick<ToolDefinition, "name">, allowed: string | NamedClass): boolean =>
  typeof allowed === "string" && allowed.endsWith("*") ? tool.name.startsWith(allowed.slice(0, -1)) : isMeant(allowed, tool);

/** Throws `TypeError` for an invalid profile: a misspelt rule would narrow nothing, and a star inside a name would allow nothing. */
export function checkProfile(profile: ExecutionProfile): void {
  checkRules(profile);
  const starred = profile.allowedTools?.find((allowed) => typeof allowed === "string" && allowed.slice(0, -1).includes("*"));
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
    const isEntry = name === "allowedTools" ? isNameOrClass : isString;
    if (list === undefined || (Array.isArray(list) && list.every(isEntry))) continue;
    const entries = name === "allowedTools" ? "names and tool classes" : "strings";
    throw new TypeError(`The execution profile's ${name} must be a list of ${entries}, got ${JSON.stringify(list)}.`);
  }
}

const isString = (item: unknown): boolean => typeof item === "string";

/** The class of an agent too: it may be a tool of another one. */
const isNameOrClass = (item: unknown): boolean =>
  isString(item) || isToolClass(item) || (typeof item === "function" && typeof (item as Partial<NamedClass>).definition?.name === "string");

const rules: readonly string[] = ["allowedTools", "tags", "categories"];
