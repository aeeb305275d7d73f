import type { Agent, AgentClass } from "../../agent/index.js";
import { isAgentClass } from "../../agent/internal.js";
import type { Runtime } from "../../durable/index.js";
import { isToolClass } from "../../execution/index.js";
import type { ToolRegistry } from "../../registry/index.js";
import type { Storage } from "../../storage/index.js";
import type { Toolbox, ToolClass } from "../../tool/index.js";
import { insteadOfName } from "../../tool/internal.js";
import { CommandError, UsageError } from "../exit-codes.js";
import type { CommandOptions } from "../command-table.js";
import type { Host } from "../host.js";
import { type LoadedModule, loadModules } from "./load-modules.js";
import { isPlain, readableMembers } from "./readable-members.js";

export interface FoundTool {
  readonly name: string;
  readonly tool: ToolClass;
  /** The module that exports it. */
  readonly module: string;
  /** The toolbox, registry or agent that it came with; absent if the module exports the class. */
  readonly from?: string;
}

export interface FoundAgent {
  readonly name: string;
  readonly agent: AgentClass;
  /** The instance, if the module exports one in place of the class. */
  readonly instance?: Agent;
  /** The tools that it always has; `undefined` if a function chooses them. */
  readonly tools: readonly ToolClass[] | undefined;
  readonly module: string;
}

/** A class whose definition is invalid. */
export interface BrokenDefinition {
  /** The name of the class. */
  readonly name: string;
  readonly module: string;
  readonly message: string;
}

/** What modules export. */
export interface Definitions {
  readonly tools: readonly FoundTool[];
  readonly agents: readonly FoundAgent[];
  readonly broken: readonly BrokenDefinition[];
  readonly storages: readonly Storage[];
  readonly runtimes: readonly Runtime[];
}

interface Found {
  readonly value: object;
  readonly module: string;
  readonly from?: string;
}

/** Objects in objects are searched this deep: `export default { tools: { a, b } }`. */
const deepest = 3;

/** Loads the modules that a command names, else those of package.json, and finds what they export. Throws if that is no tool and no agent. */
export async function loadDefinitions(operands: readonly string[], options: CommandOptions, host: Host): Promise<Definitions> {
  const modules = await loadModules(operands, options, host);
  const definitions = definitionsIn(modules);
  refuseNone(definitions, modules);
  return definitions;
}

/** Finds the tools, agents, storages and runtimes among what modules export, by what they are. */
export function definitionsIn(modules: readonly LoadedModule[]): Definitions {
  const seen = new Set<object>();
  const tools: Found[] = [];
  const agents: Found[] = [];
  const storages: Storage[] = [];
  const runtimes: Runtime[] = [];

  const look = (value: unknown, module: string, depth: number, from?: string): void => {
    if ((typeof value !== "object" && typeof value !== "function") || value === null || seen.has(value)) return;
    seen.add(value);
    const found = { value, module, ...(from !== undefined && { from }) };
    if (isToolClass(value)) tools.push(found);
    else if (isAgentClass(value) || isAgent(value)) agents.push(found);
    else if (isRegistry(value)) for (const tool of value.select("*")) look(tool, module, depth, "registry");
    else if (isToolbox(value)) for (const tool of value.tools) look(tool, module, depth, value.name);
    else if (isStorage(value)) storages.push(value);
    else if (isRuntime(value)) runtimes.push(value);
    else if (Array.isArray(value)) for (const entry of value) look(entry, module, depth, from);
    else if (isPlain(value) && depth < deepest) for (const [, entry] of readableMembers(value)) look(entry, module, depth + 1, from);
  };
  for (const { path, exported } of modules) for (const [, value] of readableMembers(exported)) look(value, path, 1);

  const broken: BrokenDefinition[] = [];
  const classes = [...tools, ...agents].map(({ value }) => value);
  const read = <Result>({ value, module }: Found, reader: () => Result): readonly Result[] => {
    try {
      return [reader()];
    } catch (error) {
      const isBase = classes.some((other) => other !== value && Object.prototype.isPrototypeOf.call(value, other));
      // A base class needn't have a description of its own.
      if (!isBase && !isAbstract(value)) {
        broken.push({ name: (value as { name?: string }).name || "an anonymous class", module, message: messageOf(error) });
      }
      return [];
    }
  };
  const foundAgents = agents.flatMap((found) => read(found, () => describeAgent(found)));
  for (const { name, tools: list, module } of foundAgents) for (const tool of list ?? []) look(tool, module, deepest, `agent ${name}`);
  return {
    tools: tools.flatMap((found) => read(found, () => describeTool(found))),
    agents: foundAgents,
    broken,
    storages,
    runtimes,
  };
}

