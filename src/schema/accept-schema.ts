import { copySchema, type Refuse } from "./copy-schema.js";
import type { JsonSchema } from "./json-schema.js";
import { isRecord } from "./keywords.js";
import { pointerOf } from "./place.js";
import { plainDocument, readDocument, type SchemaDocument } from "./schema-document.js";
import { SchemaError } from "./schema-error.js";

const documents = new WeakMap<object, SchemaDocument>();

/**
 * Takes a foreign or generated schema in: returns a deeply frozen copy that means the same to every part of the library, or
 * refuses what an engine would misread in silence: unknown types (`"dict"`), keywords with values of the wrong kind, patterns
 * that are no regular expressions, references that lead nowhere or out of the schema (none is ever fetched), unknown dialects,
 * anything that isn't plain JSON. Draft-07 (also 04 and 06, as far as they agree with it) and 2020-12 are told apart by `$schema`;
 * without it, 2020-12 counts. Unknown keywords and formats pass through and are not checked.
 *
 * The schema given is never changed; a schema that was taken in before comes back as it is.
 *
 * ```ts
 * const schema = acceptSchema({ type: "object", properties: { city: { type: "string" } } }, { owner: "weather" });
 * ```
 *
 * @param options.owner begins the message of an error: the tool or class whose schema it is.
 * @throws SchemaError that names the place, the value, the reason and the fix.
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
 * Takes a schema in as it is, which the library itself made of parts that it had checked: it must be frozen, without references,
 * without patterns for names, and without names such as `toString`.
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
