import {
  ToolAuthorizationError,
  type ToolClass,
  type ToolDefinition,
  ToolDefinitionError,
  ToolExecutionError,
  type ToolFailure,
} from "../../tool/index.js";
import { asToolList, isCreatedTool, originalOf, planOf, registrationOf } from "../../tool/internal.js";
import { type Container, constructorOf, withoutContainer } from "../container/container.js";
import { StubContainer } from "../container/stub-container.js";
import { refuseWithoutSetUp } from "../isolated-tools.js";
import { denialOf, isPermitted } from "../permission.js";
import { failed } from "../result/failure.js";
import type { RunScope } from "../run-scope.js";
import { isoTime } from "../time.js";
import type { BoundTool, RunningCode } from "./prepared-call.js";

/** No tool's name is longer than 128 characters. A name that a model invents may be. */
const longestNameShown = 200;

/** Tools that call tools more deeply than this are taken for a circle. */
const deepestNesting = 10;

/** The tools of an executor: which of them a call means, and whether its run may call it. */
export class ToolIndex {
  /** A tool that needs no container is bound when it is called: of thousands, most never are. */
  readonly #byName = new Map<string, BoundTool | ToolClass>();
  /** The names by the class that code calls: the one that its author wrote, and those that a tool of a registry replaces. */
  readonly #byClass = new Map<ToolClass, string[]>();
  readonly #container: Container | undefined;

  /** Reads the definitions, so that authors' errors never wait for a call. */
  constructor(tools: readonly ToolClass[], container: Container | undefined) {
    this.#container = container;
    for (const toolClass of asToolList(tools, "ToolExecutor")) this.#add(toolClass);
  }

  #add(toolClass: ToolClass): void {
    const entry = bindsLater(toolClass, this.#container) ? toolClass : bindTool(toolClass, this.#container);
    const { name } = entry.definition;
    const holder = this.#byName.get(name);
    if (holder !== undefined) {
      const holding = typeof holder === "function" ? holder : holder.toolClass;
      const both =
        holding === toolClass ? `${toolClass.name} is listed twice` : `${holding.name} and ${toolClass.name} are both named '${name}'`;
      throw new ToolDefinitionError(`${both}. Remove one, or rename it with @identifier("...").`);
    }
    this.#byName.set(name, entry);
    for (const called of [originalOf(toolClass), ...(registrationOf(toolClass)?.replaces ?? [])]) {
      const sameClass = this.#byClass.get(called);
      if (sameClass === undefined) this.#byClass.set(called, [name]);
      else sameClass.push(name);
    }
  }

  #bound(name: string): BoundTool | undefined {
    const entry = this.#byName.get(name);
    if (typeof entry !== "function") return entry;
    const bound = bindTool(entry, this.#container);
    this.#byName.set(name, bound);
    return bound;
  }

  /** The tool of a name; `undefined` if there is none or the run may not call it. */
  find(name: string, { toolContext, profile }: RunScope): BoundTool | undefined {
    const bound = this.#bound(name);
    return bound !== undefined && isPermitted(bound.definition, toolContext, profile) ? bound : undefined;
  }

  /**
   * The failure of a call whose tool isn't found. A tool that isn't permitted is answered like one that doesn't exist, and only
   * tools that this run may call are named, because a hint must not reveal hidden tools. The details are for code that calls.
   */
  notFound(requested: string, scope: RunScope): ToolFailure {
    const name = String(requested).slice(0, longestNameShown);
    const { toolContext, profile } = scope;
    const available = [...this.#byName].flatMap(([known, { definition }]) =>
      isPermitted(definition, toolContext, profile) ? [known] : [],
    );
    const hint = available.length === 0 ? "No tools are available." : `Available tools: ${available.join(", ")}.`;
    const hidden = this.#byName.get(requested);
    const details = hidden === undefined ? { available } : { denial: denialOf(hidden.definition, toolContext) };
    return failed(name, isoTime(), "unknown_tool", `Unknown tool '${name}'. ${hint}`, details);
  }

  /** The name by which code that passes a class calls the tool: one that it may call, if there is one. */
  nameOf(toolClass: ToolClass, { toolContext, profile }: RunScope): string | undefined {
    const attached = this.#attached(toolClass);
    return (attached.find(({ definition }) => isPermitted(definition, toolContext, profile)) ?? attached[0])?.definition.name;
  }

