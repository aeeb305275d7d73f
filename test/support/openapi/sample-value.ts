import { isRecord, type Json, listOf } from "./document-view.js";

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-02T03:04:05Z",
  date: "2026-01-02",
  time: "03:04:05Z",
  duration: "P1D",
  email: "ada@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/a",
  url: "https://example.com/a",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
};

/** A value that most schemas take: with all properties near the root where it is `full`, else with the required ones. */
export function sampleOf(schema: unknown, root: Json, full: boolean, depth = 0): unknown {
  if (!isRecord(schema)) return "text";
  if (typeof schema.$ref === "string") {
    return depth > 8 ? {} : sampleOf(definitionOf(schema.$ref, root), root, full, depth + 1);
  }
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum.find((value) => value !== null) ?? null;
  const [choice] = [...listOf(schema.oneOf), ...listOf(schema.anyOf)].filter((option) => !isRecord(option) || option.type !== "null");
  const parts = [choice, ...listOf(schema.allOf)].filter((part) => part !== undefined);
  if (parts.length > 0) return sampleOf(merged([{ ...schema, oneOf: [], anyOf: [], allOf: [] }, ...parts], root), root, full, depth + 1);
  return sampleOfType(schema, root, full, depth);
}

/** One schema that says what all of them say, as far as a sample needs it. */
function merged(schemas: readonly unknown[], root: Json): Json {
  const all = schemas
    .map((written) => (isRecord(written) && typeof written.$ref === "string" ? definitionOf(written.$ref, root) : written))
    .filter(isRecord);
  return {
    ...Object.fromEntries(all.flatMap(Object.entries)),
    allOf: all.flatMap((schema) => listOf(schema.allOf)),
    properties: Object.fromEntries(all.flatMap(({ properties }) => (isRecord(properties) ? Object.entries(properties) : []))),
    required: all.flatMap((schema) => listOf(schema.required)),
  };
}

const definitionOf = (reference: string, root: Json): unknown => (root.$defs as Json)[reference.slice("#/$defs/".length)];

function sampleOfType(schema: Json, root: Json, full: boolean, depth: number): unknown {
  const type = Array.isArray(schema.type) ? schema.type.find((name) => name !== "null") : schema.type;
  switch (type) {
    case "string":
      return (formats[String(schema.format)] ?? "a b/c")
        .padEnd(Number(schema.minLength ?? 0), "a")
        .slice(0, Number(schema.maxLength ?? 100));
    case "integer":
    case "number":
      return sampleNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return depth > 8
        ? []
        : Array.from({ length: Math.max(Number(schema.minItems ?? 0), 1) }, () => sampleOf(schema.items, root, full, depth + 1));
    default:
      return type === "object" || isRecord(schema.properties) ? sampleObject(schema, root, full, depth) : "text";
  }
}

function sampleNumber(schema: Json): number {
  const step = Number(schema.multipleOf ?? 1);
  const least = Math.max(
    Number(schema.minimum ?? 1),
    Number(schema.exclusiveMinimum ?? 0) + (schema.exclusiveMinimum === undefined ? 0 : 1),
  );
  const number = Math.ceil(least / step) * step;
  return Math.min(number, Number(schema.maximum ?? number));
}

function sampleObject(schema: Json, root: Json, full: boolean, depth: number): Json {
  const required = listOf(schema.required);
  const properties = Object.entries((schema.properties as Json | undefined) ?? {});
  const taken = properties.filter(([name]) => required.includes(name) || (full && depth < 3));
  return Object.fromEntries(taken.map(([name, property]) => [name, sampleOf(property, root, full, depth + 1)]));
}
