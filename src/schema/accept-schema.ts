import type { JsonSchema } from "./json-schema.js";
import { SchemaError } from "./schema-error.js";

/** Takes a foreign or generated schema in. */
export function acceptSchema(schema: unknown, { owner = "schema" }: { readonly owner?: string } = {}): JsonSchema {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new SchemaError(`${owner}: a schema must be an object, got ${JSON.stringify(schema)}.`, "#");
  }
  return freeze(structuredClone(schema) as JsonSchema);
}

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) if (typeof inner === "object" && inner !== null) freeze(inner);
  return Object.freeze(value);
}
