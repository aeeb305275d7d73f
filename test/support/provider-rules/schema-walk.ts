/** A schema on the wire, as plain JSON. */
export type Schema = Record<string, any>;

export const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null && !Array.isArray(value);

const single = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "additionalItems"];
const lists = ["anyOf", "oneOf", "allOf", "prefixItems"];
const maps = ["properties", "$defs", "definitions", "patternProperties", "dependentSchemas"];

/** Calls back for a schema and every schema within it, with its place. */
export function walk(schema: unknown, visit: (schema: unknown, place: string) => void, place = "#"): void {
  visit(schema, place);
  if (!isSchema(schema)) return;
  for (const key of single) {
    if (Array.isArray(schema[key])) for (const [index, inner] of schema[key].entries()) walk(inner, visit, `${place}/${key}/${index}`);
    else if (schema[key] !== undefined) walk(schema[key], visit, `${place}/${key}`);
  }
  for (const key of lists) for (const [index, inner] of (schema[key] ?? []).entries()) walk(inner, visit, `${place}/${key}/${index}`);
  for (const key of maps) for (const [name, inner] of Object.entries(schema[key] ?? {})) walk(inner, visit, `${place}/${key}/${name}`);
}

/** What is wrong with the references of a schema: each must lead to a definition at its root. */
export function badReferences(root: Schema): string[] {
  const faults: string[] = [];
  walk(root, (schema, place) => {
    if (!isSchema(schema) || schema.$ref === undefined) return;
    const name = /^#\/\$defs\/([^/]+)$/.exec(schema.$ref)?.[1];
    if (name === undefined || root.$defs?.[name] === undefined) faults.push(`${place} refers to ${schema.$ref}`);
  });
  return faults;
}

/** The keywords of a schema and of all within it that are none of some. */
export function otherKeywords(root: Schema, allowed: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  walk(root, (schema, place) => {
    if (isSchema(schema)) for (const key of Object.keys(schema)) if (!allowed.has(key)) faults.push(`${place} has ${key}`);
  });
  return faults;
}
