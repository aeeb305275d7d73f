import type { Confirmation } from "../confirmation.js";
import { beginningOf, type Detail, notShown, wholeDetail } from "./detail.js";
import { ValuePrinter } from "./value-printer.js";
import { visibleText } from "./visible-text.js";

/** One argument as a person reads it. */
export interface ShownArgument {
  /** The name of the parameter. */
  readonly name: string;
  /** The value; it may have several lines. */
  readonly text: string;
}

/** What a person reads of a confirmation, in some detail. */
export interface ShownConfirmation {
  readonly description: string;
  /** What is to be known before anything else. Short: it isn't cut. */
  readonly warnings: readonly ShownArgument[];
  readonly arguments: readonly ShownArgument[];
  /** Whether it holds all that there is. */
  readonly isWhole: boolean;
}

/**
 * What a person decides about: what was sent and, behind it, what a transform makes of it. The arguments are in the order of the
 * tool's schema, with nothing in them that can't be seen. What the detail leaves out is counted in its place.
 */
export function shownConfirmation(confirmation: Confirmation, detail: Detail): ShownConfirmation {
  const { input, used = {}, hidden } = confirmation;
  const printer = new ValuePrinter(detail, hidden && new Set(hidden));
  const written = (name: string, value: unknown, becomes = ""): ShownArgument => ({
    name: visibleText(name === "" ? "all arguments" : printer.name(name)) + becomes,
    text: visibleText(printer.argument(name, value)),
  });
  // No argument can have such a name, because one with a blank is quoted.
  const becoming = (name: string): readonly ShownArgument[] => (Object.hasOwn(used, name) ? [written(name, used[name], " becomes")] : []);
  const names = Object.keys(input);
  const made = Object.keys(used).filter((name) => !Object.hasOwn(input, name));
  const shown = [
    ...names.slice(0, detail.arguments).flatMap((name) => [written(name, input[name]), ...becoming(name)]),
    ...made.slice(0, detail.arguments).flatMap(becoming),
  ];
  const left = Math.max(names.length - detail.arguments, 0) + Math.max(made.length - detail.arguments, 0);
  if (left > 0) shown.push({ name: "...", text: notShown(left, "argument").slice("... ".length) });
  const [beginning, rest] = beginningOf(confirmation.description, descriptionDetail(detail));
  return {
    description: visibleText(beginning) + (rest === 0 ? "" : ` ${notShown(rest, "character")}`),
    warnings: confirmation.outcomeUnknown === true ? [{ name: "warning", text: outcomeUnknownText }] : [],
    arguments: shown,
    isWhole: printer.isWhole && left === 0 && rest === 0,
  };
}

const outcomeUnknownText =
  "This call was approved before, and had begun when its process ended. It isn't known whether it took effect. If you approve it, it runs again.";

/** A tool's own description is long enough to be understood, and may not hide the arguments behind it either. */
const descriptionDetail = (detail: Detail): Pick<Detail, "characters" | "lines"> =>
  detail === wholeDetail
    ? wholeDetail
    : { characters: Math.min(Math.max(detail.characters, 200), 1_000), lines: Math.min(Math.max(detail.lines, 3), 20) };
