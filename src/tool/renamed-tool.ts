import { definitionOf } from "./definition/resolve-definition.js";
import { holderOf, ownMetadata } from "./metadata.js";
import type { ToolClass } from "./tool-class.js";
import { checkName } from "./definition/tool-name.js";

// Registered, so that another copy of the package knows the tool.
const originalKey = Symbol.for("toolwright.original");
const registrationKey = Symbol.for("toolwright.registration");
const classKey = Symbol.for("toolwright.class");

/** What a tool knows of the registry that it is of. */
export interface Registration {
  /** The classes whose place the tool has taken under its name: code that calls one of them means this tool. */
  readonly replaces: readonly ToolClass[];
  /** The tools of the registry that the tool means by a class; empty if the registry has none. */
  readonly meant: (toolClass: ToolClass) => readonly ToolClass[];
}

const renamedTools = new WeakMap<ToolClass, Map<string, ToolClass>>();

/**
 * The tool under another name, as a registry knows it: a class that says nothing else of its own, the same one for each
 * name. Calls are made by instances of the original class, so that containers, stubs and services need to know that alone.
 */
export function renamedTool(toolClass: ToolClass, name: string): ToolClass {
  const original = originalOf(toolClass);
  if (original.definition.name === name) return original;
  let byName = renamedTools.get(original);
  if (byName === undefined) renamedTools.set(original, (byName = new Map()));
  let renamed = byName.get(name);
  if (renamed === undefined) byName.set(name, (renamed = renamedClass(original, name)));
  return renamed;
}

/** The same for a tool that must know its registry: a class of its own in each. */
export function registeredTool(toolClass: ToolClass, name: string, registration: Registration): ToolClass {
  return Object.defineProperty(renamedClass(originalOf(toolClass), name), registrationKey, { value: registration });
}

function renamedClass(original: ToolClass, name: string): ToolClass {
  // Which parameters the constructor takes, and that it has a `call`, is the original's affair.
  const renamed = class extends (original as unknown as new () => object) {} as unknown as ToolClass;
  Object.defineProperty(renamed, "name", { value: original.name, configurable: true });
  Object.defineProperty(renamed, originalKey, { value: original });
  const definition = Object.assign({}, definitionOf(original), { name: checkName(name, original.name) });
  Object.defineProperty(definition, classKey, { value: renamed });
  ownMetadata(holderOf(renamed)).definition = Object.freeze(definition);
  return renamed;
}

/** The class that its author wrote. A subclass of a renamed one is its author's own. */
export const originalOf = (toolClass: ToolClass): ToolClass =>
  Object.hasOwn(toolClass, originalKey) ? ((toolClass as unknown as Record<symbol, ToolClass>)[originalKey] as ToolClass) : toolClass;

/** `undefined` if the tool needs to know nothing of a registry. A subclass of one that does is of none. */
export const registrationOf = (toolClass: ToolClass): Registration | undefined =>
  Object.hasOwn(toolClass, registrationKey) ? (toolClass as unknown as Record<symbol, Registration>)[registrationKey] : undefined;

/** The class that a registry made for a definition; `undefined` if the definition is that of its author's class. */
export const classBehind = (definition: object): ToolClass | undefined => (definition as { readonly [classKey]?: ToolClass })[classKey];

/** Whether they are one class under one name, also if each is of another registry. */
export const isSameTool = (one: ToolClass, other: ToolClass): boolean =>
  one === other || (originalOf(one) === originalOf(other) && one.definition.name === other.definition.name);
