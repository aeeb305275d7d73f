import type { JsonType } from "../json-schema.js";
import { constraintOf, type SchemaNode } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import { setOwn } from "../../redaction/internal.js";
import { typesOf } from "../faults/value-kinds.js";
import type { Conversion, Converted } from "./conversion.js";
import { flatten } from "./merge-schemas.js";
import { joinTexts, Notes } from "./notes.js";
import { OpenSchema } from "./open-schema.js";
import { rootObject } from "./root-object.js";
import { openRules } from "./dialect-rules.js";
import { effectiveTypes, keywordsForAnyType } from "./effective-types.js";

/**
 * Writes a schema for Ollama, whose server reads `type`, `items`, `description` and `enum` of each property and drops all else
 * (ollama-js, `Tool`). Its older versions refuse lists of types and schemas that are true or false.
 */
export function flatSchema(conversion: Conversion): Converted {
  const { schema, document } = conversion;
  const notes = new Notes(conversion);
  const root = rootObject(schema, document, notes);
  const properties: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(isRecord(root.properties) ? root.properties : {})) {
    if (inner !== false) setOwn(properties, name, writeProperty(inner));
  }
  for (const key of Object.keys(root))
    if (isKept(key) && key !== "properties" && key !== "required" && !isDefaultClosing(key, root)) notes.add(key, root[key]);
  const required = (Array.isArray(root.required) ? root.required : []).filter((name) => Object.hasOwn(properties, name));
  const parameters = { type: "object", properties, ...(required.length > 0 && { required }) };
  return { parameters, note: joinTexts(root.description, notes.text), restore: undefined };

  function writeProperty(given: unknown): SchemaNode {
    const node = flatten(given, document) ?? given;
    if (!isRecord(node)) return { description: "Any value." };
    const own = new Notes(conversion);
    const types = typesIn(node);
    const [only, second] = types.filter((type) => type !== "null");
    const wire: Record<string, unknown> = {};
    if (only !== undefined && second === undefined) wire.type = only;
    if (types.length > 1) own.add("type", types);
    if (only === "array" && isRecord(node.items)) wire.items = writeItems(node.items, own);
    if (Array.isArray(node.enum)) wire.enum = node.enum;
    for (const key of Object.keys(node)) if (isKept(key) && !(key === "items" && wire.items !== undefined)) own.add(key, node[key]);
    const description = joinTexts(node.description, own.text);
    if (description !== undefined) wire.description = description;
    return wire;
  }

  /** The types of a schema, or of the branches of its union if each declares its types. */
  function typesIn(node: SchemaNode): readonly JsonType[] {
    const union = node.type === undefined ? (node.anyOf ?? node.oneOf) : undefined;
    if (!Array.isArray(union)) return typesOf(node.type) ?? effectiveTypes(node);
    const branches = union.map((branch) => flatten(branch, document)).map((branch) => (isRecord(branch) ? typesIn(branch) : []));
    return branches.some((types) => types.length === 0) ? [] : [...new Set(branches.flat())];
  }

  /** The server passes `items` on unread; only what they refer to would be missing. */
  function writeItems(items: SchemaNode, own: Notes): SchemaNode {
    const writer = new OpenSchema(openRules, conversion);
    const written = writer.write(items);
    if (!writer.hasReferences) return written;
    own.add("items", items);
    const flat = flatten(items, document);
    return isRecord(flat) && typeof flat.type === "string" ? { type: flat.type } : {};
  }
}

/** Unknown keywords check nothing. */
const isKept = (key: string): boolean => constraintOf.has(key) || keywordsForAnyType.has(key);

/** That no other property is taken is what a model expects. */
const isDefaultClosing = (key: string, { additionalProperties }: SchemaNode): boolean =>
  key === "additionalProperties" && typeof additionalProperties === "boolean";
