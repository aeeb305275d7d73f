import type { JsonSchema } from "../schema/index.js";
import { isRecord } from "../schema/internal.js";

/** A parameter, or a property of one. */
export interface ParameterPlace {
  readonly name: string;
  /** `address.street`, `items[].price`. */
  readonly path: string;
  /** With what it refers to. */
  readonly schemas: readonly JsonSchema[];
}

/** All parameters of a schema, those of nested objects and lists too; what is recursive is walked once. */
export function parametersIn(schema: JsonSchema): readonly ParameterPlace[] {
  const places: ParameterPlace[] = [];
  const seen = new Set<JsonSchema>();
  const walk = (value: unknown, path: string): void => {
    for (const node of withReferred(value, schema)) {
      if (seen.has(node)) continue;
      seen.add(node);
      for (const [name, property] of Object.entries(node.properties ?? {})) {
        const place = path === "" ? name : `${path}.${name}`;
        places.push({ name, path: place, schemas: withReferred(property, schema) });
        walk(property, place);
      }
      walk(node.items, `${path}[]`);
      for (const branch of [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])]) walk(branch, path);
    }
  };
  walk(schema, "");
  return places;
}

/** A schema and those that it refers to within its document, one after another. Other references are left alone. */
function withReferred(value: unknown, document: JsonSchema): readonly JsonSchema[] {
  const found: JsonSchema[] = [];
  for (let node = value; isRecord(node) && !found.includes(node); node = referred(node.$ref, document)) found.push(node);
  return found;
}

function referred(reference: unknown, document: JsonSchema): unknown {
  if (typeof reference !== "string" || !reference.startsWith("#")) return undefined;
  const keys = reference.slice(1).split("/").slice(1);
  return keys.reduce<unknown>(
    (node, key) => (isRecord(node) ? node[key.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined),
    document,
  );
}
