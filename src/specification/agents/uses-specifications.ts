import { type AgentClass, type AgentClassDecorator, AgentDefinitionError, usesTools } from "../../agent/index.js";
import type { ApplicationContext, Toolbox, ToolClass } from "../../tool/index.js";
import { settingOf } from "../../tool/internal.js";
import { isToolSpecification, type ToolSpecification } from "../tool-specification.js";

/** The tools of an agent, declared by their specifications; what has an implementation may stand among them. */
export type SpecifiedTools = readonly (ToolSpecification | ToolClass | AgentClass | Toolbox)[];

/** A list, or a function of the caller's context that is asked at the start of each run. */
export type SpecifiedToolsChoice = SpecifiedTools | ((context: ApplicationContext) => SpecifiedTools | Promise<SpecifiedTools>);

// Registered, so that another copy of the package knows the agent.
const specifiedKey = Symbol.for("toolwright.specifiedTools");

/**
 * The tools of an agent, in place of `@usesTools`, without their implementations: `bindAgent` gives the agent that has them. Running the agent itself throws `AgentDefinitionError`.
 *
 * ```ts
 * @model("openai/gpt-5-mini")
 * @usesSpecifications([searchSpecification, CalculatorTool])
 * class SupportAgent extends Agent {}
 *
 * const Support = bindAgent(SupportAgent, createToolLibrary([SearchTool]));
 * ```
 */
export function usesSpecifications(tools: SpecifiedToolsChoice): AgentClassDecorator {
  return (target, context) => {
    const unbound = async (toolContext: ApplicationContext): Promise<never> => {
      throw new AgentDefinitionError(unboundMessage(target.name, typeof tools === "function" ? await tools(toolContext) : tools));
    };
    usesTools(withSpecifications(unbound, tools))(target, context);
  };
}

/** Remembers with the tools of an agent how they were declared. */
export const withSpecifications = <Tools extends object>(tools: Tools, declared: SpecifiedToolsChoice): Tools =>
  Object.assign(tools, { [specifiedKey]: declared });

/** How the tools of the class were declared by `@usesSpecifications`; `undefined` where they weren't. */
export const specifiedToolsOf = (agentClass: AgentClass): SpecifiedToolsChoice | undefined =>
  (settingOf(agentClass, "usesTools") as { readonly [specifiedKey]?: SpecifiedToolsChoice } | undefined)?.[specifiedKey];

function unboundMessage(name: string, tools: SpecifiedTools): string {
  const names = tools.filter(isToolSpecification).map((specification) => specification.name);
  return (
    `${name}: its tools are specifications without implementations: ${names.join(", ")}. ` +
    `Bind it to a library and run what that gives: const Bound = bindAgent(${name}, library).`
  );
}
