import { createTool, type ToolClass, type ToolContext } from "../../tool/index.js";
import { looksMinified, originalOf, setStandIn, settingOf, standInOf } from "../../tool/internal.js";
import { type SubAgentClass, classNameOf } from "../agent-class.js";
import { AgentDefinitionError } from "../agent-errors.js";
import { runSubAgent } from "./run-sub-agent.js";

const agents = new WeakMap<ToolClass, SubAgentClass>();

/**
 * An agent as a tool of another one: the model gives it a prompt and reads its answer. It needs a description, by which
 * a model chooses it; its own model and tools set its limits, so that it has no timeout of its own.
 */
export function subAgentTool(agentClass: SubAgentClass): ToolClass {
  let tool = standInOf(agentClass);
  if (tool !== undefined) return tool;
  const { name, description } = agentClass.definition;
  if (description === undefined) {
    throw new AgentDefinitionError(
      `${classNameOf(agentClass)}: an agent that other agents may call needs a description. Add @description("Finds flights. Use when the user wants to travel.") above the class.`,
    );
  }
  if (settingOf(agentClass, "identifier") === undefined && looksMinified(agentClass)) {
    throw new AgentDefinitionError(
      `${classNameOf(agentClass)}: a minifier has changed the class's name, from which the name of the agent's tool is derived. Give it one: @identifier("flight_agent"), or keep class names in the bundler's options.`,
    );
  }
  tool = createTool({
    name,
    description,
    inputSchema: promptSchema,
    timeout: Number.POSITIVE_INFINITY,
    execute: ({ prompt }: Record<string, unknown>, context: ToolContext) => runSubAgent(agentClass, String(prompt), context),
  });
  setStandIn(agentClass, tool);
  agents.set(tool, agentClass);
  return tool;
}

const promptSchema = {
  type: "object",
  properties: { prompt: { type: "string", description: "The task, with everything that must be known to do it." } },
  required: ["prompt"],
  additionalProperties: false,
} as const;

/** The agent behind a tool that `subAgentTool` made. */
export const agentBehind = (tool: ToolClass): SubAgentClass | undefined => agents.get(originalOf(tool));
