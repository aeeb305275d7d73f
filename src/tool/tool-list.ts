import { type DeferringToolbox, deferredTool } from "./renamed-tool.js";
import { ToolDefinitionError } from "./tool-errors.js";
import { isToolClass } from "./tool.js";
import type { Toolbox, ToolClass } from "./tool-class.js";

type Refusal = new (message: string) => Error;

/** One tool class. Throws `ToolDefinitionError` for whatever else was given; `owner` begins it. */
export function asTool(given: unknown, owner: string): ToolClass {
  if (isToolClass(given)) return given;
  throw new ToolDefinitionError(`${owner}: takes a tool class, got ${inPlaceOfTool(given)}`);
}

/** A list of tool classes. Throws `ToolDefinitionError` for whatever else was given; `owner` begins it. */
export const asToolList = (given: unknown, owner: string): readonly ToolClass[] =>
  listed(given, owner, "a list", () => undefined, ToolDefinitionError);

/**
 * The classes of a list that may contain toolboxes, or of a toolbox; a list of classes is returned unchanged.
 * `make` returns the tool for any other entry. Throws `refusal` if there is none.
 */
export function openToolList(
  given: unknown,
  owner: string,
  make: (entry: unknown) => ToolClass | undefined = () => undefined,
  refusal: Refusal = ToolDefinitionError,
): readonly ToolClass[] {
  const openBox = (toolbox: Toolbox, place: string): readonly ToolClass[] =>
    asDeferred(toolbox, openToolList(toolbox.tools, place, make, refusal), place, refusal);
  if (isToolbox(given)) return openBox(given, owner);
  const open = (entry: unknown): readonly ToolClass[] | undefined => {
    if (isToolbox(entry)) return openBox(entry, `${owner}, toolbox "${entry.name}"`);
    const made = make(entry);
    return made && [made];
  };
  return listed(given, owner, "a list or a toolbox", open, refusal);
}

/** The classes of a toolbox that contains no other toolbox. Throws `ToolDefinitionError` for whatever else it contains. */
export const toolsIn = (toolbox: Toolbox, owner: string): readonly ToolClass[] =>
  asDeferred(toolbox, asToolList(toolbox.tools, owner), owner, ToolDefinitionError);

function asDeferred(toolbox: Toolbox, classes: readonly ToolClass[], owner: string, refusal: Refusal): readonly ToolClass[] {
  if (toolbox.deferred === undefined || toolbox.deferred === false) return classes;
  const line = lineOf(toolbox, owner, refusal);
  return classes.map((toolClass) => deferredTool(toolClass, line));
}

function listed(
  given: unknown,
  owner: string,
  kinds: string,
  open: (entry: unknown) => readonly ToolClass[] | undefined,
  refusal: Refusal,
): readonly ToolClass[] {
  if (!Array.isArray(given)) throw new refusal(`${owner}: tools are given as ${kinds}, got ${inPlaceOfList(given)}`);
  if (given.every(isToolClass)) return given;
  return given.flatMap((entry: unknown, index) => {
    const classes = isToolClass(entry) ? [entry] : open(entry);
    if (classes !== undefined) return classes;
    throw new refusal(`${owner}: entry ${index} of the tools is ${inPlaceOfTool(entry)}`);
  });
}

export const isToolbox = (value: unknown): value is Toolbox =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Array.isArray((value as Toolbox).tools);

/** The most characters of a toolbox's description, which stands in every request. */
const longestLine = 300;

/** What a model reads of a deferred toolbox, if it says what its tools are for. Throws `refusal` for what is no line. */
export function lineOf(
  { name, deferred, description }: Toolbox,
  owner: string,
  refusal: Refusal = ToolDefinitionError,
): DeferringToolbox | undefined {
  if (deferred !== true) throw new refusal(`${owner}: deferred of a toolbox is true or left out, got ${JSON.stringify(deferred)}.`);
  if (description === undefined) return undefined;
  if (typeof description === "string" && description.trim() !== "" && description.length <= longestLine && !/[\r\n]/.test(description)) {
    return { name, description: description.trim() };
  }
  throw new refusal(
    `${owner}: the description of a toolbox is one line of at most ${longestLine} characters that says what its tools are for, got ${JSON.stringify(description)?.slice(0, 100)}. Shorten it, or leave it out.`,
  );
}

/** What was passed in place of a list of tools, and the fix. */
function inPlaceOfList(value: unknown): string {
  if (typeof value === "function") return `${nameOf(value)}. Put it into a list: [${nameOf(value)}].`;
  if (value === undefined) return "undefined. No tools are an empty list: [].";
  return isToolbox(value) ? `the toolbox "${value.name}". Give its list: toolbox.tools.` : inPlaceOfTool(value);
}

/** What was passed in place of a tool, and the fix. */
function inPlaceOfTool(value: unknown): string {
  if (value === undefined) {
    return "undefined, as happens if files import each other. Make the list later, in a function: @usesTools(() => [...]).";
  }
  if (typeof value === "function") return `${nameOf(value)}, which doesn't extend Tool. Give classes that do, or make one with createTool.`;
  if (isToolbox(value)) return `the toolbox "${value.name}". Give its tools one by one: ...toolbox.tools.`;
  if (typeof value === "object" && value !== null) {
    if (Array.isArray(value)) return "a list. Spread it: ...tools.";
    const { constructor } = value;
    if (isToolClass(constructor)) return `an instance of ${constructor.name}. Give the class itself: each call makes its own instance.`;
    return "an object, which isn't a tool class.";
  }
  return `${JSON.stringify(value) ?? String(value)}, which isn't a tool class.`;
}

const nameOf = ({ name }: { readonly name: string }): string => name || "a function";
