/** Where the subschemas of a keyword are: in its value, in a list, in a map by name, or a list of names in their stead. */
export type SubschemaPlace = "one" | "list" | "oneOrList" | "map" | "mapOrNames";

/** Every keyword of draft-07 and 2020-12 that holds subschemas. All others hold data. */
export const subschemaKeywords: ReadonlyMap<string, SubschemaPlace> = new Map([
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

/** Calls back for every subschema of a keyword, with the rest of its JSON pointer. */
export function eachSubschema(place: SubschemaPlace, value: unknown, visit: (subschema: unknown, pointer: string) => void): void {
  if (Array.isArray(value)) {
    for (const [index, inner] of value.entries()) visit(inner, `/${index}`);
  } else if (place === "map" || place === "mapOrNames") {
    for (const [name, inner] of Object.entries(value as object)) if (!Array.isArray(inner)) visit(inner, pointerStep(name));
  } else visit(value, "");
}

/** One step of a JSON pointer. */
export const pointerStep = (name: string): string =>
  /[~/]/.test(name) ? `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}` : `/${name}`;

/** Sets a property whatever its name: `__proto__` becomes an own property like any other. */
export function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}
