import type { WireNames } from "../../schema/internal.js";
import type { ToolClass } from "../../tool/index.js";
import { isMeant, nameIn, nearestName, type ToolReference } from "../../tool/internal.js";
import { AgentDefinitionError } from "../agent-errors.js";

/** The tools of a run. */
export interface RunTools {
  readonly classes: readonly ToolClass[];
  readonly names: WireNames;
}

/** The names of the run's tools that an option means by a class or a name. The name may be the one that the model reads. */
export function namesMeant(reference: ToolReference, { classes, names }: RunTools): readonly string[] {
  const meant = typeof reference === "string" ? names.toTool(reference) : reference;
  return namesOf(classes.filter(({ definition }) => isMeant(meant, definition)));
}

/** The same; throws `AgentDefinitionError` if the run has no such tool. `owner` begins the message. */
export function knownNames(reference: ToolReference, tools: RunTools, owner: string): readonly string[] {
  const found = namesMeant(reference, tools);
  if (found.length > 0) return found;
  const known = namesOf(tools.classes);
  const name = nameIn(reference);
  if (known.includes(name)) {
    throw new AgentDefinitionError(
      `${owner} names the class of "${name}", which the run doesn't have: its "${name}" is of another class. Give that class, or the name.`,
    );
  }
  const nearest = fullNameOf(name, known) ?? nearestName(name, known);
  const fix = nearest === undefined ? "Add it to @usesTools, or name one of these." : `Did you mean "${nearest}"?`;
  throw new AgentDefinitionError(
    `${owner} names the tool "${name}", which the run doesn't have. It has: ${known.join(", ") || "none"}. ${fix}`,
  );
}

/** A full name, as a registry gives it, whose last part is the name. */
export const fullNameOf = (name: string, known: readonly string[]): string | undefined => known.find((full) => full.endsWith(`/${name}`));

export const namesOf = (classes: readonly ToolClass[]): readonly string[] => classes.map(({ definition }) => definition.name);
