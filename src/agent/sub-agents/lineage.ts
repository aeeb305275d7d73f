import { type SubAgentClass, classNameOf } from "../agent-class.js";
import { AgentDefinitionError } from "../agent-errors.js";

const lineages = new WeakMap<object, readonly SubAgentClass[]>();

/** Remembers which agents called each other until this one was called. */
export function setLineage(agent: object, lineage: readonly SubAgentClass[]): void {
  lineages.set(agent, lineage);
}

/** The agents that called each other until this one, which is the last. Throws if one of them may be called again. */
export function lineageOf(agent: object, agentClass: SubAgentClass, callable: readonly SubAgentClass[]): readonly SubAgentClass[] {
  const lineage = [...(lineages.get(agent) ?? []), agentClass];
  const again = callable.find((one) => lineage.includes(one));
  if (again === undefined) return lineage;
  const path = [...lineage.slice(lineage.indexOf(again)), again].map(classNameOf).join(" -> ");
  throw new AgentDefinitionError(`Agents call each other in a circle: ${path}. Take one of them out of @usesTools of the other.`);
}
