import { definitionOf } from "./definition.js";
import { holderOf, ownMetadata } from "./metadata.js";
import type { ToolClass } from "./tool-class.js";
import { checkName } from "./tool-name.js";

// Registered, so that another copy of the package knows the tool.
const originalKey = Symbol.for("toolwright.original");

const renamedTools = new WeakMap<ToolClass, Map<string, ToolClass>>();

/**
 * The tool under another name, as a registry knows it: a class that says nothing else of its own, the same one for each
 * name. Calls are made by instances of the original class, so that containers, stubs and services need to know that alone.
 */
export function renamedTool(toolClass: ToolClass, name: string): ToolClass {
  const original = originalOf(toolClass);
  const definition = definitionOf(original);
  if (definition.name === name) return original;
  let byName = renamedTools.get(original);
  if (byName === undefined) renamedTools.set(original, (byName = new Map()));
  let renamed = byName.get(name);
  if (renamed === undefined) {
    // Which parameters the constructor takes, and that it has a `call`, is the original's affair.
    renamed = class extends (original as unknown as new () => object) {} as unknown as ToolClass;
    Object.defineProperty(renamed, "name", { value: original.name, configurable: true });
    Object.defineProperty(renamed, originalKey, { value: original });
    ownMetadata(holderOf(renamed)).definition = Object.freeze(Object.assign({}, definition, { name: checkName(name, original.name) }));
    byName.set(name, renamed);
  }
  return renamed;
}

/** The class that its author wrote. A subclass of a renamed one is its author's own. */
export const originalOf = (toolClass: ToolClass): ToolClass =>
  Object.hasOwn(toolClass, originalKey) ? ((toolClass as unknown as Record<symbol, ToolClass>)[originalKey] as ToolClass) : toolClass;
