import { sha256 } from "../platform/index.js";
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
  return canonicalText(value, { room: mostCharacters }, 0);
}

/** Arguments have at most 256 KB, schemas 64,000 characters. A longer text isn't cut, because two values could then have the same. */
const mostCharacters = 2_000_000;
const deepest = 1_000;

function canonicalText(value: unknown, limit: { room: number }, depth: number): string {
  limit.room -= typeof value === "string" ? value.length + 2 : 2;
  if (limit.room < 0 || depth > deepest) {
    throw new RangeError(
      `canonicalJson: the value has more than ${mostCharacters} characters or ${deepest} levels. Do its objects contain each other?`,
    );
  }
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, limit, depth + 1)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const record = value as Readonly<Record<string, unknown>>;
  const members: string[] = [];
  for (const key of Object.keys(record).sort()) {
    if (record[key] === undefined) continue;
    limit.room -= key.length;
    members.push(`${JSON.stringify(key)}:${canonicalText(record[key], limit, depth + 1)}`);
  }
  return `{${members.join(",")}}`;
}

/** SHA-256 of the canonical text of a JSON value, as 64 hex digits. */
export const canonicalHash = (value: unknown): string => sha256(canonicalJson(value));
