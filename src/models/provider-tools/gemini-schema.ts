import type { JsonSchema } from "../../schema/index.js";
import { constraintOf } from "../../schema/internal.js";

const written = new WeakMap<object, Readonly<Record<string, unknown>>>();

/** Counts are 64-bit integers in Gemini's `Schema`, and JSON writes those as text. */
const isCount = (keyword: string): boolean => constraintOf.get(keyword)?.takes === "count";

/** A schema of the dialect in the form of Gemini's `Schema`: types in capitals, and `nullable` if null is allowed. */
export function geminiSchema(schema: JsonSchema): Readonly<Record<string, unknown>> {
  let gemini = written.get(schema);
  if (gemini === undefined) written.set(schema, (gemini = write(schema)));
  return gemini;
}

function write(schema: JsonSchema): Readonly<Record<string, unknown>> {
  const { type, anyOf, properties, items, enum: values, ...rest } = schema;
  const gemini: Record<string, unknown> = {};
  const types = type === undefined ? [] : [type].flat();
  const [only] = types.filter((name) => name !== "null");
  if (only !== undefined) gemini.type = only.toUpperCase();
  if (types.length > 1) gemini.nullable = true;
  if (values !== undefined) gemini.enum = values.filter((value) => value !== null);
  if (anyOf !== undefined) gemini.anyOf = writeUnion(anyOf as readonly JsonSchema[]);
  for (const [key, value] of Object.entries(rest)) gemini[key] = isCount(key) ? String(value) : value;
  if (properties !== undefined) {
    gemini.properties = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, write(inner as JsonSchema)]));
  }
  // The dialect writes one schema for all items.
  if (items !== undefined) gemini.items = write(items as JsonSchema);
  return Object.freeze(gemini);
}

/** Nothing may stand beside `anyOf`: the first branch takes the null. */
function writeUnion(branches: readonly JsonSchema[]): readonly unknown[] {
  const values = branches.filter(({ type }) => type !== "null").map(write);
  return values.length === branches.length ? values : values.map((branch, index) => (index === 0 ? { ...branch, nullable: true } : branch));
}
