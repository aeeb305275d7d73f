import type { JsonType } from "../json-schema.js";
import { constraintOf, type SchemaNode } from "../keywords.js";
import { isOfOneType, typesOf, typesOfValues } from "../faults/value-kinds.js";

/** Keywords that constrain values of every type, and that a description can state in words alone. */
export const keywordsForAnyType: ReadonlySet<string> = new Set([
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

/** Keywords that are written as they are, as a part of the shape, or that mean nothing to a model. */
const plainlyWritten: ReadonlySet<string> = new Set([
  ...["type", "enum", "const", "description", "title", "$ref", "$defs", "definitions", "$schema", "$id", "$anchor", "$comment"],
  ...["properties", "required", "additionalProperties", "items", "additionalItems", "deprecated", "readOnly", "writeOnly"],
]);

/** The keywords that a narrow form can't write in their own place, by the type that they constrain. */
export const keywordsForNotes: ReadonlyMap<string, JsonType | "any"> = new Map<string, JsonType | "any">(
  [
    ...[...constraintOf].map(([key, { constrains }]) => [key, constrains] as const),
    ...[...keywordsForAnyType].map((key) => [key, "any"] as const),
  ].filter(([key]) => !plainlyWritten.has(key)),
);

/** Whether a keyword beside a `$ref` can constrain more than the schema that it refers to. */
export const addsToReference = (key: string): boolean => !plainlyWritten.has(key) || constraintOf.has(key);

/** The values of `enum` or `const`, of the types that the schema allows. */
export function listedValues(node: SchemaNode): readonly unknown[] | undefined {
  const values: readonly unknown[] | undefined = Array.isArray(node.enum)
    ? node.enum
    : Object.hasOwn(node, "const")
      ? [node.const]
      : undefined;
  const types = values && typesOf(node.type);
  return types === undefined || values?.every((value) => isOfOneType(value, types))
    ? values
    : values?.filter((value) => isOfOneType(value, types));
}

/** The types that a schema states, or shows by its keywords, with `null` last. The list is empty if the schema leaves its type open. */
export function effectiveTypes(node: SchemaNode, listed = listedValues(node)): readonly JsonType[] {
  if (typeof node.type === "string") return listed?.length === 0 ? [] : [node.type as JsonType];
  const declared = typesOf(node.type);
  const values = listed && typesOfValues(listed);
  if (values !== undefined) return sorted(declared?.filter((type) => values.some((other) => isSame(type, other))) ?? values);
  if (declared !== undefined) return sorted(declared);
  const shown = Object.keys(node).flatMap((key) => constraintOf.get(key)?.constrains ?? []);
  return [...new Set(shown)].length === 1 ? shown.slice(0, 1) : [];
}

const isSame = (type: JsonType, other: JsonType): boolean => type === other || (type === "integer" && other === "number");

/** A number may be an integer, so that one of them is enough. */
const sorted = (types: readonly JsonType[]): readonly JsonType[] => {
  const kept = types.filter((type) => type !== "null" && !(type === "integer" && types.includes("number")));
  return types.includes("null") ? [...new Set(kept), "null"] : [...new Set(kept)];
};
