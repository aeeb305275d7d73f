import type { JsonType } from "../json-schema.js";
import { jsonTypes } from "../keywords.js";
import { isRecord } from "../type-guards.js";

/** The list of each type alone, made once. */
const single = new Map<unknown, readonly JsonType[]>(jsonTypes.map((type) => [type, [type]]));

/** The types that a `type` keyword names. */
export function typesOf(type: unknown): readonly JsonType[] | undefined {
  // The names were checked when the schema was taken in.
  return type === undefined ? undefined : (single.get(type) ?? (type as readonly JsonType[]));
}

const ofValues = new WeakMap<readonly unknown[], readonly JsonType[]>();

/** The types that the values of an `enum` have. It doesn't distinguish integers from other numbers. */
export function typesOfValues(values: readonly unknown[]): readonly JsonType[] {
  if (values.length === 1) return [typeOf(values[0])];
  let types = ofValues.get(values);
  if (types === undefined) ofValues.set(values, (types = [...new Set(values.map(typeOf))]));
  return types;
}

function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const name = typeof value;
  return name === "string" || name === "number" || name === "boolean" ? name : "object";
}

/** As JSON Schema means it: 3 is an integer and a number, `NaN` is neither, an array is no object. */
export function isOfType(value: unknown, type: JsonType): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    default:
      return typeof value === type;
  }
}

/** Whether a value is of one of the types. A loop, because it is asked for each value of a validation. */
export function isOfOneType(value: unknown, types: readonly JsonType[]): boolean {
  for (const type of types) if (isOfType(value, type)) return true;
  return false;
}

/** Characters as a person counts code points: a smiley is one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
