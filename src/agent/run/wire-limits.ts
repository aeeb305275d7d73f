import { type Budget, type LoopLimits, limitsOf } from "../../loop/index.js";
import type { WireNames } from "../../schema/internal.js";
import { nearestName } from "../../tool/internal.js";
import type { AgentDefinition } from "../agent-class.js";
import type { AttachedTools } from "../attached-tools.js";

/** The loop knows tools by the names that go over the wire. */
export function wireLimits(
  maxSteps: number,
  budget: Budget | undefined,
  { names }: AttachedTools,
  definition: AgentDefinition,
): LoopLimits {
  const limits = limitsOf(maxSteps, budget);
  if (limits.callsPerTool === null || typeof limits.callsPerTool === "number") return limits;
  refuseMisspelt(Object.keys(limits.callsPerTool), names, definition);
  const entries = Object.entries(limits.callsPerTool).map(([tool, limit]) => [names.toWire(tool), limit] as const);
  return { ...limits, callsPerTool: Object.fromEntries(entries) };
}

/** A misspelt name in a budget would limit nothing. Tools that a function chooses may be others for another user. */
function refuseMisspelt(limited: readonly string[], names: WireNames, { name: agent, tools }: AgentDefinition): void {
  if (typeof tools === "function") return;
  const known = tools.map(({ definition }) => definition.name);
  const others = known.filter((name) => !limited.includes(name));
  for (const name of limited) {
    const meant = known.includes(name) ? undefined : (others.find((other) => other.endsWith(`/${name}`)) ?? nearestName(name, others));
    if (meant === undefined || names.toWire(meant) === name) continue;
    throw new RangeError(`${agent}: callsPerTool of the budget names "${name}", which is none of its tools. Did you mean "${meant}"?`);
  }
}
