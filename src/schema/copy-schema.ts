import { exclusiveBounds, type SubschemaKind, subschemaKeywords } from "./keywords.js";
import { setOwn } from "../redaction/internal.js";
import type { Place } from "./place.js";

/** Reports what is wrong with the schema at a place; never returns. */
export type Refuse = (place: Place | undefined, reason: string) => never;

/** Schemas nested deeper, or with more parts, than this are refused. */
export const maxSchemaDepth = 200;
const maxSchemaParts = 50_000;

/**
 * Copies a foreign schema into frozen plain JSON. Keywords that say nothing or mislead engines are left out (`$async`, draft-4's
 * `id`), draft-4's boolean `exclusiveMinimum` is written as the number that it means, 2019-09's `$recursiveRef` as `$ref`.
 */
export function copySchema(schema: unknown, refuse: Refuse): unknown {
  let parts = 0;

  function copy(value: unknown, kind: SubschemaKind | "data", place: Place | undefined, depth: number): unknown {
    if (typeof value !== "object" || value === null) return scalar(value, place);
    if (depth > maxSchemaDepth) refuse(place, `is nested more than ${maxSchemaDepth} levels deep, or contains itself. Use $defs and $ref.`);
    if (++parts > maxSchemaParts) refuse(place, `is one part too many: a schema may have ${maxSchemaParts}.`);
    if (Array.isArray(value)) {
      const inner = kind === "list" || kind === "oneOrList" ? "one" : "data";
      return Object.freeze(value.map((item: unknown, index) => copy(item, inner, { parent: place, key: index }, depth + 1)));
    }
    if (!isPlain(value)) refuse(place, `is ${describeClass(value)}. A schema holds plain JSON only.`);
    return Object.freeze(copyObject(value as Record<string, unknown>, kind, place, depth));
  }

  function copyObject(value: Record<string, unknown>, kind: SubschemaKind | "data", place: Place | undefined, depth: number): object {
    const isSchema = kind === "one" || kind === "oneOrList";
    const isMap = kind === "map" || kind === "mapOrNames";
    const result: Record<string, unknown> = {};
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (inner === undefined || (isSchema && isNoise(key, inner))) continue;
      const innerKind = isSchema ? (subschemaKeywords.get(key) ?? "data") : isMap && !Array.isArray(inner) ? "one" : "data";
      const name = isSchema && key === "$recursiveRef" && value.$ref === undefined ? "$ref" : key;
      setOwn(result, name, copy(inner, innerKind, { parent: place, key }, depth + 1));
    }
    if (isSchema) rewriteExclusive(result);
    return result;
  }

  function scalar(value: unknown, place: Place | undefined): unknown {
    if (typeof value === "number" && !Number.isFinite(value)) refuse(place, `is ${value}, which JSON does not know.`);
    if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
    return refuse(place, `is a ${typeof value}. A schema holds plain JSON only.`);
  }

  return copy(schema, "one", undefined, 0);
}

/** `id` is draft-4's name of `$id`; inside `properties` it is a property's name and never gets here. */
const isNoise = (key: string, value: unknown): boolean => key === "$async" || (key === "id" && typeof value === "string");

function rewriteExclusive(schema: Record<string, unknown>): void {
  for (const [exclusive, bound] of exclusiveBounds) {
    if (typeof schema[exclusive] !== "boolean") continue;
    if (schema[exclusive] && typeof schema[bound] === "number") {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    } else delete schema[exclusive];
  }
}

/** Plain in any realm: made by `{}`, `Object.create(null)` or `JSON.parse`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const describeClass = (value: object): string => {
  const { constructor } = value;
  return typeof constructor === "function" && constructor.name !== "" ? `an instance of ${constructor.name}` : "no plain object";
};
