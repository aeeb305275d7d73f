import { sha256 } from "../platform/index.js";
import { canonicalText } from "../schema/internal.js";

/**
 * Converts a JSON value to a text that doesn't depend on the order of keys, so that equal values have equal texts.
 *
 * ```ts
 * canonicalJson({ b: 1, a: [true] }); // '{"a":[true],"b":1}'
 * ```
 *
 * Members that are `undefined` are left out, as in `JSON.stringify`. Throws `RangeError` if the text has over 2 million characters.
 * See docs/04-confirmation.md.
 */
export function canonicalJson(value: unknown): string {
  let room = mostCharacters;
  return canonicalText(value, (part, depth) => {
    room -= typeof part === "string" ? part.length + 2 : 2;
    if (room >= 0 && depth <= deepest) return;
    throw new RangeError(
      `canonicalJson: the value has more than ${mostCharacters} characters or ${deepest} levels. Do its objects contain each other?`,
    );
  });
}

/** Arguments have at most 256 KB, schemas 64,000 characters. A longer text isn't cut, because two values could then have the same. */
const mostCharacters = 2_000_000;
const deepest = 1_000;

/** SHA-256 of the canonical text of a JSON value, as 64 hex digits. */
export const canonicalHash = (value: unknown): string => sha256(canonicalJson(value));
