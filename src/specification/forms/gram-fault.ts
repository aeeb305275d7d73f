import { type GramPlace, messageAt, placeIn } from "../gram/gram-error.js";
import type { GramSpan } from "../gram/index.js";
import { SpecificationError } from "../specification-error.js";

/** Throws the error of a fault that begins where `part` does in the text it was read from. */
export function wrongAt(text: string, part: { readonly span?: GramSpan }, reason: string, cause?: unknown): never {
  throw faultAt(placeIn(text, part.span?.start ?? 0), reason, cause);
}

/** Returns the result of `read`. Errors without a place get the place of `part`. */
export function readAt<T>(text: string, part: { readonly span?: GramSpan }, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SpecificationError) || error.line !== undefined) throw error;
    return wrongAt(text, part, error.message, error.cause);
  }
}

export const faultAt = (place: GramPlace, reason: string, cause?: unknown): SpecificationError =>
  new SpecificationError(messageAt(place, reason), cause === undefined ? { place } : { place, cause });
