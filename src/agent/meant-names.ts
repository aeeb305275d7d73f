import { WireNames } from "../schema/internal.js";
import type { ToolClass } from "../tool/index.js";
import { isSameTool, nearestName, originalOf } from "../tool/internal.js";
import { isAgentClass, type SubAgentClass } from "./agent-class.js";

/**
 * The names under which a run with these tools has the one that is meant. A registry gives a class full names. A test or a case may write
 * only the last part, or the name that the model read. A class that the run doesn't have keeps its author's name.
 */
export function namesMeant(tools: readonly ToolClass[], meant: ToolClass | SubAgentClass | string): readonly string[] {
  if (typeof meant === "string") {
    const names = namesOf(tools);
    if (names.includes(meant)) return [meant];
    return orElse(
      meant,
      names.filter((name) => lastPart(name) === meant || new WireNames([name]).toWire(name) === meant),
    );
  }
  if (isAgentClass(meant)) return [meant.definition.name];
  return orElse(meant.definition.name, namesOf(tools.filter((tool) => isMeant(tool, meant))));
}

/**
 * The name that a run with these tools has in place of one that it doesn't have and that is much like it: what is misspelt was never
 * called. Whether a name that is like no other is misspelt can't be known: the run may not have been given the tool.
 */
export function nameInstead(tools: readonly ToolClass[], written: string): string | undefined {
  const names = namesOf(tools);
  if (namesMeant(tools, written).some((name) => names.includes(name))) return undefined;
  return nearestName(written, [...names, ...names.map(lastPart)]);
}

const isMeant = (tool: ToolClass, meant: ToolClass): boolean =>
  meant === originalOf(meant) ? originalOf(tool) === meant : isSameTool(tool, meant);

const namesOf = (tools: readonly ToolClass[]): readonly string[] => [...new Set(tools.map(({ definition }) => definition.name))];

const lastPart = (name: string): string => name.slice(name.lastIndexOf("/") + 1);

const orElse = (name: string, found: readonly string[]): readonly string[] => (found.length === 0 ? [name] : found);
