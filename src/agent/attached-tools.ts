import { type Container, type ExecutionProfile, isPermitted, ToolExecutor, type ToolMiddleware } from "../execution/index.js";
import type { WithSettings } from "../execution/internal.js";
import type { ChatModel, ModelTool } from "../models/index.js";
import { leaveOut, searchToolName } from "../models/internal.js";
import { sharedByCopies } from "../platform/index.js";
import { describedByExamples, WireNames } from "../schema/internal.js";
import type { ToolClass, ToolDefinition } from "../tool/index.js";
import { type DeferringToolbox, deferringToolbox, openToolList, refuseHeldProviderTool } from "../tool/internal.js";
import type { ToolSearch } from "../tool-search/index.js";
import { keywordSearch, searchTool } from "../tool-search/internal.js";
import { type AgentTools, isAgentClass, type SubAgentClass } from "./agent-class.js";
import { AgentDefinitionError } from "./agent-errors.js";
import type { AgentListener } from "./agent-listener.js";
import { KeptLists } from "./kept-lists.js";
import { progressListener } from "./stream/progress-events.js";
import { agentBehind, subAgentTool } from "./sub-agents/sub-agent-tool.js";

/** By agent class. The command line asks for the tools of agents that have the CommonJS copy of the package. */
const keptLists = sharedByCopies("keptTools.1", () => new WeakMap<object, KeptLists>());
/** By agent class: the indexes of its deferred tools. */
const keywordSearches = new WeakMap<object, ToolSearch>();

/**
 * The tools of a run, made ready; those whose `@access` the context doesn't meet, or that the profile doesn't allow, are left out.
 * `owner` begins error messages, `search` replaces the search by words.
 */
export function attachTools(
  agentClass: object,
  tools: AgentTools,
  context: Record<string, unknown>,
  profile: ExecutionProfile | undefined,
  owner: string,
  search: ToolSearch | undefined,
): AttachedTools {
  let kept = keptLists.get(agentClass);
  if (kept === undefined) keptLists.set(agentClass, (kept = new KeptLists()));
  const known = profile === undefined ? kept.fixed.get(tools) : undefined;
  if (known !== undefined) return (kept.latest = known);
  const listed = listTools(tools, owner);
  const permitted = listed.filter(({ definition }) => isPermitted(definition, context, profile));
  const attached = kept.take(permitted, () => new AttachedTools(permitted, () => search ?? keywordSearchOf(agentClass)));
  // A frozen list that is the same for every context is looked at once.
  const isFixed = profile === undefined && listed === tools && Object.isFrozen(tools) && permitted.length === listed.length;
  if (isFixed && listed.every(({ definition }) => definition.access === undefined)) kept.fixed.set(tools, attached);
  return (kept.latest = attached);
}

function keywordSearchOf(agentClass: object): ToolSearch {
  let search = keywordSearches.get(agentClass);
  if (search === undefined) keywordSearches.set(agentClass, (search = keywordSearch()));
  return search;
}

/** What the agent had in the last run that began; `undefined` if none did. */
export const latestTools = (agentClass: object): AttachedTools | undefined => keptLists.get(agentClass)?.latest;

/** What an executor of a run depends on besides its tools. */
interface ExecutorSettings {
  readonly container: Container | undefined;
  readonly listeners: readonly AgentListener[];
  /** Whether the run's stream gets the events of its tools. */
  readonly streamed: boolean;
  /** The agent's, the outermost. */
  readonly middleware: readonly ToolMiddleware[];
  /** The run's own. */
  readonly added: readonly ToolMiddleware[] | undefined;
}

/** A list of tools in the model's form, and the executor that may call exactly these. */
export class AttachedTools {
  /** The tools of the list and, if some of them are deferred, the tool that finds these. */
  readonly classes: readonly ToolClass[];
  /** The agents among them. */
  readonly agents: readonly SubAgentClass[];
  readonly names: WireNames;
  /** The deferred tools by name. */
  readonly deferred: ReadonlyMap<string, ToolClass>;
  /** The tools that the model's provider runs. */
  readonly runByProvider: readonly ModelTool[];
  readonly #listed: readonly ToolClass[];
  readonly #searchOf: () => ToolSearch;
  readonly #hidesProviderTools: boolean;
  /** Those that aren't deferred, in the form that models read. */
  readonly described: readonly ModelTool[];
  /** The model of the latest request. */
  askedModel: ChatModel | undefined;
  /** The last executors, of streamed runs and of others. */
  readonly #latest: { [Kind in "streamed" | "plain"]?: { readonly executor: ToolExecutor; readonly settings: ExecutorSettings } } = {};

