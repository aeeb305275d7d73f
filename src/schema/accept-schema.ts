import { copySchema, type Refuse } from "./copy-schema.js";
import type { JsonSchema } from "./json-schema.js";
import { isRecord } from "./type-guards.js";
import { pointerOf } from "./place.js";
import { plainDocument, readDocument, type SchemaDocument } from "./schema-document.js";
import { SchemaError } from "./schema-error.js";

const documents = new WeakMap<object, SchemaDocument>();

/**
 * Checks a JSON Schema and returns a deeply frozen copy that is safe to use for a tool.
 *
 * ```ts
 * const schema = acceptSchema({ type: "object", properties: { city: { type: "string" } } }, { owner: "weather" });
 * ```
 *
 * It rejects what a validator would silently misread:
 *
 * - unknown types (`"dict"`), keyword values of the wrong kind, invalid patterns
 * - references that lead nowhere or to other documents (nothing is fetched)
 * - unknown dialects, and values that aren't plain JSON
 *
 * `$schema` chooses draft-07 (04 and 06 as far as they agree) or 2020-12, the default. Unknown keywords and formats are kept and
 * not checked. The input isn't changed; a schema that was accepted before is returned as it is. See docs/json-schema.md.
 *
 * @param options.owner The tool or class that the schema belongs to; error messages start with it.
 * @throws SchemaError with the place, the value, the reason and the fix.
 */
export function acceptSchema(schema: unknown, { owner }: { readonly owner?: string } = {}): JsonSchema {
  if (isRecord(schema) && documents.has(schema)) return schema;
  const refuse: Refuse = (place, reason) => {
    const pointer = pointerOf(place);
    throw new SchemaError(`${owner === undefined ? "" : `${owner}: `}the schema at ${pointer} ${reason}`, pointer);
  };
  if (!isRecord(schema)) refuse(undefined, `is ${describe(schema)}, but must be an object such as { "type": "object", "properties": {} }.`);
  // `copySchema` returns an object for an object; what its keywords hold is checked by `readDocument`.
  const copy = copySchema(schema, refuse) as JsonSchema;
  documents.set(copy, readDocument(copy, refuse));
  return copy;
}

/**
 * Accepts a schema unchanged that the library made of checked parts. It must be frozen, without references, without patterns for names, and
 * without names such as `toString`.
 */
export function acceptGenerated(schema: JsonSchema): void {
  documents.set(schema, plainDocument);
}

/** What is known about a schema that was taken in. */
export function documentOf(schema: JsonSchema): SchemaDocument {
  const document = documents.get(schema);
  if (document === undefined) throw new TypeError("documentOf needs a schema that acceptSchema returned.");
  return document;
}

const describe = (value: unknown): string =>
  Array.isArray(value) ? "a list" : value === null || value === undefined ? String(value) : `${typeof value} ${String(value).slice(0, 60)}`;
