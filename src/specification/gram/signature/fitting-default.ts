import { acceptSchema, type JsonSchema, SchemaError } from "../../../schema/index.js";
import { compileSchema, isObject } from "../../../schema/internal.js";

/** Keywords that say nothing of a value's validity, or that `fitsType` knows wholly. */
const quickKeywords: ReadonlySet<string> = new Set(["type", "enum", "title", "description", "examples"]);

/**
 * Whether a schema takes its own default, if it has one. For every type, `null` means that there is no default. If a schema is
 * malformed or has references that lead out of it, only its type and its `enum` are looked at.
 */
export function hasFittingDefault({ default: value, ...schema }: JsonSchema): boolean {
  if (value === undefined || value === null) return true;
  if (!fitsType(value, schema)) return false;
  // Most defaults are plain values of a plain type: no validator is made for those.
  return Object.keys(schema).every((keyword) => quickKeywords.has(keyword)) || isValid(value, schema);
}

function isValid(value: unknown, schema: JsonSchema): boolean {
  try {
    return compileSchema(acceptSchema(schema)).validate(value, { owned: false, repair: false }).ok;
  } catch (error) {
    if (error instanceof SchemaError) return true;
    throw error;
  }
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

/** The names of JSON Schema that a value answers to. */
function namesOf(value: unknown): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return Number.isInteger(value) ? ["integer", "number"] : [typeof value];
}
