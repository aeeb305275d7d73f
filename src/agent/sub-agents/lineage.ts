import type { Agent, AgentClass } from "../agent.js";
import { classNameOf } from "../class-name.js";
import { AgentDefinitionError } from "../agent-errors.js";

const lineages = new WeakMap<Agent, readonly AgentClass[]>();

/** Remembers which agents called each other until this one was called. */
export function setLineage(agent: Agent, lineage: readonly AgentClass[]): void {
  lineages.set(agent, lineage);
}

/** The agents that called each other until this one, which is the last. Throws where one of them may be called again. */
export function lineageOf(agent: Agent, agentClass: AgentClass, callable: readonly AgentClass[]): readonly AgentClass[] {
  const lineage = [...(lineages.get(agent) ?? []), agentClass];
  const again = callable.find((one) => lineage.includes(one));
  if (again === undefined) return lineage;
  const path = [...lineage.slice(lineage.indexOf(again)), again].map(classNameOf).join(" -> ");
  throw new AgentDefinitionError(`Agents call each other in a circle: ${path}. Take one of them out of @usesTools of the other.`);
}
