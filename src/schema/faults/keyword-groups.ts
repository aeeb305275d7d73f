import { constraintOf, type SchemaNode } from "../keywords.js";

/** Groups of keywords, as bits. A walk skips the groups that a schema has no keyword of. */
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

const groupOfType = { string: "texts", number: "numbers", array: "arrays", object: "objects" } as const;

const groupOf: ReadonlyMap<string, keyof typeof Groups> = new Map<string, keyof typeof Groups>([
  ...[...constraintOf].map(([keyword, { constrains }]) => [keyword, groupOfType[constrains]] as const),
  ...["$ref", "$dynamicRef"].map((keyword) => [keyword, "references"] as const),
  ...["type", "enum", "const"].map((keyword) => [keyword, "kinds"] as const),
  ...["allOf", "anyOf", "oneOf", "not", "if"].map((keyword) => [keyword, "combinations"] as const),
  // They depend on what all other keywords have looked at, so they have a group of their own.
  ...["unevaluatedItems", "unevaluatedProperties"].map((keyword) => [keyword, "unevaluated"] as const),
]);

function bitOf(keyword: string): number {
  const group = groupOf.get(keyword);
  return group === undefined ? 0 : Groups[group];
}

const known = new WeakMap<SchemaNode, number>();

/** The groups of a schema's keywords. */
export function groupsOf(schema: SchemaNode): number {
  let groups = known.get(schema);
  if (groups === undefined) {
    groups = Object.keys(schema).reduce((bits, keyword) => bits | bitOf(keyword), 0);
    known.set(schema, groups);
  }
  return groups;
}
