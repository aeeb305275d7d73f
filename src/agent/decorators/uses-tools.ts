import type { ApplicationContext, Toolbox, ToolClass } from "../../tool/index.js";
import type { AgentClass } from "../agent.js";
import type { AgentTools } from "../agent-tools.js";
import { type AgentClassDecorator, agentDecorator } from "./agent-class-decorator.js";

/**
 * The tools of an agent: a list, or a function of the caller's context that is asked at the start of each run. Exactly these tools can be called in the run.
 *
 * ```ts
 * @usesTools((context) => (context.userId ? [SearchTool, OrdersTool] : [SearchTool]))
 * class SupportAgent extends Agent {}
 * ```
 */
export function usesTools<Tools extends AgentTools | ToolResolver | Mistakes>(tools: Tools): UsesToolsDecorator<Tools> {
  // At run time a mistaken list has the same decorator; its agent's definition refuses it.
  return agentDecorator("usesTools", tools) as UsesToolsDecorator<Tools>;
}

type ToolResolver = (context: ApplicationContext) => AgentTools | Promise<AgentTools>;

/** Let in, so that the decorator can say in one line what is wrong with them. */
type Mistakes = ToolClass | AgentClass | readonly unknown[];

/** The decorator of `@usesTools`: for classes that extend `Agent`, where all that is listed are tools. */
export type UsesToolsDecorator<Tools> = [ToolsProblem<Tools>] extends [never]
  ? AgentClassDecorator
  : (target: ToolsProblem<Tools>, context?: unknown) => void;

// What isn't even a mistake of these has its error at the argument.
type ToolsProblem<Tools> = Mistakes extends Tools
  ? never
  : Tools extends ToolClass | AgentClass
    ? "@usesTools takes a list: @usesTools([TheTool])"
    : Tools extends readonly (infer Item)[]
      ? // Where the compiler isn't strict, an empty list is one of anything.
        [unknown] extends [Item]
        ? never
        : Item extends ToolClass | AgentClass | Toolbox
          ? never
          : "@usesTools lists classes that extend Tool or Agent, and toolboxes: one of these is neither"
      : never;
