import { printableLines } from "../redaction/internal.js";
import type { GramPlace } from "./gram/gram-error.js";

/**
 * A mistake in a specification, library or experiment. The message names it, the value and the fix.
 *
 * If the mistake is in a gram text, the error also has the place. See docs/errors.md.
 */
export class SpecificationError extends Error {
  override readonly name = "SpecificationError";
  /** The line in the gram text, from 1. */
  declare readonly line?: number;
  /** The column, from 1, in UTF-16 code units, as in editors. */
  declare readonly column?: number;
  /** The offset in the text, in UTF-16 code units. */
  declare readonly offset?: number;
  /** The line of the text, cut if it is long, with a caret under the place. */
  declare readonly excerpt?: string;

  constructor(message: string, { place, ...options }: { readonly cause?: unknown; readonly place?: GramPlace } = {}) {
    super(printableLines(message), options);
    if (place === undefined) return;
    const { line, column, offset, excerpt } = place;
    Object.assign(this, { line, column, offset, excerpt });
  }
}
