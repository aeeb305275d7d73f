import { failure, type ToolContext } from "../../tool/index.js";
import type { Agent, AgentClass } from "../agent.js";
import type { AgentResponse } from "../response.js";
import { setLineage } from "./lineage.js";
import { parentOf, takeResumption } from "./parent-runs.js";
import { SubRunPaused } from "./sub-run-paused.js";

/**
 * Runs an agent for another one: with the caller's context, listeners, profile, confirmation handlers and signal, in a
 * conversation of its own. Gives its structured output or its text; how it ended otherwise is a failure that the
 * calling model reads.
 */
export async function runSubAgent(agentClass: AgentClass, prompt: string, context: ToolContext): Promise<unknown> {
  const { runId, callId, abortSignal } = context;
  const parent = parentOf(runId);
  const agent = await makeAgent(agentClass, parent?.options.container ?? agentClass.definition.container);
  if (parent !== undefined) setLineage(agent, parent.lineage);
  const options = { ...(parent?.options ?? { toolContext: { ...context } }), abortSignal };
  const resumption = takeResumption(runId, callId);
  const response =
    resumption === undefined
      ? await agent.generate(prompt, options)
      : // The calling run has used the decisions up: they are its own.
        await agent.resume(resumption.state, { ...options, decisions: resumption.decisions, claims: { claim: () => true } });
  return resultOf(response, agentClass.definition.name);
}

async function makeAgent(agentClass: AgentClass, container: { get(type: AgentClass): unknown } | undefined): Promise<Agent> {
  if (agentClass.length === 0 || container === undefined) return new agentClass();
  // Whatever else a container gives fails at its first use.
  return (await container.get(agentClass)) as Agent;
}

function resultOf(response: AgentResponse, name: string): unknown {
  if (response.text !== undefined) return response.output ?? response.text;
  if (response.confirmations !== undefined) throw new SubRunPaused(name, response.state, response.confirmations);
  return failure(`The agent "${name}" gave no answer (${response.outcome.reason}): ${response.outcome.detail}`);
}
