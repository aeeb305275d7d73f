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
  if (isToolbox(given)) return openToolList(given.tools, owner, make, refusal);
  const open = (entry: unknown): readonly ToolClass[] | undefined => {
    if (isToolbox(entry)) return openToolList(entry.tools, `${owner}, toolbox "${entry.name}"`, make, refusal);
    const made = make(entry);
    return made && [made];
  };
  return listed(given, owner, "a list or a toolbox", open, refusal);
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

const isToolbox = (value: unknown): value is Toolbox =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Array.isArray((value as Toolbox).tools);

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
