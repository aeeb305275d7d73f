import type { Place } from "./place.js";

/** How a keyword holds its subschemas: as its value, in a list, in a map by name, or a list of names in their stead. */
export type SubschemaKind = "one" | "list" | "oneOrList" | "map" | "mapOrNames";

/** Every keyword of draft-07 and 2020-12 that holds subschemas. All others hold data. */
export const subschemaKeywords: ReadonlyMap<string, SubschemaKind> = new Map([
  ["additionalItems", "one"],
  ["additionalProperties", "one"],
  ["contains", "one"],
  ["contentSchema", "one"],
  ["else", "one"],
  ["if", "one"],
  ["not", "one"],
  ["propertyNames", "one"],
  ["then", "one"],
  ["unevaluatedItems", "one"],
  ["unevaluatedProperties", "one"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["oneOf", "list"],
  ["prefixItems", "list"],
  ["items", "oneOrList"],
  ["$defs", "map"],
  ["definitions", "map"],
  ["dependentSchemas", "map"],
  ["patternProperties", "map"],
  ["properties", "map"],
  ["dependencies", "mapOrNames"],
]);

/** Those whose subschemas read the same value as the schema that holds them. */
export const inPlaceKeywords: readonly string[] = [
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "then",
  "else",
  "dependentSchemas",
  "dependencies",
];

/** A schema object as it is walked: any keyword, nothing known about its value. */
export type SchemaNode = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isSchema = (value: unknown): value is SchemaNode | boolean => typeof value === "boolean" || isRecord(value);

/** Own and not `undefined`: what JSON would keep. */
export const hasValue = (object: Record<string, unknown>, key: string): boolean => Object.hasOwn(object, key) && object[key] !== undefined;

/** Calls back for every subschema of a keyword, with its place. */
export function eachSubschema(kind: SubschemaKind, value: unknown, place: Place, visit: (subschema: unknown, place: Place) => void): void {
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) visit(inner, { parent: place, key: index });
  } else if (kind === "map" || kind === "mapOrNames") {
    for (const [name, inner] of Object.entries(value as object)) if (!Array.isArray(inner)) visit(inner, { parent: place, key: name });
  } else visit(value, place);
}
