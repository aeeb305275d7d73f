import { acceptSchema, type JsonSchema, SchemaError } from "../../schema/index.js";
import { ToolDefinitionError } from "../tool-errors.js";

/** Accepts a raw schema. Throws a `ToolDefinitionError` that begins with `owner`; its cause has the place in the schema. */
export function acceptRawSchema(schema: unknown, owner: string): JsonSchema {
  try {
    return acceptSchema(schema, { owner });
  } catch (error) {
    if (error instanceof SchemaError) throw new ToolDefinitionError(error.message, { cause: error });
    throw error;
  }
}

export function holdsReference(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  if (Array.isArray(schema)) return schema.some(holdsReference);
  return "$ref" in schema || Object.values(schema).some(holdsReference);
}

/** Rewrites references to the schema's own root so that they are valid at its new place. */
export function rebase(schema: unknown, root: string): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((item) => rebase(item, root));
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => key !== "$schema")
      .map(([key, value]) => [
        key,
        key === "$ref" && typeof value === "string" && value.startsWith("#") ? root + value.slice(1) : rebase(value, root),
      ]),
  );
}
