import type { ExecutionProfile, ExecutorOptions } from "../execution/index.js";
import { checkProfile, isInProfile } from "../execution/internal.js";
import { type ToolClass, ToolNotFoundError } from "../tool/index.js";
import { hasAllowList } from "./allow-list.js";
import type { RegisteredTool } from "./registered-tool.js";
import { RegistryExecutor } from "./registry-executor.js";

/**
 * Which tools are meant: a full name, or a simple one that only one tool has; a name that ends in `*`, for all that begin so;
 * a list of these; or a profile, for all that it allows: `{ tags: ["money"] }`.
 */
export type ToolSelection = string | readonly string[] | ExecutionProfile;

/**
 * All tools of an application by their full names: `calculator`, `billing/refund`, `acme/billing/refund`. It never changes;
 * `createRegistry` makes it.
 *
 * ```ts
 * registry.tool("refund").definition.name; // "billing/refund", as long as no other toolbox has a refund
 * await registry.executor({ allowedTools: ["billing/*"] }).run("billing/refund", { order: "A-17" });
 * ```
 */
export class ToolRegistry {
  readonly #tools: ReadonlyMap<string, RegisteredTool>;
  /** The full names by simple name. */
  readonly #fullNames = new Map<string, string[]>();

  /** @internal */
  constructor(tools: ReadonlyMap<string, RegisteredTool>) {
    this.#tools = tools;
    for (const fullName of tools.keys()) {
      const simpleName = lastPart(fullName);
      const others = this.#fullNames.get(simpleName);
      if (others === undefined) this.#fullNames.set(simpleName, [fullName]);
      else others.push(fullName);
    }
  }

  /** The full names: of the internal toolbox, the organisation and the project, each in the order in which they were added. */
  get names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  /** The full name that a name stands for; `undefined` where no tool has it, or where several share a simple one. */
  fullName(name: string): string | undefined {
    return this.#find(name)?.name;
  }

  /**
   * The tool by its full name, or by a simple one that no other tool has. The name of its definition is the full one; its
   * instances, services and stubs are those of the class that was added. Throws `ToolNotFoundError`, which names the
   * candidates where several share the simple name.
   */
  tool(name: string): ToolClass {
    const found = this.#find(name);
    if (found === undefined) throw this.notFound(name);
    return found.tool;
  }

  /**
   * The tools that are meant, none twice: in the order of the names that are given, and otherwise of the registry. Names must
   * mean at least one tool each, else a misspelt one would take away tools without a word: `ToolNotFoundError`. A profile
   * gives what it allows, which without `allowedTools` and `tags` is nothing, as in `executor`.
   *
   * ```ts
   * @usesTools((context) => registry.select(context.user?.isAdmin ? "billing/*" : ["billing/invoice", "calculator"]))
   * class BillingAgent extends Agent {}
   * ```
   */
  select(selection: ToolSelection): readonly ToolClass[] {
    if (isProfile(selection)) return this.#allowedBy(selection);
    const names = typeof selection === "string" ? [selection] : selection;
    return Object.freeze([...new Set(names.flatMap((name) => (name.endsWith("*") ? this.#beginningWith(name) : this.tool(name))))]);
  }

  /**
   * What may call the tools that the profile allows, and no others; without `allowedTools` or `tags` that is none at all
   * (seed 004, "Execution Service"). Throws `TypeError` for what is no profile, and `ToolDefinitionError` where an allowed
   * tool can't be made.
   */
  executor(profile: ExecutionProfile = {}, options: Omit<ExecutorOptions, "tools"> = {}): RegistryExecutor {
    return new RegistryExecutor(this, this.#allowedBy(profile), profile, options);
  }

  /** @internal The error for a name that stands for no tool. */
  notFound(name: string): ToolNotFoundError {
    const candidates = this.#fullNames.get(lastPart(String(name))) ?? [];
    const hint =
      candidates.length === 0 ? "The names of a registry list what it has." : `Its full name is needed: ${candidates.join(", ")}.`;
    return new ToolNotFoundError(name, `Tool not found in registry: ${name}. ${hint}`);
  }

  #find(name: string): RegisteredTool | undefined {
    const exact = this.#tools.get(name);
    if (exact !== undefined) return exact;
    const [only, second] = this.#fullNames.get(name) ?? [];
    return only === undefined || second !== undefined ? undefined : this.#tools.get(only);
  }

  #beginningWith(pattern: string): readonly ToolClass[] {
    const start = pattern.slice(0, -1);
    const found = [...this.#tools.values()].filter(({ name }) => name.startsWith(start));
    if (found.length === 0) throw new ToolNotFoundError(pattern, `Tool not found in registry: no name begins with "${start}".`);
    return found.map(({ tool }) => tool);
  }

  #allowedBy(profile: ExecutionProfile): readonly ToolClass[] {
    checkProfile(profile);
    if (!hasAllowList(profile)) return noTools;
    const allowed = [...this.#tools.values()].filter((registered) => isInProfile(registered, profile));
    return Object.freeze(allowed.map(({ tool }) => tool));
  }
}

const noTools: readonly ToolClass[] = Object.freeze([]);

const isProfile = (selection: ToolSelection): selection is ExecutionProfile => typeof selection !== "string" && !Array.isArray(selection);

const lastPart = (fullName: string): string => fullName.slice(fullName.lastIndexOf("/") + 1);
