import { classBehind, originalOf, registrationOf } from "./renamed-tool.js";
import type { ToolClass } from "./tool-class.js";
import type { ToolDefinition } from "./tool-definition.js";

/** The class of a tool, or of an agent that is a tool of another one. */
export interface NamedClass {
  readonly definition: { readonly name: string };
}

const standIns = new WeakMap<object, ToolClass>();

/** The tool that stands for a class that is none; `undefined` if there is none. */
export const standInOf = (namedClass: object): ToolClass | undefined => standIns.get(namedClass);

/** Makes a tool stand for a class that is none: for an agent that another one calls. */
export function setStandIn(namedClass: object, tool: ToolClass): void {
  standIns.set(namedClass, tool);
}

/** A tool as options give it: its class or its exact name. */
export type ToolReference = string | NamedClass;

/**
 * Whether an option that gives a tool by class or by name means the tool of this definition. All options ask here, so that they agree.
 *
 * A name is exact and case-sensitive. A class means its tool under every name that a registry gives it, and the tool that takes its place
 * in a registry. A class that comes from a registry means that one name.
 */
export function isMeant(reference: ToolReference, definition: Pick<ToolDefinition, "name">): boolean {
  if (typeof reference === "string") return definition.name === reference;
  const given = standInOf(reference) ?? (reference as ToolClass);
  const meant = originalOf(given);
  const behind = classBehind(definition);
  const isItsClass =
    behind === undefined
      ? meant.definition === definition
      : originalOf(behind) === meant || registrationOf(behind)?.replaces.includes(meant) === true;
  return isItsClass && (given === meant || given.definition.name === definition.name);
}

/** The name that the class or the name itself says. */
export const nameIn = (reference: ToolReference): string => (typeof reference === "string" ? reference : reference.definition.name);
