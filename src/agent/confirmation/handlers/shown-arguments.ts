import type { Confirmation } from "../confirmation.js";
import { visibleText } from "./visible-text.js";

/** One argument as a person reads it; the text may have several lines. */
export interface ShownArgument {
  readonly name: string;
  readonly text: string;
}

/** The arguments that a person decides about, in the order of the tool's schema, with nothing in them that can't be seen. */
export const shownArguments = ({ input }: Confirmation): readonly ShownArgument[] =>
  Object.entries(input).map(([name, value]) => ({
    name: visibleText(/^[^\s":]+$/.test(name) ? name : JSON.stringify(name)),
    text: visibleText(textOf(value)),
  }));

/** JSON, except that a text of several lines keeps them: a letter is read better than its escapes. */
const textOf = (value: unknown): string =>
  typeof value === "string" && value.includes("\n") ? `"${value}"` : (JSON.stringify(value, null, 2) ?? "null");
