import { isPlain } from "../../schema/internal.js";
import { normaliseArguments } from "./normalise.js";

/** A copy of a JSON value, because code that gets the original may change it. Other values become JSON. */
export function copyJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  if (!isPlain(value)) return normaliseArguments(value);
  // Copying the whole object first is faster than member by member.
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) {
    const member = copy[key];
    if (typeof member === "object" && Object.hasOwn(copy, key)) copy[key] = copyJson(member);
  }
  return copy;
}
