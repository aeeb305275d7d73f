import type { JsonSchema } from "../../schema/index.js";

/**
 * Whether a schema's default, where it has one, is of the type that the schema says and among its `enum`. `null` says of any type
 * that there is no default. What other keywords say isn't looked at, nor whether they are well formed.
 */
export function hasFittingDefault({ default: value, ...schema }: JsonSchema): boolean {
  return value === undefined || value === null || fitsType(value, schema);
}

function fitsType(value: unknown, schema: unknown): boolean {
  if (!isObject(schema)) return true;
  const { type, enum: choices, items, properties } = schema;
  const names: readonly unknown[] = type === undefined ? [] : Array.isArray(type) ? type : [type];
  if (names.length > 0 && !namesOf(value).some((name) => names.includes(name))) return false;
  if (Array.isArray(choices) && !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))) return false;
  if (Array.isArray(value)) return Array.isArray(items) || value.every((item) => fitsType(item, items));
  if (!isObject(value) || !isObject(properties)) return true;
  return Object.entries(value).every(([key, member]) => !Object.hasOwn(properties, key) || fitsType(member, properties[key]));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** The names of JSON Schema that a value answers to. */
function namesOf(value: unknown): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return Number.isInteger(value) ? ["integer", "number"] : [typeof value];
}
