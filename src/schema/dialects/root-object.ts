import { isEqual } from "../json-equality.js";
import type { SchemaNode } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import { setOwn } from "../../redaction/internal.js";
import type { SchemaDocument } from "../schema-document.js";
import { flatten } from "./merge-schemas.js";
import type { Notes } from "./notes.js";

/** What no provider takes beside the root's `type: "object"`. */
const combinators: readonly string[] = ["anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas", "dependencies", "enum", "const"];

/**
 * The schema of the arguments as one plain object, which every provider wants at the root. A union of objects becomes one
 * object with the properties of all; what that loses is noted.
 */
export function rootObject(schema: SchemaNode, document: SchemaDocument, notes: Notes): SchemaNode {
  const flat = flatten(schema, document);
  if (isRecord(flat) && flat.type === "object" && !Object.keys(flat).some((keyword) => combinators.includes(keyword))) return flat;
  const root: Record<string, unknown> = { ...(isRecord(flat) ? flat : withoutConjuncts(schema, notes)), type: "object" };
  for (const keyword of combinators) {
    const value = root[keyword];
    if (value === undefined) continue;
    notes.add(keyword, value);
    delete root[keyword];
    if (keyword === "anyOf" || keyword === "oneOf") widen(root, value as readonly unknown[], document);
  }
  return root;
}

/** An `allOf` that can't be written as one schema: its properties are written, and a note states the rest. */
function withoutConjuncts({ allOf, $ref: _reference, ...own }: SchemaNode, notes: Notes): SchemaNode {
  if (allOf !== undefined) notes.add("allOf", allOf);
  return Array.isArray(allOf) ? { ...own, anyOf: allOf } : own;
}

/** Adds the properties of the branches of a union to an object; only those that every branch requires are required. */
function widen(root: Record<string, unknown>, union: readonly unknown[], document: SchemaDocument): void {
  const branches = union.map((branch) => flatten(branch, document)).filter(isRecord);
  const own: SchemaNode = isRecord(root.properties) ? root.properties : {};
  const found = new Map<string, unknown[]>();
  for (const { properties } of branches) {
    for (const [name, schema] of Object.entries(isRecord(properties) ? properties : {})) {
      const known = found.get(name) ?? [];
      if (!known.some((other) => isEqual(other, schema))) known.push(schema);
      found.set(name, known);
    }
  }
  const properties: Record<string, unknown> = { ...own };
  for (const [name, schemas] of found) {
    if (!Object.hasOwn(own, name)) setOwn(properties, name, schemas.length === 1 ? schemas[0] : oneOfThem(schemas));
  }
  if (Object.keys(properties).length > 0) root.properties = properties;
  const [first = [], ...others] = branches.map(({ required }) => (Array.isArray(required) ? required : []));
  const required = [
    ...new Set([
      ...((root.required as string[] | undefined) ?? []),
      ...first.filter((name) => others.every((names) => names.includes(name))),
    ]),
  ];
  if (required.length > 0 && branches.length === union.length) root.required = required;
  const isClosed =
    branches.length > 0 && branches.length === union.length && branches.every(({ additionalProperties }) => additionalProperties === false);
  if (isClosed && root.additionalProperties === undefined) root.additionalProperties = false;
  // A closed object whose branches add names takes none of these; the union within it says so in vain.
  else if (root.additionalProperties === false && found.size > 0) delete root.additionalProperties;
}

/** Joins the constants that distinguish the branches of a union into one list. */
function oneOfThem(schemas: readonly unknown[]): SchemaNode {
  const values = schemas.flatMap(valuesOf);
  const types = new Set(values.map((value) => typeof value));
  const areLists = schemas.every((schema) => valuesOf(schema).length > 0);
  return areLists && types.size === 1 ? { type: [...types][0], enum: [...new Set(values)] } : { anyOf: schemas };
}

function valuesOf(schema: unknown): readonly unknown[] {
  if (!isRecord(schema)) return [];
  const values: readonly unknown[] = Array.isArray(schema.enum) ? schema.enum : Object.hasOwn(schema, "const") ? [schema.const] : [];
  return values.every((value) => typeof value === "string") ? values : [];
}