function describeTool({ value, ...place }: Found): FoundTool {
  // It was found by being one.
  const tool = value as ToolClass;
  return { name: tool.definition.name, tool, ...place };
}

function describeAgent({ value, module }: Found): FoundAgent {
  const instance = isAgent(value) ? value : undefined;
  // It was found by being one, or an instance of one.
  const agent = (instance === undefined ? value : instance.constructor) as AgentClass;
  const { name, tools } = agent.definition;
  return { name, agent, ...(instance !== undefined && { instance }), tools: typeof tools === "function" ? undefined : tools, module };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** `Tool` and `Agent` themselves, which a module may export again. */
const isAbstract = (value: object): boolean =>
  isToolClass(value) ? typeof (value.prototype as { call?: unknown }).call !== "function" : (value as { name?: string }).name === "Agent";

const has = (value: object, ...names: readonly string[]): boolean =>
  names.every((name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "function");

// By their members, because the module may have another copy of the package.
const isAgent = (value: object): value is Agent => has(value, "generate", "stream", "resume") && isAgentClass(value.constructor);
const isRegistry = (value: object): value is ToolRegistry => has(value, "select", "executor", "fullName");
const isToolbox = (value: object): value is Toolbox => Array.isArray((value as { tools?: unknown }).tools);
const isRuntime = (value: object): value is Runtime => has(value, "start", "status", "pending", "decideAll");
const isStorage = (value: object): value is Storage => {
  const { journals, leases, conversations } = value as Partial<Storage>;
  return [journals, leases, conversations].every((part) => typeof part === "object");
};

/** Throws if the modules export no tool and no agent, and says what they export. */
function refuseNone({ tools, agents, broken }: Definitions, modules: readonly LoadedModule[]): void {
  if (tools.length + agents.length + broken.length > 0) return;
  const found = modules.map(({ path, exported }) => {
    // Compilers and Node add these to CommonJS modules.
    const names = Object.keys(exported).filter((name) => name !== "__esModule" && name !== "module.exports");
    return names.length === 0
      ? `${path} exports nothing.`
      : `${path} exports ${names.slice(0, 10).join(", ")}, of which none is a tool or an agent.`;
  });
  throw new UsageError(`${found.join(" ")} Export classes that extend Tool or Agent, toolboxes, registries, or lists of these.`);
}

/** The agents whose tools a function chooses: the modules that export these tools must be named too. */
export const choosingAgents = ({ agents }: Pick<Definitions, "agents">): readonly FoundAgent[] =>
  agents.filter(({ tools }) => tools === undefined);

/** The tool of a name, or of a class name. Throws if there is none, or several. */
export const findTool = (definitions: Definitions, name: string): FoundTool => findNamed(definitions.tools, name, "tool", definitions);

/** The agent of a name, or of a class name. */
export const findAgent = (definitions: Definitions, name: string): FoundAgent => findNamed(definitions.agents, name, "agent", definitions);

function findNamed<Item extends { readonly name: string; readonly module: string }>(
  items: readonly Item[],
  name: string,
  kind: string,
  { broken }: Definitions,
): Item {
  const matches = items.filter((item) => item.name === name);
  const byClass = matches.length > 0 ? matches : items.filter((item) => classNameOf(item) === name);
  const [found, second] = byClass;
  if (second !== undefined) {
    throw new UsageError(
      `${byClass.length} ${kind}s are named "${name}" (${byClass.map(({ module }) => module).join(", ")}). Name one module: --module ${second.module}.`,
    );
  }
  if (found !== undefined) return found;
  const invalid = broken.find((one) => one.name === name);
  if (invalid !== undefined) throw new CommandError(invalid.message);
  const known = items.map((item) => item.name);
  const instead =
    known.length === 0
      ? `There is no ${kind} "${name}": the modules export no ${kind}s.`
      : `There is no ${kind} "${name}". ${insteadOfName(name, known)}`;
  // It may be the one that is meant: the name of an invalid definition isn't known.
  const [other] = broken;
  throw new UsageError(other === undefined ? instead : `${instead} A definition is invalid: ${other.message}`);
}

const classNameOf = (item: object): string | undefined =>
  ((item as { tool?: { name: string } }).tool ?? (item as { agent?: { name: string } }).agent)?.name;
