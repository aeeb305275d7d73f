import { Agent } from "../../agent/index.js";
import { writeSettings } from "../../tool/internal.js";
import { agentSpecificationFromJSON } from "./agent-specification.js";
import { bindAgent } from "./bind-agent.js";
import type { ToolSource } from "./tool-source.js";
import { usesSpecifications } from "./uses-specifications.js";

/** The agent class that `agentFromSpecification` returns. */
export type SpecifiedAgentClass = Pick<typeof Agent, keyof typeof Agent> & { readonly name: string } & (new () => Agent);

/**
 * Makes an agent class from a specification, with the tools of a library or experiment.
 *
 * ```ts
 * const Support = agentFromSpecification(JSON.parse(text), createToolLibrary([SearchTool]));
 * const response = await Support.generate("Where is my order?");
 * ```
 *
 * `specification` is the result of `agentSpecificationOf`, or its parsed JSON. Throws `SpecificationError` if it is invalid,
 * `AgentDefinitionError` for invalid limits, and `BindingError` if tools are missing or different. See
 * docs/10-specifications-and-gram.md.
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
