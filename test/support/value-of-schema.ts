import fc from "fast-check";
import type { Schema } from "./provider-rules/schema-walk.js";

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const number = (low: number, high: number) => fc.nat(200).map((part) => low + ((high - low) * part) / 200);

const formats: Record<string, fc.Arbitrary<string>> = {
  "date-time": fc.constant("2024-05-17T09:30:00Z"),
  date: fc.constant("2024-05-17"),
  time: fc.constant("09:30:00Z"),
  duration: fc.constant("PT1H"),
  email: fc.constant("ann@example.com"),
  hostname: fc.constant("example.com"),
  ipv4: fc.constant("192.0.2.1"),
  ipv6: fc.constant("2001:db8::1"),
  uri: fc.constant("https://example.com/page"),
  uuid: fc.uuid(),
};

/**
 * Values that a model may write for a schema on the wire, in JSON Schema or in Gemini's words. Keywords that only restrict
 * (`not`, `if`, `uniqueItems`) are passed over: who needs them keeps the values that fit.
 */
export function valueOf(schema: Schema | boolean, root: Schema, depth = 0): fc.Arbitrary<unknown> {
  if (typeof schema === "boolean") return fc.jsonValue({ maxDepth: 1 });
  const inner = (next: Schema | boolean) => valueOf(next, root, depth + 1);
  if (schema.nullable === true) return fc.oneof(fc.constant(null), inner({ ...schema, nullable: undefined }));
  if (schema.$ref !== undefined) return inner(root.$defs[schema.$ref.split("/").at(-1)]);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.allOf !== undefined) {
    return fc.tuple(...[{ ...schema, allOf: undefined }, ...schema.allOf].map(inner)).map((parts) => Object.assign({}, ...parts));
  }
  const union: Schema[] | undefined = schema.anyOf ?? schema.oneOf;
  if (union !== undefined) return deepest(union, depth, inner);
  const types: string[] = [schema.type ?? shownTypes(schema)].flat();
  return types.length === 1
    ? valueOfType(types[0]!.toLowerCase(), schema, depth, inner)
    : fc.oneof(...types.map((type) => inner({ ...schema, type })));
}

const shownTypes = ({ properties, items }: Schema): string | string[] =>
  properties !== undefined ? "object" : items !== undefined ? "array" : ["string", "number", "boolean"];

/** Where it is deep already, null or a branch that leads no deeper. */
function deepest(union: Schema[], depth: number, inner: (next: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const flat = union.filter(({ type }) => type !== undefined && !["object", "array", "OBJECT", "ARRAY"].includes(type));
  return fc.oneof(...(depth > 6 && flat.length > 0 ? flat : union).map(inner));
}

function valueOfType(
  type: string,
  schema: Schema,
  depth: number,
  inner: (next: Schema | boolean) => fc.Arbitrary<unknown>,
): fc.Arbitrary<unknown> {
  const { minimum, maximum, exclusiveMinimum: above = -Infinity, exclusiveMaximum: below = Infinity } = schema;
  const low = Math.max(minimum ?? -Infinity, above);
  const high = Math.min(maximum ?? Infinity, below);
  const [from, to] =
    low === -Infinity ? [high === Infinity ? -100 : high - 100, high === Infinity ? 100 : high] : [low, Math.min(high, low + 100)];
  switch (type) {
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer": {
      const first = Math.max(Math.ceil(from), above === from ? from + 1 : -Infinity);
      const last = Math.min(Math.floor(to), below === to ? to - 1 : Infinity);
      return fc.integer({ min: first, max: Math.max(first, last) });
    }
    case "number":
      return number(above === from ? from + 0.001 : from, below === to ? to - 0.001 : to);
    case "array": {
      const least = Number(schema.minItems ?? 0);
      const most = Math.min(Number(schema.maxItems ?? 3), Math.max(least, depth > 6 ? 0 : 3));
      if (schema.prefixItems !== undefined) return fc.tuple(...schema.prefixItems.map(inner));
      return fc.array(inner(schema.items ?? true), { minLength: least, maxLength: most });
    }
    case "object":
      return object(schema, depth, inner);
    default:
      return text(schema);
  }
}

function object(schema: Schema, depth: number, inner: (next: Schema | boolean) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const properties: [string, Schema | boolean][] = Object.entries(schema.properties ?? {});
  const required: string[] = schema.required ?? [];
  const told = depth > 6 ? properties.filter(([name]) => required.includes(name)) : properties;
  const fields = Object.fromEntries(told.map(([name, property]) => [name, inner(property)]));
  return fc.record(fields, { requiredKeys: required.filter((name) => fields[name] !== undefined), noNullPrototype: true });
}

function text({ pattern, format, minLength, maxLength }: Schema): fc.Arbitrary<string> {
  if (format !== undefined && formats[format] !== undefined) return formats[format];
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  const least = Number(minLength ?? 0);
  return word.map((part) => part.padEnd(least, "x").slice(0, Number(maxLength ?? Infinity)));
}
