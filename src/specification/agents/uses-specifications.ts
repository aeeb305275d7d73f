import { type AgentClass, type AgentClassDecorator, AgentDefinitionError, usesTools } from "../../agent/index.js";
import type { ApplicationContext, Toolbox, ToolClass } from "../../tool/index.js";
import { settingOf } from "../../tool/internal.js";
import { isToolSpecification, type ToolSpecification } from "../tool-specification.js";

/** Tools for `@usesSpecifications`: specifications, tool classes, agent classes and toolboxes. */
export type SpecifiedTools = readonly (ToolSpecification | ToolClass | AgentClass | Toolbox)[];

/**
 * The argument of `@usesSpecifications`: a list, or a function of the application's context that is called at the start of each
 * run.
 */
export type SpecifiedToolsChoice = SpecifiedTools | ((context: ApplicationContext) => SpecifiedTools | Promise<SpecifiedTools>);

// Registered, so that another copy of the package knows the agent.
const specifiedKey = Symbol.for("toolwright.specifiedTools");

/**
 * Sets the tools of an agent by their specifications, without implementations:
 * `@usesSpecifications([searchSpecification, CalculatorTool])`.
 *
 * `bindAgent(SupportAgent, createToolLibrary([SearchTool]))` returns the agent with implementations. Running the agent without them
 * throws `AgentDefinitionError`. See docs/10-specifications-and-gram.md.
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

/** How the tools of the class were declared by `@usesSpecifications`; `undefined` if they weren't. */
export const specifiedToolsOf = (agentClass: AgentClass): SpecifiedToolsChoice | undefined =>
  (settingOf(agentClass, "usesTools") as { readonly [specifiedKey]?: SpecifiedToolsChoice } | undefined)?.[specifiedKey];

function unboundMessage(name: string, tools: SpecifiedTools): string {
  const names = tools.filter(isToolSpecification).map((specification) => specification.name);
  return (
    `${name}: its tools are specifications without implementations: ${names.join(", ")}. ` +
    `Bind it to a library and run what that gives: const Bound = bindAgent(${name}, library).`
  );
}
