import type { JsonSchema, JsonValue } from "../../schema/index.js";

/** Whether a value has the type that a schema says, and is among its `enum`; what other keywords say isn't looked at. */
export function fitsType(value: JsonValue, schema: JsonSchema | boolean | undefined): boolean {
  if (typeof schema !== "object") return true;
  const { type, enum: choices, items, properties } = schema;
  const named: readonly unknown[] | undefined = type === undefined || typeof type === "object" ? type : [type];
  if (named !== undefined && !namesOf(value).some((name) => named.includes(name))) return false;
  if (choices !== undefined && !choices.some((choice) => JSON.stringify(choice) === JSON.stringify(value))) return false;
  if (Array.isArray(value))
    return items === undefined || Array.isArray(items) || value.every((item) => fitsType(item, items as JsonSchema));
  if (typeof value !== "object" || value === null || properties === undefined) return true;
  return Object.entries(value).every(([key, member]) => !Object.hasOwn(properties, key) || fitsType(member, properties[key]));
}

/** A default that its own schema doesn't take is a fault of the author; `null` says of any type that there is none. */
export function hasFittingDefault({ default: value, ...schema }: JsonSchema): boolean {
  return value === undefined || value === null || fitsType(value, schema);
}

/** The names of JSON Schema that a value answers to. */
function namesOf(value: JsonValue): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  return Number.isInteger(value) ? ["integer", "number"] : [typeof value];
}
