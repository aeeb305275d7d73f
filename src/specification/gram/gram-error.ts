import { printable, printableLines } from "../../redaction/internal.js";

const excerptWidth = 100;

/** A place in a gram text. */
export interface GramPlace {
  /** The offset in the text, in UTF-16 code units. */
  readonly offset: number;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1, in UTF-16 code units, as in editors. */
  readonly column: number;
  /** The line of the text, cut if it is long, with a caret under the place. */
  readonly excerpt: string;
}

/**
 * A problem at a place in a gram text. The message has line and column, and shows the line with a caret:
 *
 * ```
 * line 1, column 10: expected "(", but found the end of the text
 * (a)==>(b)
 *          ^
 * ```
 *
 * See docs/10-specifications-and-gram.md.
 */
export abstract class GramError extends Error implements GramPlace {
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1, in UTF-16 code units, as in editors. */
  readonly column: number;
  /** The line of the text, cut if it is long, with a caret under the place. */
  readonly excerpt: string;

  constructor(
    text: string,
    /** The place in the text, in UTF-16 code units. */
    readonly offset: number,
    /** What is wrong: the message without the place. */
    readonly fault: string,
  ) {
    const place = placeIn(text, offset);
    super(messageAt(place, printable(fault)));
    this.line = place.line;
    this.column = place.column;
    this.excerpt = place.excerpt;
  }
}

/** A text that isn't valid gram. See docs/10-specifications-and-gram.md. */
export class GramSyntaxError extends GramError {
  override readonly name = "GramSyntaxError";

  constructor(
    text: string,
    offset: number,
    /** What could have stood there. */
    readonly expected: readonly string[],
    /** What stands there. */
    readonly found: string,
    hint?: string,
  ) {
    super(text, offset, `expected ${inWords(expected)}, but found ${found}${hint === undefined ? "" : `. ${hint}`}`);
  }
}

/**
 * A gram text that isn't a type signature: an unknown type, a repeated parameter name, a default that doesn't match. See
 * docs/10-specifications-and-gram.md.
 */
export class TypeSignatureError extends GramError {
  override readonly name = "TypeSignatureError";
}

function inWords(choices: readonly string[]): string {
  return choices.length < 2 ? choices.join() : `${choices.slice(0, -1).join(", ")} or ${choices[choices.length - 1]}`;
}

/** What is wrong, and where. */
export const messageAt = ({ line, column, excerpt }: GramPlace, fault: string): string =>
  `line ${line}, column ${column}: ${fault}\n${excerpt}`;

export function placeIn(text: string, offset: number): GramPlace {
  const before = text.slice(0, offset);
  // A byte order mark takes no column.
  const textStart = text.startsWith("\ufeff") && offset > 0 ? 1 : 0;
  const lineStart = before.lastIndexOf("\n") + 1 || textStart;
  let line = 1;
  for (let at = before.indexOf("\n"); at !== -1; at = before.indexOf("\n", at + 1)) line++;

  const lineEnd = text.indexOf("\n", offset);
  const from = Math.max(lineStart, offset - excerptWidth / 2);
  const shown = text.slice(from, Math.min(lineEnd === -1 ? text.length : lineEnd, from + excerptWidth)).replace(/\r$/, "");
  // Tabs stay tabs, so that the caret stands below its character however wide they are shown.
  const indent = printableLines(text.slice(from, offset)).replace(/[^\t]/g, " ");
  return { offset, line, column: offset - lineStart + 1, excerpt: `${printableLines(shown)}\n${indent}^` };
}
