import type { ExecutionProfile, ExecutorOptions } from "../execution/index.js";
import { checkProfile, isInProfile } from "../execution/internal.js";
import { type ToolClass, ToolNotFoundError } from "../tool/index.js";
import { nearestName, originalOf, registeredTool, renamedTool } from "../tool/internal.js";

import { hasAllowList, RegistryExecutor } from "./registry-executor.js";

/**
 * Selects tools of a registry: a full name, a simple name that only one tool has, a prefix (`"billing/*"`), a list of these, or a
 * profile (`{ tags: ["money"] }`).
 */
export type ToolSelection = string | readonly string[] | ExecutionProfile;

/**
 * All tools of an application by their full names: `calculator`, `billing/refund`, `acme/billing/refund`. Made by `createRegistry`;
 * it never changes.
 *
 * ```ts
 * registry.tool("refund").definition.name; // "billing/refund", if no other toolbox has a refund
 * await registry.executor({ allowedTools: ["billing/*"] }).run("billing/refund", { order: "A-17" });
 * ```
 *
 * See docs/09-registries.md.
 */
export class ToolRegistry {
  /** As they were added, by full name. */
  readonly #added: ReadonlyMap<string, ToolClass>;
  /** By full name, the tools in whose place another one was added: the first that had the name first. */
  readonly #replaced: ReadonlyMap<string, readonly ToolClass[]>;
  /** The classes of full names, made when they are asked for: most tools of a large registry never are. */
  readonly #renamed = new Map<string, ToolClass>();
  /** The full names by simple name, made when one is looked up. */
  #fullNames: ReadonlyMap<string, readonly string[]> | undefined = undefined;
  /** The full names by the class that its author wrote, made when one is looked up. */
  #classNames: ReadonlyMap<ToolClass, readonly string[]> | undefined = undefined;

  /** @internal */
  constructor(added: ReadonlyMap<string, ToolClass>, replaced: ReadonlyMap<string, readonly ToolClass[]>) {
    this.#added = added;
    this.#replaced = replaced;
  }

