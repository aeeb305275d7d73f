import type { JsonType, JsonValue } from "../../schema/index.js";

/**
 * The values of an enum option: an array of literals, or a TypeScript enum object, whose numeric members also
 * appear under reversed keys (`{ Low: 0, "0": "Low" }`). The wire sees values, never names.
 */
export function enumValues(source: unknown): readonly JsonValue[] | undefined {
  if (Array.isArray(source)) return source as readonly JsonValue[];
  if (typeof source !== "object" || source === null) return undefined;
  return Object.entries(source)
    .filter(([key, value]) => !(typeof value === "string" && (source as Record<string, unknown>)[value] === Number(key)))
    .map(([, value]) => value as JsonValue);
}

/** The JSON type that all values share, if they do. */
export function commonType(values: readonly JsonValue[]): JsonType | undefined {
  const types = new Set(values.map(typeOfValue));
  if (types.size === 1) return [...types][0];
  if (types.size === 2 && types.has("integer") && types.has("number")) return "number";
  return undefined;
}

export function typeOfValue(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "string" | "boolean" | "object";
}
