import { type ToolClass, ToolDefinitionError } from "../tool/index.js";
import { asToolList, originalOf, planOf, registrationOf } from "../tool/internal.js";
import { type Container, constructorOf } from "./container/container.js";
import type { BoundTool } from "./prepared-call.js";
import { StubContainer } from "./container/stub-container.js";

/** The tools of an executor. */
export interface ToolIndex {
  readonly byName: ReadonlyMap<string, BoundTool>;
  /** By the class that code calls: the one that its author wrote, which a registry may know by several names, and those it replaces. */
  readonly byClass: ReadonlyMap<ToolClass, readonly BoundTool[]>;
}

/** The definitions are read here, so that authors' errors never wait for a call. */
export function bindTools(tools: readonly ToolClass[], container: Container | undefined): ToolIndex {
  const byName = new Map<string, BoundTool>();
  const byClass = new Map<ToolClass, BoundTool[]>();
  for (const toolClass of asToolList(tools, "ToolExecutor")) {
    const bound = bindTool(toolClass, container);
    const { name } = bound.definition;
    const holder = byName.get(name);
    if (holder !== undefined) {
      throw new ToolDefinitionError(
        `Two tools are named '${name}': ${holder.toolClass.name} and ${toolClass.name}. Give one of them another name: @identifier("...").`,
      );
    }
    byName.set(name, bound);
    for (const called of [originalOf(toolClass), ...(registrationOf(toolClass)?.replaces ?? [])]) {
      const sameClass = byClass.get(called);
      if (sameClass === undefined) byClass.set(called, [bound]);
      else sameClass.push(bound);
    }
  }
  return { byName, byClass };
}

export function bindTool(toolClass: ToolClass, container: Container | undefined): BoundTool {
  const plan = planOf(toolClass);
  if (container instanceof StubContainer) {
    const stubbed = container.bind(toolClass, plan);
    if (stubbed !== undefined) return stubbed;
    // Without others, what can't be made is told when it is called: a test stubs what it needs.
    if (container.others !== undefined) return bindTool(toolClass, container.others);
  }
  return {
    toolClass,
    plan,
    definition: plan.definition,
    construct: constructorOf(originalOf(toolClass), plan.created === true ? undefined : container),
  };
}