  /** The full names: internal, organisation and project, each in the order in which tools were added. */
  get names(): readonly string[] {
    return [...this.#added.keys()];
  }

  /** Returns the full name of a tool; `undefined` if there is no such tool, or if several tools have this simple name. */
  fullName(name: string): string | undefined {
    if (this.#added.has(name)) return name;
    const [only, second] = this.#calledSimply(name);
    return second === undefined ? only : undefined;
  }

  /**
   * Returns a tool by its full name, or by a simple name that only one tool has. The name of its definition is the full name.
   *
   * Throws `ToolNotFoundError`; if several tools have the simple name, the message lists them.
   */
  tool(name: string): ToolClass {
    const known = this.#renamed.get(name);
    if (known !== undefined) return known;
    const fullName = this.fullName(name);
    if (fullName === undefined) throw this.notFound(name);
    return this.#named(fullName);
  }

  /**
   * Returns the selected tools, each once: in the order of the given names, else in the registry's order.
   *
   * `@usesTools((context) => registry.select(context.user?.isAdmin ? "billing/*" : ["billing/invoice", "calculator"]))`
   *
   * Throws `ToolNotFoundError` if a name matches no tool, so that a misspelt name isn't ignored. A profile without `allowedTools`
   * and `tags` selects nothing.
   */
  select(selection: ToolSelection): readonly ToolClass[] {
    if (isProfile(selection)) return this.#allowedBy(this.#withNames(selection));
    const names = typeof selection === "string" ? [selection] : selection;
    return Object.freeze([...new Set(names.flatMap((name) => (name.endsWith("*") ? this.#beginningWith(name) : this.tool(name))))]);
  }

  /**
   * Makes an executor that may call only the tools that the profile allows. A profile without `allowedTools` and `tags` allows
   * none.
   *
   * Throws `TypeError` for an invalid profile and `ToolDefinitionError` if an allowed tool is invalid.
   */
  executor(profile: ExecutionProfile = {}, options: Omit<ExecutorOptions, "tools"> = {}): RegistryExecutor {
    const byName = this.#withNames(profile);
    return new RegistryExecutor(this, this.#allowedBy(byName), byName, options);
  }

  /**
   * @internal All full names that a class was added under, whatever has taken its place there; of one that a registry has given
   * under a full name, that one.
   */
  namesOf(tool: ToolClass): readonly string[] {
    const original = originalOf(tool);
    this.#classNames ??= namesBy(this.#added, (name, added) => [added, ...this.#replacedBy(name)].map(originalOf));
    const names = this.#classNames.get(original) ?? [];
    return tool === original ? names : names.filter((name) => name === tool.definition.name);
  }

  /** @internal The error for a name that stands for no tool. */
  notFound(name: string): ToolNotFoundError {
    const candidates = this.#calledSimply(lastPart(String(name)));
    const hint = candidates.length === 0 ? this.#instead(String(name)) : `Its full name is needed: ${candidates.join(", ")}.`;
    return new ToolNotFoundError(name, `Tool not found in registry: ${name}. ${hint}`);
  }

  /** A registry has too many names to list them all. */
  #instead(name: string): string {
    const simple = nearestName(name, [...this.#simpleNames.keys()]);
    const nearest = nearestName(name, this.names) ?? (simple && this.#calledSimply(simple)[0]);
    return nearest === undefined ? "registry.names lists what there is." : `Did you mean "${nearest}"?`;
  }

  #calledSimply(simpleName: string): readonly string[] {
    return this.#simpleNames.get(simpleName) ?? [];
  }

  get #simpleNames(): ReadonlyMap<string, readonly string[]> {
    this.#fullNames ??= namesBy(this.#added, (name) => [lastPart(name)]);
    return this.#fullNames;
  }

  #named(fullName: string): ToolClass {
    let tool = this.#renamed.get(fullName);
    if (tool === undefined) {
      // The names are those of #added.
      tool = this.#make(fullName, this.#added.get(fullName) as ToolClass, this.#replacedBy(fullName));
      this.#renamed.set(fullName, tool);
    }
    return tool;
  }

  /** Most tools need to know nothing of the registry, and are the same in all of them. */
  #make(fullName: string, added: ToolClass, replaced: readonly ToolClass[]): ToolClass {
    if (replaced.length === 0 && added.definition.dependsOn.length === 0) return renamedTool(added, fullName);
    const replaces = replaced.map(originalOf);
    const meant = (toolClass: ToolClass): readonly ToolClass[] => {
      const place = replaces.indexOf(originalOf(toolClass));
      return this.namesOf(toolClass).map((name) =>
        // A tool that calls the one whose place it has taken means that one.
        name === fullName && place !== -1 ? this.#make(name, toolClass, replaced.slice(0, place)) : this.#named(name),
      );
    };
    return registeredTool(added, fullName, { replaces, meant });
  }

  #replacedBy(fullName: string): readonly ToolClass[] {
    return this.#replaced.get(fullName) ?? noTools;
  }

  #beginningWith(pattern: string): readonly ToolClass[] {
    const start = pattern.slice(0, -1);
    const found = this.names.filter((name) => name.startsWith(start));
    if (found.length === 0)
      throw new ToolNotFoundError(
        pattern,
        `Tool not found in registry: no name begins with "${start}". registry.names lists what there is.`,
      );
    return found.map((name) => this.#named(name));
  }

  /** The profile with the full names of the classes that it allows. */
  #withNames(profile: ExecutionProfile): ExecutionProfile {
    checkProfile(profile);
    const { allowedTools } = profile;
    if (allowedTools === undefined) return profile;
    const names = allowedTools.flatMap((allowed) => (typeof allowed === "string" ? allowed : this.namesOf(allowed as ToolClass)));
    return { ...profile, allowedTools: names };
  }

  /** `profile`: by names alone, because most tools of a large registry are never made. */
  #allowedBy(profile: ExecutionProfile): readonly ToolClass[] {
    if (!hasAllowList(profile)) return noTools;
    const allowed = [...this.#added].filter(([name, { definition }]) =>
      isInProfile({ name, tags: definition.tags, category: definition.category }, profile),
    );
    return Object.freeze(allowed.map(([name]) => this.#named(name)));
  }
}

/** The full names in groups, by keys of the name or the tool. */
function namesBy<Key>(
  added: ReadonlyMap<string, ToolClass>,
  keysOf: (fullName: string, tool: ToolClass) => readonly Key[],
): ReadonlyMap<Key, readonly string[]> {
  const found = new Map<Key, string[]>();
  for (const [fullName, tool] of added) {
    for (const key of keysOf(fullName, tool)) {
      const others = found.get(key);
      if (others === undefined) found.set(key, [fullName]);
      else others.push(fullName);
    }
  }
  return found;
}

const noTools: readonly ToolClass[] = Object.freeze([]);

const isProfile = (selection: ToolSelection): selection is ExecutionProfile => typeof selection !== "string" && !Array.isArray(selection);

const lastPart = (fullName: string): string => fullName.slice(fullName.lastIndexOf("/") + 1);
