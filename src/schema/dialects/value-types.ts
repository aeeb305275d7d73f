import type { JsonType } from "../json-schema.js";
import type { SchemaNode } from "../keywords.js";
import { isOfType, typesOf, typesOfValues } from "../faults/value-kinds.js";

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

/** Written as they are, as a part of the shape, or without weight for a model. */
const plainlyWritten: ReadonlySet<string> = new Set([
  ...["type", "enum", "const", "description", "title", "$ref", "$defs", "definitions", "$schema", "$id", "$anchor", "$comment"],
  ...["properties", "required", "additionalProperties", "items", "additionalItems", "deprecated", "readOnly", "writeOnly"],
]);

/** What else a schema may say, by the type of the values that each keyword speaks of. */
export const sayings: ReadonlyMap<string, JsonType | "any"> = new Map<string, JsonType | "any">(
  [...typeOfKeyword, ...[...spoken].map((key) => [key, "any"] as const)].filter(([key]) => !plainlyWritten.has(key)),
);

/** Whether a keyword beside a `$ref` can say more than what is referred to. */
export const addsToReference = (key: string): boolean => !plainlyWritten.has(key) || typeOfKeyword.has(key);

/** The values of `enum` or `const`, of the types that the schema allows. */
export function listedValues(node: SchemaNode): readonly unknown[] | undefined {
  const values: readonly unknown[] | undefined = Array.isArray(node.enum)
    ? node.enum
    : Object.hasOwn(node, "const")
      ? [node.const]
      : undefined;
  const types = values && typesOf(node.type);
  return types === undefined || values?.every((value) => isOfOne(value, types)) ? values : values?.filter((value) => isOfOne(value, types));
}

function isOfOne(value: unknown, types: readonly JsonType[]): boolean {
  for (const type of types) if (isOfType(value, type)) return true;
  return false;
}

/** The types that a schema says or shows by its keywords, `null` last; empty where it leaves them open. */
export function effectiveTypes(node: SchemaNode, listed = listedValues(node)): readonly JsonType[] {
  if (typeof node.type === "string") return listed?.length === 0 ? [] : [node.type as JsonType];
  const declared = typesOf(node.type);
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
