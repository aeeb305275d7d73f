import { definitionOf } from "./definition/resolve-definition.js";
import { holderOf, ownMetadata } from "./metadata.js";
import type { ToolClass } from "./tool-class.js";
import type { ToolDefinition } from "./tool-definition.js";
import { checkName } from "./definition/tool-name.js";

// Registered, so that another copy of the package knows the tool.
const originalKey = Symbol.for("toolwright.original");
const registrationKey = Symbol.for("toolwright.registration");
const classKey = Symbol.for("toolwright.class");
const deferredKey = Symbol.for("toolwright.deferred");

/** What a tool knows of the registry that it is of. */
export interface Registration {
  /** The classes whose place the tool has taken under its name: code that calls one of them means this tool. */
  readonly replaces: readonly ToolClass[];
  /** The tools of the registry that the tool means by a class; empty if the registry has none. */
  readonly meant: (toolClass: ToolClass) => readonly ToolClass[];
}

/** The toolbox that defers a tool, as a model reads of it. */
export interface DeferringToolbox {
  readonly name: string;
  /** One line. */
  readonly description: string;
}

/** By the class that a variant was made of. */
const variants = new WeakMap<ToolClass, Map<string, ToolClass>>();

/**
 * The tool under another name, as a registry knows it: a class that says nothing else of its own, the same one for each
 * name. Calls are made by instances of the original class, so that containers, stubs and services need to know that alone.
 */
export function renamedTool(toolClass: ToolClass, name: string): ToolClass {
  const original = originalOf(toolClass);
  const deferral = deferralOf(toolClass);
  if (original.definition.name === name && deferral === undefined) return original;
  return variantOf(original, keyOf(name, deferral), () => variant(original, name, deferral));
}

/** The same for a tool that must know its registry: a class of its own in each. */
export function registeredTool(toolClass: ToolClass, name: string, registration: Registration): ToolClass {
  return withRegistration(variant(originalOf(toolClass), name, deferralOf(toolClass)), registration);
}

/** The tool as one that a model must find before it calls it: the same class for each toolbox. */
export function deferredTool(toolClass: ToolClass, toolbox?: DeferringToolbox): ToolClass {
  const { name, deferred } = toolClass.definition;
  if (deferred === true && toolbox === undefined) return toolClass;
  const deferral = { toolbox };
  return variantOf(toolClass, keyOf(name, deferral), () =>
    withRegistration(variant(originalOf(toolClass), name, deferral), registrationOf(toolClass)),
  );
}

/** Whether and by which toolbox a variant is deferred; a tool that defers itself needs none. */
interface Deferral {
  readonly toolbox: DeferringToolbox | undefined;
}

const keyOf = (name: string, deferral: Deferral | undefined): string =>
  deferral === undefined ? name : JSON.stringify([name, deferral.toolbox?.name, deferral.toolbox?.description]);

function variantOf(toolClass: ToolClass, key: string, make: () => ToolClass): ToolClass {
  let byKey = variants.get(toolClass);
  if (byKey === undefined) variants.set(toolClass, (byKey = new Map()));
  let found = byKey.get(key);
  if (found === undefined) byKey.set(key, (found = make()));
  return found;
}

function variant(original: ToolClass, name: string, deferral: Deferral | undefined): ToolClass {
  // Which parameters the constructor takes, and that it has a `call`, is the original's affair.
  const made = class extends (original as unknown as new () => object) {} as unknown as ToolClass;
  Object.defineProperty(made, "name", { value: original.name, configurable: true });
  Object.defineProperty(made, originalKey, { value: original });
  if (deferral !== undefined) Object.defineProperty(made, deferredKey, { value: deferral });
  const changes: Partial<ToolDefinition> = { name: checkName(name, original.name), ...(deferral && { deferred: true }) };
  const definition = Object.assign({}, definitionOf(original), changes);
  Object.defineProperty(definition, classKey, { value: made });
  ownMetadata(holderOf(made)).definition = Object.freeze(definition);
  return made;
}

const withRegistration = (toolClass: ToolClass, registration: Registration | undefined): ToolClass =>
  registration === undefined ? toolClass : Object.defineProperty(toolClass, registrationKey, { value: registration });

/** What a class says itself: a subclass of such a class is its author's own. */
const ownValue = (toolClass: ToolClass, key: symbol): unknown =>
  Object.hasOwn(toolClass, key) ? (toolClass as unknown as Record<symbol, unknown>)[key] : undefined;

/** The class that its author wrote. A subclass of a renamed one is its author's own. */
export const originalOf = (toolClass: ToolClass): ToolClass => (ownValue(toolClass, originalKey) as ToolClass | undefined) ?? toolClass;

/** `undefined` if the tool needs to know nothing of a registry. A subclass of one that does is of none. */
export const registrationOf = (toolClass: ToolClass): Registration | undefined =>
  ownValue(toolClass, registrationKey) as Registration | undefined;

const deferralOf = (toolClass: ToolClass): Deferral | undefined => ownValue(toolClass, deferredKey) as Deferral | undefined;

/** The toolbox that defers the tool and says what its tools are for; `undefined` if there is none. */
export const deferringToolbox = (toolClass: ToolClass): DeferringToolbox | undefined => deferralOf(toolClass)?.toolbox;

/** The class that a registry made for a definition; `undefined` if the definition is that of its author's class. */
export const classBehind = (definition: object): ToolClass | undefined => (definition as { readonly [classKey]?: ToolClass })[classKey];

/** Whether they are one class under one name, also if each is of another registry. */
export const isSameTool = (one: ToolClass, other: ToolClass): boolean =>
  one === other || (originalOf(one) === originalOf(other) && one.definition.name === other.definition.name);