  /** `searchOf` is asked if there are deferred tools. */
  constructor(listed: readonly ToolClass[], searchOf: () => ToolSearch = keywordSearch, hidesProviderTools = false) {
    this.#listed = listed;
    this.#searchOf = searchOf;
    this.#hidesProviderTools = hidesProviderTools;
    const deferred = listed.filter(isDeferred);
    this.deferred = new Map(deferred.map((toolClass) => [toolClass.definition.name, toolClass]));
    this.classes = deferred.length === 0 ? listed : [...listed, this.#searchTool(deferred, searchOf())];
    this.agents = listed.flatMap((toolClass) => agentBehind(toolClass) ?? []);
    this.names = new WireNames(this.classes.map(({ definition }) => definition.name));
    const always = deferred.length === 0 ? listed : this.classes.filter((toolClass) => !isDeferred(toolClass));
    const shown = hidesProviderTools ? always.filter(({ definition }) => definition.providerTool === undefined) : always;
    const described = shown.map(({ definition }) => describe(definition, this.names));
    this.described = Object.freeze(deferred.length === 0 ? described : described.map(marked));
    this.runByProvider = this.described.filter(({ providerTool }) => providerTool !== undefined);
  }

  #searchTool(deferred: readonly ToolClass[], search: ToolSearch): ToolClass {
    const toolboxes = new Map<string, DeferringToolbox>();
    for (const toolClass of deferred) {
      const toolbox = deferringToolbox(toolClass);
      if (toolbox !== undefined) toolboxes.set(toolbox.name, toolbox);
    }
    return searchTool({
      tools: deferred.map(({ definition }) => definition),
      toolboxes: [...toolboxes.values()],
      search,
      wireName: (name) => this.names.toWire(name),
      isTaken: ({ name }) => this.found([name]).every((tool) => this.askedModel?.refusesTool?.(tool) === undefined),
    });
  }

  /** The same of deferred tools. */
  found(names: Iterable<string>): readonly ModelTool[] {
    return [...names].flatMap((name) => {
      const toolClass = this.deferred.get(name);
      return toolClass === undefined ? [] : [describe(toolClass.definition, this.names)];
    });
  }

  /**
   * The executor of exactly these tools; the same one while what it depends on is the same. `withSettings`: the application's settings
   * that a new one is made with. Throws `ToolDefinitionError` if the container can't make a tool.
   */
  executor(withSettings: WithSettings, wanted: ExecutorSettings): ToolExecutor {
    const kind = wanted.streamed ? "streamed" : "plain";
    const latest = this.#latest[kind];
    if (latest !== undefined && isSame(latest.settings, wanted)) return latest.executor;
    const executor = withSettings(() => this.#newExecutor(wanted));
    // The application may change its list between two runs.
    this.#latest[kind] = { executor, settings: { ...wanted, added: wanted.added && [...wanted.added] } };
    return executor;
  }

  #newExecutor({ container, listeners, streamed, middleware, added = [] }: ExecutorSettings): ToolExecutor {
    const allListeners = streamed ? [...listeners, progressListener] : listeners;
    const tools =
      this.runByProvider.length === 0 && !this.#hidesProviderTools
        ? this.classes
        : this.classes.filter(({ definition }) => definition.providerTool === undefined);
    const executor = new ToolExecutor({ tools, listeners: allListeners, ...(container !== undefined && { container }) });
    for (const one of middleware) executor.use(one);
    for (const one of added) executor.use(one);
    return executor;
  }

