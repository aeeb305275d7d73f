import { isDecoratorContext } from "../metadata.js";
import { deferredTool } from "../renamed-tool.js";
import type { ToolClass, Toolbox } from "../tool-class.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { asTool, isToolbox, lineOf } from "../tool-list.js";
import { classDecorator, type ToolClassDecorator } from "./class-decorator.js";

/**
 * Leaves a tool out of an agent's requests until its model has found it with the tool `search_tools`. Use it if an agent has more
 * tools than a model can choose from, about 30.
 *
 * `@deferred() class CreateIssueTool extends Tool {}`
 *
 * It applies to agents. See docs/23-many-tools.md.
 */
export function deferred(): ToolClassDecorator<"deferred">;
/** Defers a tool where it is listed: `@usesTools([SearchOrdersTool, deferred(CreateIssueTool)])`. See docs/23-many-tools.md. */
export function deferred(tool: ToolClass): ToolClass;
/**
 * Defers all tools of a toolbox: `@usesTools([deferred(github, "Issues, pull requests and releases on GitHub")])`.
 *
 * The description is one line of at most 300 characters. The model reads it in the description of `search_tools`. Throws
 * `ToolDefinitionError` for a longer one. See docs/23-many-tools.md.
 */
export function deferred(toolbox: Toolbox, description?: string): Toolbox;
export function deferred(...given: readonly [] | readonly [entry: ToolClass | Toolbox, second?: unknown]): unknown {
  if (given.length === 0) return classDecorator("deferred", { deferred: true });
  const [entry, second] = given;
  if (isDecoratorContext(second)) {
    throw new ToolDefinitionError("@deferred got the class itself: write parentheses behind it, @deferred().");
  }
  return isToolbox(entry) ? deferredToolbox(entry, second as string | undefined) : deferredTool(asTool(entry, "deferred"));
}

/** The tools are read when they are used: those of an MCP server change. */
function deferredToolbox(toolbox: Toolbox, description: string | undefined = toolbox.description): Toolbox {
  const { name } = toolbox;
  const made: Toolbox = {
    name,
    deferred: true,
    ...(description !== undefined && { description }),
    get tools() {
      return toolbox.tools;
    },
  };
  lineOf(made, `deferred(${JSON.stringify(name)})`);
  return Object.freeze(made);
}
