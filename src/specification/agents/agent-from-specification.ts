import { Agent } from "../../agent/index.js";
import { writeSettings } from "../../tool/internal.js";
import { agentSpecificationFromJSON } from "./agent-specification.js";
import { bindAgent } from "./bind-agent.js";
import type { ToolSource } from "./tool-source.js";
import { usesSpecifications } from "./uses-specifications.js";

/** The class of an agent that was made of a specification: it has what a class that extends `Agent` has. */
export type SpecifiedAgentClass = Pick<typeof Agent, keyof typeof Agent> & { readonly name: string } & (new () => Agent);

/**
 * The agent of a specification, bound to implementations of its tools. `specification` is what `agentSpecificationOf` gave, or
 * its parsed JSON.
 *
 * ```ts
 * const Support = agentFromSpecification(JSON.parse(text), createToolLibrary([SearchTool]));
 * const response = await Support.generate("Where is my order?");
 * ```
 *
 * Throws `SpecificationError` for what is no specification, `AgentDefinitionError` for limits that are none, and `BindingError`
 * where tools are missing or differ.
 */
export function agentFromSpecification(specification: unknown, source: ToolSource | readonly ToolSource[]): SpecifiedAgentClass {
  const { name, model, modelSettings = {}, tools, maxSteps, ...settings } = agentSpecificationFromJSON(specification);
  const declared = class extends Agent {};
  Object.defineProperty(declared, "name", { value: name, configurable: true });
  writeSettings({
    ...settings,
    identifier: name,
    model: { reference: model, settings: modelSettings },
    maxSteps: maxSteps === null ? Number.POSITIVE_INFINITY : maxSteps,
  })(declared);
  usesSpecifications(tools)(declared);
  return bindAgent(declared, source);
}
