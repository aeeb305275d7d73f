import type { JsonType } from "../json-schema.js";
import type { SchemaNode } from "../keywords.js";
import { isOfType, typesOf, typesOfValues } from "../value-kinds.js";

/** The type of which each keyword speaks; those that speak of every type aren't listed. */
export const typeOfKeyword: ReadonlyMap<string, JsonType> = new Map<string, JsonType>([
  ...["minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType", "contentSchema"].map(
    (key) => [key, "string"] as const,
  ),
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"].map((key) => [key, "number"] as const),
  ...["items", "additionalItems", "prefixItems", "unevaluatedItems", "minItems", "maxItems", "uniqueItems"].map(
    (key) => [key, "array"] as const,
  ),
  ...["contains", "minContains", "maxContains"].map((key) => [key, "array"] as const),
  ...["properties", "required", "additionalProperties", "patternProperties", "propertyNames"].map((key) => [key, "object"] as const),
  ...["minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"].map(
    (key) => [key, "object"] as const,
  ),
]);

/** What speaks of values of every type, and can be told in words alone. */
export const spoken: ReadonlySet<string> = new Set([
  "default",
  "examples",
  "const",
  "not",
  "if",
  "then",
  "else",
  "allOf",
  "anyOf",
  "oneOf",
]);

/** The values of `enum` or `const`, of the types that the schema allows. */
export function listedValues(node: SchemaNode): readonly unknown[] | undefined {
  const types = typesOf(node.type);
  const values: readonly unknown[] | undefined = Array.isArray(node.enum)
    ? node.enum
    : Object.hasOwn(node, "const")
      ? [node.const]
      : undefined;
  return types === undefined ? values : values?.filter((value) => types.some((type) => isOfType(value, type)));
}

/** The types that a schema says or shows by its keywords, `null` last; empty where it leaves them open. */
export function effectiveTypes(node: SchemaNode): readonly JsonType[] {
  if (typeof node.type === "string" && node.enum === undefined && !Object.hasOwn(node, "const")) return [node.type as JsonType];
  const declared = typesOf(node.type);
  const listed = listedValues(node);
  const values = listed && typesOfValues(listed);
  if (values !== undefined) return sorted(declared?.filter((type) => values.some((other) => isSame(type, other))) ?? values);
  if (declared !== undefined) return sorted(declared);
  const shown = Object.keys(node).flatMap((key) => typeOfKeyword.get(key) ?? []);
  return [...new Set(shown)].length === 1 ? shown.slice(0, 1) : [];
}

const isSame = (type: JsonType, other: JsonType): boolean => type === other || (type === "integer" && other === "number");

/** A number may be an integer, so that one of them is enough. */
const sorted = (types: readonly JsonType[]): readonly JsonType[] => {
  const kept = types.filter((type) => type !== "null" && !(type === "integer" && types.includes("number")));
  return types.includes("null") ? [...new Set(kept), "null"] : [...new Set(kept)];
};
