import { isPlain } from "../../schema/internal.js";
import { normaliseArguments } from "./normalise.js";

/** A copy of a JSON value: who gets the original may change it. What code passed in place of JSON becomes JSON. */
export function copyJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isPlain(value)) return normaliseArguments(value);
  // Copied whole, which is faster than member by member; what is no text, number or boolean then once more.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const member = copy[key];
    if (typeof member === "object" && Object.hasOwn(copy, key)) copy[key] = copyJson(member);
  }
  return copy;
}
