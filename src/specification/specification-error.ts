import { printableLines } from "../redaction/internal.js";
import type { GramPlace } from "./gram/gram-error.js";

/**
 * The author's mistake in a tool specification, an agent specification, a library or an experiment. Names it, the value and the fix.
 * Where it stands in a gram text, be it a file or a type signature alone, the error has the place, as a `GramError` does.
 */
export class SpecificationError extends Error {
  override readonly name = "SpecificationError";
  /** Line in the gram text, counted from 1. */
  declare readonly line?: number;
  /** Column, counted from 1 in UTF-16 code units, as editors do. */
  declare readonly column?: number;
  /** The place in the text, in UTF-16 code units. */
  declare readonly offset?: number;
  /** The line of the text, cut where it is long, and below it a caret at the place. */
  declare readonly excerpt?: string;

  constructor(message: string, { place, ...options }: { readonly cause?: unknown; readonly place?: GramPlace } = {}) {
    super(printableLines(message), options);
    if (place === undefined) return;
    const { line, column, offset, excerpt } = place;
    Object.assign(this, { line, column, offset, excerpt });
  }
}
