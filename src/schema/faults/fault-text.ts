import { got, listNames, listValues } from "./describe-value.js";
import { isRecord } from "../type-guards.js";
import type { Place } from "../place.js";
import { isSecretName } from "../../redaction/index.js";

/** Faults reach models, logs and traces, so they never quote a password. */
export const isSecret = (place: Place | undefined): boolean => typeof place?.key === "string" && isSecretName(place.key);

const unknownTexts = new WeakMap<object, string>();

/** The names that a schema declares, put into words once. */
export function unknownKey(declared: Record<string, unknown> = {}): string {
  let text = unknownTexts.get(declared);
  if (text === undefined) {
    const names = Object.keys(declared);
    text = names.length === 0 ? "is unknown (nothing is expected here)" : `is unknown (known: ${listNames(names)})`;
    unknownTexts.set(declared, text);
  }
  return text;
}

/** What is wrong with a value that fits a schema under `not`. */
export function excluded(not: unknown, value: unknown, place: Place | undefined): string {
  if (isRecord(not) && Array.isArray(not.enum)) return `must not be one of: ${listValues(not.enum)}${isSecret(place) ? "" : got(value)}`;
  if (isRecord(not) && Array.isArray(not.required))
    return `must not have ${listNames(not.required)}${not.required.length > 1 ? " together" : ""}`;
  if (isRecord(not) && Object.hasOwn(not, "const")) return `must not be ${listValues([not.const])}`;
  return "has a form that is not allowed here";
}
