import type { ApplicationContext, Toolbox, ToolClass } from "../../tool/index.js";
import type { SubAgentClass, AgentTools } from "../agent-class.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * Sets the tools of an agent: a list, or a function of the application's context that is called at the start of each run.
 *
 * - `@usesTools([SearchTool, OrdersTool])`
 * - `@usesTools((context) => (context.userId ? [SearchTool, OrdersTool] : [SearchTool]))`
 *
 * Only these tools can be called in the run. See docs/03-agents.md.
 */
export function usesTools<Tools extends AgentTools | ToolResolver | Mistakes>(tools: Tools): UsesToolsDecorator<Tools> {
  // At run time a mistaken list has the same decorator; its agent's definition refuses it.
  return agentDecorator("usesTools", tools) as UsesToolsDecorator<Tools>;
}

type ToolResolver = (context: ApplicationContext) => AgentTools | Promise<AgentTools>;

/** Let in, so that the decorator can say in one line what is wrong with them. */
type Mistakes = ToolClass | SubAgentClass | readonly unknown[];

/**
 * The return type of `@usesTools`: a decorator for classes that extend `Agent`. The compiler rejects it if the list contains
 * something other than tools.
 */
export type UsesToolsDecorator<Tools> = [ToolsProblem<Tools>] extends [never]
  ? AgentClassDecorator
  : (target: ToolsProblem<Tools>, context?: unknown) => void;

// What isn't even a mistake of these has its error at the argument.
type ToolsProblem<Tools> = Mistakes extends Tools
  ? never
  : Tools extends ToolClass | SubAgentClass
    ? "@usesTools takes a list: @usesTools([TheTool])"
    : Tools extends readonly (infer Item)[]
      ? // If the compiler isn't strict, an empty list has the type `any[]`.
        [unknown] extends [Item]
        ? never
        : Item extends ToolClass | SubAgentClass | Toolbox
          ? never
          : "@usesTools lists classes that extend Tool or Agent, and toolboxes: one of these is neither"
      : never;
