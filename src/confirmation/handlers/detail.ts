import { visibleText } from "./visible-text.js";

/** How much of a confirmation is shown. What is beyond a limit is counted. */
export interface Detail {
  /** Of one text. */
  readonly characters: number;
  /** Of one text that has several. */
  readonly lines: number;
  /** Of one list. */
  readonly items: number;
  /** Of one object. */
  readonly members: number;
  /** Lists and objects in each other. */
  readonly depth: number;
  /** Of the call. */
  readonly arguments: number;
}

/** Everything, for a person who asks for it. */
export const wholeDetail: Detail = {
  characters: Number.POSITIVE_INFINITY,
  lines: Number.POSITIVE_INFINITY,
  items: Number.POSITIVE_INFINITY,
  members: Number.POSITIVE_INFINITY,
  depth: Number.POSITIVE_INFINITY,
  arguments: Number.POSITIVE_INFINITY,
};

/**
 * From much to little. Long values give way to short ones: a number is shown whole in each of them, and in the last one every
 * argument takes one line.
 */
const details: readonly Detail[] = [
  { characters: 2_000, lines: 40, items: 50, members: 50, depth: 8, arguments: 100 },
  { characters: 1_000, lines: 20, items: 20, members: 50, depth: 6, arguments: 100 },
  { characters: 400, lines: 10, items: 10, members: 20, depth: 5, arguments: 50 },
  { characters: 150, lines: 4, items: 5, members: 20, depth: 4, arguments: 50 },
  { characters: 60, lines: 1, items: 3, members: 10, depth: 3, arguments: 20 },
  { characters: 30, lines: 1, items: 0, members: 0, depth: 0, arguments: 12 },
];

/** The most detailed form that fits; the least detailed one if none does. */
export function fittingDetail<Shown>(show: (detail: Detail) => Shown, fits: (shown: Shown) => boolean): Shown {
  let shown: Shown | undefined;
  for (const detail of details) {
    shown = show(detail);
    if (fits(shown)) break;
  }
  return shown as Shown; // the list isn't empty
}

/** What stands behind a value that isn't shown whole: `... 4,812 more characters not shown`. */
export const notShown = (count: number, what: string): string =>
  `... ${count.toLocaleString("en-US")} more ${count === 1 ? what : `${what}s`} not shown`;

/**
 * The beginning of a text within limits, and how many characters are left out. Characters that can't be seen are shown by
 * their names, which are longer: fewer of them fit.
 */
export function beginningOf(text: string, { characters, lines }: Pick<Detail, "characters" | "lines">): readonly [string, number] {
  let end = Math.min(characters, lines < text.length ? text.split("\n", lines).join("\n").length : text.length);
  if (end === text.length && end < characters / longestCharacterName) return [text, 0];
  while (end > 1 && visibleText(text.slice(0, end)).length > characters * 2) end = Math.floor(end / 2);
  // Half a character would be shown as a strange one.
  if (/[\ud800-\udbff]/.test(text.charAt(end - 1)) && end < text.length) end -= 1;
  return [text.slice(0, end), text.length - end];
}

/** `<U+E0041>`. */
const longestCharacterName = 9;
