import { type ToolClass, ToolDefinitionError } from "../tool/index.js";
import { planOf } from "../tool/internal.js";
import { type Container, constructorOf } from "./container.js";
import type { BoundTool } from "./prepared-call.js";
import { StubContainer } from "./stub-container.js";

/** The tools of an executor by name. The definitions are read here, so that authors' errors never wait for a call. */
export function bindTools(tools: readonly ToolClass[], container: Container | undefined): ReadonlyMap<string, BoundTool> {
  const index = new Map<string, BoundTool>();
  for (const toolClass of tools) {
    const bound = bindTool(toolClass, container);
    const { name } = bound.definition;
    const holder = index.get(name);
    if (holder !== undefined) {
      throw new ToolDefinitionError(
        `Two tools are named '${name}': ${holder.toolClass.name} and ${toolClass.name}. Give one of them another name: @identifier("...").`,
      );
    }
    index.set(name, bound);
  }
  return index;
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
    construct: constructorOf(toolClass, plan.created === true ? undefined : container),
  };
}