  /** The same tools, of which a model isn't offered those that its provider runs. The agent may name them all the same. */
  withoutProviderTools(): AttachedTools {
    return this.runByProvider.length === 0 ? this : new AttachedTools(this.#listed, this.#searchOf, true);
  }

  /** True if the same classes are attached in the same order. */
  holds(classes: readonly ToolClass[]): boolean {
    return classes.length === this.#listed.length && classes.every((toolClass, index) => toolClass === this.#listed[index]);
  }
}

function describe(
  { name, description, parametersSchema: parameters, examples, providerTool }: ToolDefinition,
  names: WireNames,
): ModelTool {
  const tool = { name: names.toWire(name), description, parameters, ...(providerTool !== undefined && { providerTool }) };
  return examples === undefined ? tool : { ...tool, description: describedByExamples(description, examples), examples };
}

/** If there are deferred tools, no other tool has this name. */
const marked = (tool: ModelTool): ModelTool => (tool.name === searchToolName ? { ...tool, findsTools: true } : tool);

const isDeferred = ({ definition }: ToolClass): boolean => definition.deferred === true;

const isSame = (one: ExecutorSettings, other: ExecutorSettings): boolean =>
  one.container === other.container &&
  one.listeners === other.listeners &&
  one.middleware === other.middleware &&
  isSameList(one.added, other.added);

const isSameList = (one: readonly unknown[] = none, other: readonly unknown[] = none): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

const none: readonly unknown[] = [];

/** The last answer of `takenBy` by list. */
const takenLists = new WeakMap<readonly ModelTool[], { readonly modelId: string; readonly taken: readonly ModelTool[] }>();

/** The tools of a list that the model accepts: it is sent these. The others are left out, with one warning each. */
export function takenBy(model: ChatModel, tools: readonly ModelTool[]): readonly ModelTool[] {
  if (model.refusesTool === undefined) return tools;
  const known = takenLists.get(tools);
  if (known?.modelId === model.id) return known.taken;
  const accepted = tools.filter((tool) => isTaken(tool, model));
  const taken = accepted.length === tools.length ? tools : accepted;
  takenLists.set(tools, { modelId: model.id, taken });
  return taken;
}

/** Throws `AgentDefinitionError` if one of the tools is run by another provider than the model's. */
export function refuseForeignTools(model: ChatModel, tools: readonly ModelTool[], owner: string): void {
  for (const { providerTool } of tools) {
    if (providerTool === undefined || model.runsProviderTool?.(providerTool.id) === true) continue;
    const [provider] = providerTool.id.split(".");
    throw new AgentDefinitionError(
      `${owner}: the model ${model.id}, or a fallback of it, can't use ${providerTool.id}, which ${provider} runs for its own models. Use a model of ${provider}, or offer the tool only with one: @usesTools((context) => [...]), or tools of prepareStep.`,
    );
  }
}

function isTaken(tool: ModelTool, model: ChatModel): boolean {
  const reason = model.refusesTool?.(tool);
  if (reason === undefined) return true;
  leaveOut(tool.name, model.id, reason);
  return false;
}

/**
 * Replaces the toolboxes in a list by their tools; a list of classes is returned unchanged. Throws `AgentDefinitionError` for a value that is
 * no tool and if two tools share a name, and `ToolDefinitionError` if a tool's definition is wrong.
 */
export function listTools(tools: AgentTools, owner: string): readonly ToolClass[] {
  if (checkedLists.has(tools)) return tools as readonly ToolClass[];
  const classes = openToolList(tools, owner, (entry) => (isAgentClass(entry) ? subAgentTool(entry) : undefined), AgentDefinitionError);
  refuseDuplicates(classes, owner);
  if (classes === tools && Object.isFrozen(tools)) checkedLists.add(tools);
  return classes;
}

/** Frozen lists of tool classes without mistakes. */
const checkedLists = new WeakSet<object>();

function refuseDuplicates(classes: readonly ToolClass[], owner: string): void {
  const seen = new Map<string, ToolClass>();
  let hasDeferred = false;
  for (const toolClass of classes) {
    hasDeferred ||= isDeferred(toolClass);
    refuseHeldProviderTool(toolClass.definition, owner);
    const { name } = toolClass.definition;
    const earlier = seen.get(name);
    if (earlier !== undefined) {
      const both =
        earlier === toolClass ? `${toolClass.name} is listed twice` : `${earlier.name} and ${toolClass.name} are both named "${name}"`;
      throw new AgentDefinitionError(`${owner}: ${both}; a model can't tell them apart. Remove one, or rename it with @identifier("...").`);
    }
    seen.set(name, toolClass);
  }
  const taking = hasDeferred ? seen.get(searchToolName) : undefined;
  if (taking === undefined) return;
  throw new AgentDefinitionError(
    `${owner}: ${taking.name} is named "${searchToolName}", like the tool that finds deferred tools. Rename it with @identifier("...").`,
  );
}
