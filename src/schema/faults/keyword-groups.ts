import type { SchemaNode } from "../keywords.js";

/** Groups of keywords, as bits: a walk doesn't look for keywords of a group that a schema has none of. */
export const Groups = {
  references: 1,
  kinds: 2,
  texts: 4,
  numbers: 8,
  arrays: 16,
  objects: 32,
  combinations: 64,
  unevaluated: 128,
} as const;

const members: Readonly<Record<keyof typeof Groups, readonly string[]>> = {
  references: ["$ref", "$dynamicRef"],
  kinds: ["type", "enum", "const"],
  texts: ["minLength", "maxLength", "pattern", "format"],
  numbers: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  arrays: ["prefixItems", "items", "additionalItems", "minItems", "maxItems", "uniqueItems", "contains"],
  objects: [
    "properties",
    "required",
    "patternProperties",
    "additionalProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
  ],
  combinations: ["allOf", "anyOf", "oneOf", "not", "if"],
  unevaluated: ["unevaluatedItems", "unevaluatedProperties"],
};

const bitOf: ReadonlyMap<string, number> = new Map(
  Object.entries(members).flatMap(([group, keywords]) =>
    keywords.map((keyword) => [keyword, Groups[group as keyof typeof Groups]] as const),
  ),
);

const known = new WeakMap<SchemaNode, number>();

/** The groups that a schema has keywords of. */
export function groupsOf(schema: SchemaNode): number {
  let groups = known.get(schema);
  if (groups === undefined) {
    groups = Object.keys(schema).reduce((bits, keyword) => bits | (bitOf.get(keyword) ?? 0), 0);
    known.set(schema, groups);
  }
  return groups;
}
