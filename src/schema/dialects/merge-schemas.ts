import { isEqual } from "../json-equality.js";
import { annotationKeywords, boundPairs, type SchemaNode } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import { setOwn } from "../../redaction/internal.js";
import type { SchemaDocument } from "../schema-document.js";
import { typesOf } from "../faults/value-kinds.js";

/** The schemas that hold for the same value as a node: what its `$ref` leads to, and its `allOf`. */
export function conjuncts(node: SchemaNode, { targets, draft07 }: SchemaDocument): readonly unknown[] {
  const target = targets.get(node);
  if (target !== undefined && draft07) return [target];
  const all: readonly unknown[] = Array.isArray(node.allOf) ? node.allOf : [];
  return target === undefined ? all : [target, ...all];
}

/**
 * One schema without `$ref` and `allOf` at its top that means the same. What it takes together stays as `allOf` further
 * down. `undefined` if that can't be written as one schema. What several ways lead to is taken once: a schema and itself are that
 * schema, and thirty levels of two ways each would be a billion.
 */
export function flatten(schema: unknown, document: SchemaDocument, taken = new Set<unknown>()): SchemaNode | boolean | undefined {
  if (!isRecord(schema)) return schema !== false;
  taken.add(schema);
  const others = conjuncts(schema, document);
  if (others.length === 0) return schema;
  const isReference = document.draft07 && schema.$ref !== undefined;
  const { $ref: _reference, allOf: _all, $defs: _definitions, definitions: _older, ...own } = isReference ? {} : schema;
  let merged: SchemaNode | boolean | undefined = own;
  for (const other of others) {
    if (taken.has(other)) continue;
    const flat = flatten(other, document, taken);
    if (flat === undefined) return undefined;
    merged = flat === true ? merged : flat === false ? false : merge(merged, flat);
    if (merged === undefined || merged === false) return merged;
  }
  return merged;
}

/** The first schema's annotations win, because they check nothing. */
const annotations: ReadonlySet<string> = new Set(annotationKeywords);

const lowerBounds: ReadonlySet<string> = new Set(["exclusiveMinimum", ...boundPairs.map(([lower]) => lower)]);
const upperBounds: ReadonlySet<string> = new Set(["exclusiveMaximum", ...boundPairs.map(([, upper]) => upper)]);

function merge(left: SchemaNode, right: SchemaNode): SchemaNode | false | undefined {
  if (closesOut(left, right) || closesOut(right, left)) return undefined;
  const merged: Record<string, unknown> = { ...left };
  for (const key of Object.keys(right)) {
    const ours = left[key];
    const theirs = right[key];
    if (ours === undefined) merged[key] = theirs;
    else if (annotations.has(key) || isEqual(ours, theirs)) continue;
    else if (key === "properties") merged[key] = mergeProperties(ours as SchemaNode, theirs as SchemaNode);
    else if (key === "required") merged[key] = [...new Set([...(ours as string[]), ...(theirs as string[])])];
    else if (key === "items" && isRecord(ours) && isRecord(theirs)) merged[key] = { allOf: [ours, theirs] };
    else if (key === "type") {
      const types = commonTypes(ours, theirs);
      if (types.length === 0) return false;
      merged[key] = types.length === 1 ? types[0] : types;
    } else if (key === "enum") {
      const values = (ours as unknown[]).filter((value) => (theirs as unknown[]).some((other) => isEqual(value, other)));
      if (values.length === 0) return false;
      merged[key] = values;
    } else if (lowerBounds.has(key)) merged[key] = Math.max(ours as number, theirs as number);
    else if (upperBounds.has(key)) merged[key] = Math.min(ours as number, theirs as number);
    else if (key === "uniqueItems") merged[key] = true;
    else if (key === "additionalProperties" && (ours === true || theirs === true)) merged[key] = ours === true ? theirs : ours;
    else return undefined;
  }
  return merged;
}

/** Whether one says what no single schema can: `additionalProperties` and `items` are about what its own lists leave over. */
function closesOut(one: SchemaNode, other: SchemaNode): boolean {
  if (one.items !== undefined && Array.isArray(other.prefixItems)) return true;
  const rest = one.additionalProperties;
  if (rest === undefined || rest === true || !isRecord(other.properties)) return false;
  const own: SchemaNode = isRecord(one.properties) ? one.properties : {};
  return Object.keys(other.properties).some((name) => !Object.hasOwn(own, name));
}

function mergeProperties(ours: SchemaNode, theirs: SchemaNode): SchemaNode {
  const merged: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const both = [ours, theirs].filter((properties) => Object.hasOwn(properties, name)).map((properties) => properties[name]);
    setOwn(merged, name, both.length === 1 || isEqual(both[0], both[1]) ? both[0] : { allOf: both });
  }
  return merged;
}

function commonTypes(ours: unknown, theirs: unknown): readonly string[] {
  const [left, right] = [typesOf(ours) ?? [], typesOf(theirs) ?? []];
  const common = left.filter((type) => right.includes(type) || (type === "integer" && right.includes("number")));
  return right.includes("integer") && left.includes("number") && !common.includes("integer") ? [...common, "integer"] : common;
}