  /** The tool that code in another thread or process means by a name: its author's, which a registry may have extended. */
  named(name: string): ToolClass | undefined {
    const known = this.#byName.get(name);
    if (known !== undefined) return typeof known === "function" ? known : known.toolClass;
    return [...this.#byClass.keys()].find(({ definition }) => definition.name === name);
  }

  /**
   * The tool that code of another tool calls by its class. It may call the tools of its run, and those that its own `@dependsOn`
   * names; `@access` holds for both. Throws `ToolAuthorizationError` or, for a circle, `ToolExecutionError`.
   */
  calledBy(caller: RunningCode, toolClass: ToolClass): BoundTool {
    const { call } = caller;
    const { name } = toolClass.definition;
    const isAllowed = ({ definition }: Defined): boolean => isPermitted(definition, call.scope.toolContext, call.scope.profile);
    const attached = this.#attachedFor(call.bound, toolClass);
    let bound = attached.find(isAllowed);
    if (bound === undefined) {
      const { dependsOn } = call.definition;
      // The name of a class means each of its tools in the registry, a full name one of them.
      const declared = dependenciesOf(call.bound, toolClass).filter(
        ({ definition }) => dependsOn.includes(name) || dependsOn.includes(definition.name),
      );
      const dependency = declared.find(isAllowed);
      if (dependency === undefined) throw mayNotCall(caller, name, attached[0] ?? declared[0]);
      bound = bindTool(dependency, this.#container);
    }
    if (depthOf(caller) >= deepestNesting) {
      throw new ToolExecutionError(
        name,
        `Tool '${call.name}' may not call '${name}': tools already call tools ${deepestNesting} levels deep. Do they call each other in a circle?`,
      );
    }
    return bound;
  }

  /** The tool of a class, under each name that it is attached by. A class that a registry renamed means one name. */
  #attached(toolClass: ToolClass): readonly BoundTool[] {
    const original = originalOf(toolClass);
    const bound = (this.#byClass.get(original) ?? []).flatMap((name) => this.#bound(name) ?? []);
    return toolClass === original ? bound : bound.filter(({ definition }) => definition.name === toolClass.definition.name);
  }

  /** A tool that calls the class whose place it has taken means that class, not itself. */
  #attachedFor({ toolClass: caller }: BoundTool, toolClass: ToolClass): readonly BoundTool[] {
    const attached = this.#attached(toolClass);
    return replaces(caller, toolClass) ? attached.filter((bound) => bound.toolClass !== caller) : attached;
  }
}

/** Such a tool can always be made: nothing would be found out before its call. */
const bindsLater = (toolClass: ToolClass, container: Container | undefined): boolean =>
  isCreatedTool(toolClass) && !(container instanceof StubContainer);

/** `isForTest`: isolated tools run in the test's own thread, with its fakes. */
function bindTool(toolClass: ToolClass, container: Container | undefined, isForTest = false): BoundTool {
  const plan = planOf(toolClass);
  if (container instanceof StubContainer) {
    const stubbed = container.bind(toolClass, plan);
    if (stubbed !== undefined) return stubbed;
    // Without others, a tool that can't be made fails when it is called: a test stubs the tools that it needs.
    if (container.others !== undefined) return bindTool(toolClass, container.others, container.isForTest);
  }
  const { definition } = plan;
  const original = originalOf(toolClass);
  if (plan.created === true) return { toolClass, plan, definition, construct: withoutContainer(original) };
  const isHere = isForTest || (container instanceof StubContainer && container.isForTest);
  if (definition.isolated !== undefined && !isHere) {
    refuseWithoutSetUp(original);
    return { toolClass, plan: { ...plan, inspect: undefined }, definition, construct: withoutContainer(original), isElsewhere: true };
  }
  return { toolClass, plan, definition, construct: constructorOf(original, container), hasContainer: container !== undefined };
}

interface Defined {
  readonly definition: ToolDefinition;
}

const noTools: readonly ToolClass[] = [];

const replaces = (caller: ToolClass, toolClass: ToolClass): boolean =>
  registrationOf(caller)?.replaces.includes(originalOf(toolClass)) === true;

/** The tools that a caller may mean by a class that isn't attached. A tool of a registry means those of the registry. */
function dependenciesOf({ toolClass: caller }: BoundTool, toolClass: ToolClass): readonly ToolClass[] {
  const registered = registrationOf(caller)?.meant(toolClass) ?? noTools;
  return registered.length === 0 ? [toolClass] : registered;
}

/**
 * The message may reach the model, which must not learn of a tool that the run doesn't allow. A forgotten tool looks the same,
 * because a run doesn't have the tools that it doesn't allow. The application's log names the tool.
 */
function mayNotCall(caller: RunningCode, name: string, denied: Defined | undefined): ToolAuthorizationError {
  const { call } = caller;
  const reason =
    `Tool '${call.name}' may not call '${name}'. ` +
    (denied === undefined
      ? `Attach it beside '${call.name}', or declare @dependsOn("${name}") there; @access of '${name}' and the run's profile must allow it too.`
      : denialOf(denied.definition, call.scope.toolContext));
  caller.reportLog("warn", reason, undefined);
  return new ToolAuthorizationError(name, `Tool '${call.name}' needs another tool that isn't allowed here.`, {
    cause: new Error(reason),
  });
}

/** As for a class that isn't attached. */
export const mayNotCallNamed = (caller: RunningCode, name: string): ToolAuthorizationError => mayNotCall(caller, name, undefined);

function depthOf(code: RunningCode): number {
  let depth = 1;
  for (let parent = code.call.origin.parent; parent !== undefined; parent = parent.call.origin.parent) depth += 1;
  return depth;
}
