import { type Budget, type LoopLimits, limitedTools, limitsOf } from "../../loop/index.js";
import { warnProcess } from "../../redaction/internal.js";
import { searchToolName } from "../../models/internal.js";
import { nameIn, nearestName, type ToolReference } from "../../tool/internal.js";
import type { AgentDefinition } from "../agent-class.js";
import { fullNameOf, namesMeant, namesOf, type RunTools } from "./meant-tools.js";

/** The loop knows tools by the names that go over the wire. */
export function wireLimits(maxSteps: number, budget: Budget | undefined, tools: RunTools): LoopLimits {
  return limitsOf(maxSteps, budget, (limited) => {
    const found = namesMeant(limited, tools);
    // The run may have the tool when it is resumed.
    return (found.length === 0 ? [nameIn(limited)] : found).map((name) => tools.names.toWire(name));
  });
}

/**
 * Throws `RangeError` if a budget misnames a tool of the run: its limit would not hold. Warns once per agent of a tool that the run doesn't
 * have, because other users, and other agents with the same budget, may have it.
 */
export function checkLimitedTools(budget: Budget | undefined, tools: RunTools, definition: AgentDefinition): void {
  const references = limitedTools(budget);
  if (references.length === 0) return;
  const listed = typeof definition.tools === "function" ? [] : definition.tools;
  // A profile and `@access` leave out tools of the agent.
  const all: RunTools = { classes: [...new Set([...tools.classes, ...listed])], names: tools.names };
  const limited = new Set(references.flatMap((reference) => namesMeant(reference, all)));
  const others = namesOf(all.classes).filter((name) => !limited.has(name));
  const known = new Set(listed);
  const isFixed = all.classes.every((toolClass) => known.has(toolClass) || toolClass.definition.name === searchToolName);
  for (const reference of references) {
    if (namesMeant(reference, all).length > 0) continue;
    const instead = nameInstead(reference, others, isFixed);
    if (instead === undefined) warnOnce(definition, nameIn(reference));
    else throw new RangeError(`${misnamed(reference, definition)} isn't one of its tools. ${instead}`);
  }
}

/** How a mistake is put right; `undefined` if it may be none. */
function nameInstead(reference: ToolReference, others: readonly string[], isFixed: boolean): string | undefined {
  const name = nameIn(reference);
  if (others.includes(name)) return `Its "${name}" is of another class. Give that class, or the name.`;
  const meant = fullNameOf(name, others) ?? (isFixed ? nearestName(name, others) : undefined);
  return meant === undefined ? undefined : `Did you mean "${meant}"?`;
}

const misnamed = (reference: ToolReference, { name: agent }: AgentDefinition): string =>
  `${agent}: callsPerTool of the budget names "${nameIn(reference)}", which`;

const warned = new WeakMap<AgentDefinition, Set<string>>();

function warnOnce(definition: AgentDefinition, name: string): void {
  const names = warned.get(definition) ?? new Set();
  if (names.has(name)) return;
  warned.set(definition, names.add(name));
  warnProcess(`${misnamed(name, definition)} a run doesn't have: the limit has no effect there.`);
}
