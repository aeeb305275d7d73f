import { annotationKeywords, eachSubschema, type SchemaNode, subschemaKeywords } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import { safePattern } from "../pattern/pattern.js";

/** Schemas for which the engine would generate more code are walked. */
export const maxCodeSize = 20_000;

/** Keywords that say nothing about a value, or hold what only references lead to. */
const unread: ReadonlySet<string> = new Set([...annotationKeywords, "$defs", "definitions"]);

/** How often the engine repeats the code of a subschema. */
const repeats: ReadonlyMap<string, number> = new Map([["contains", 3]]);

/** About how much code the engine generates, in characters of the schema. */
export function codeSizeOf(schema: SchemaNode): number {
  let size = 0;
  const visit = (node: unknown, times: number): void => {
    if (!isRecord(node)) {
      size += 8 * times;
      return;
    }
    for (const key of Object.keys(node)) {
      const kind = subschemaKeywords.get(key);
      size += (8 + key.length) * times;
      if (size > maxCodeSize) return;
      if (kind === undefined) size += sizeOf(node[key], maxCodeSize) * times;
      else {
        const inner = times * (repeats.get(key) ?? 1);
        eachSubschema(kind, node[key], { parent: undefined, key }, (child, place) => {
          size += String(place.key).length * inner;
          visit(child, inner);
        });
      }
    }
  };
  visit(schema, 1);
  return size;
}

/** Beyond this a schema is too heavy anyway. */
const longestData = 1_000_000;

/** What looking at one character of a value costs, for keywords that do more than look at each once. */
const keywordWeights: Readonly<Record<string, number>> = { minLength: 20, maxLength: 20, multipleOf: 20, format: 40, uniqueItems: 200 };

/**
 * What checking one character of a value can cost at most: every part of the schema may be asked about every part of the value.
 * What references lead to is left out.
 */
export function weightOf(schema: SchemaNode): number {
  let weight = 0;
  const visit = (node: unknown): void => {
    weight += 4;
    if (!isRecord(node)) return;
    for (const [key, value] of Object.entries(node)) {
      if (unread.has(key)) continue;
      const kind = subschemaKeywords.get(key);
      if (key === "pattern" && typeof value === "string") weight += 4 + 10 * safePattern(value).weight;
      else if (kind === undefined) weight += (keywordWeights[key] ?? 0) + sizeOf(value, longestData);
      else {
        eachSubschema(kind, value, { parent: undefined, key }, (inner, place) => {
          weight += String(place.key).length;
          visit(inner);
        });
        if (Array.isArray(value) || !isRecord(value)) continue;
        // Lists of names in the place of schemas.
        if (kind === "mapOrNames") weight += sizeOf(value, longestData);
      }
    }
  };
  visit(schema);
  return weight;
}

/** About how long a value is as JSON text. It stops a little beyond the limit; an object that inherits members is beyond any. */
export const sizeOf = (value: unknown, limit: number): number => limit - rest(value, limit);

/** It runs before every call, so texts and numbers are counted without a call of its own. */
function rest(value: unknown, limit: number): number {
  if (typeof value === "string") return limit - value.length - 2;
  if (typeof value !== "object" || value === null) return limit - 4;
  let left = limit - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) {
      const item: unknown = value[index];
      left = typeof item === "string" ? left - item.length - 2 : rest(item, left);
    }
    return left;
  }
  // The engine would take an inherited member for one of the object's own.
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return -1;
  const keys = Object.keys(value);
  for (let index = 0; index < keys.length && left >= 0; index++) {
    const key = keys[index] as string;
    const inner = (value as Record<string, unknown>)[key];
    left -= key.length;
    left = typeof inner === "string" ? left - inner.length - 2 : rest(inner, left);
  }
  return left;
}
