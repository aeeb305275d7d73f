import type { JsonType } from "../../json-schema.js";
import type { Notes } from "../notes.js";
import { isPlainPattern, type NarrowRules } from "../dialect-rules.js";

/** Writes a keyword that bounds values of one type. If the rules don't know it, it writes the nearest bound and a note. */
export function writeBound(
  { keywords, formats, plainPatterns }: NarrowRules,
  key: string,
  value: unknown,
  type: JsonType,
  wire: Record<string, unknown>,
  notes: Notes,
): void {
  const isLegal = (key !== "format" || formats.has(String(value))) && (key !== "pattern" || !plainPatterns || isPlainPattern(value));
  if (keywords.has(key) && isLegal) {
    wire[key] = nearer(key, wire[key], value);
    return;
  }
  // The nearest inclusive bound. For integers it means the same.
  const inclusive = key === "exclusiveMinimum" ? "minimum" : key === "exclusiveMaximum" ? "maximum" : undefined;
  const isBounded = inclusive !== undefined && keywords.has(inclusive);
  if (!isBounded || type !== "integer") notes.add(key, value);
  if (!isBounded) return;
  const number = value as number;
  const next = inclusive === "minimum" ? Math.floor(number) + 1 : Math.ceil(number) - 1;
  wire[inclusive] = nearer(inclusive, wire[inclusive], type === "integer" ? next : number);
}

/** The stricter of two bounds. */
function nearer(key: string, known: unknown, value: unknown): unknown {
  if (typeof known !== "number") return value;
  return key === "minimum" ? Math.max(known, value as number) : Math.min(known, value as number);
}
