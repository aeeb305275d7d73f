import type { JsonSchema } from "../../schema/index.js";
import { keySource } from "./literal.js";

type Definitions = Readonly<Record<string, JsonSchema | boolean>>;

/** Schemas that refer to each other are followed this deep. */
const deepest = 12;

/** The TypeScript type of a schema's values. `indent`: of the line that it begins on. */
export function typeSource(schema: JsonSchema | boolean | undefined, definitions: Definitions, indent: string, depth = 0): string {
  if (typeof schema !== "object" || depth > deepest) return "unknown";
  const inner = (one: unknown): string => typeSource(one as JsonSchema | boolean | undefined, definitions, indent, depth + 1);
  const { $ref, enum: values, const: value, type, anyOf, oneOf, allOf } = schema as JsonSchema & Readonly<Record<string, unknown>>;
  if (typeof $ref === "string") return inner(definitions[$ref.replace(/^#\/\$defs\//, "")]);
  if (Array.isArray(values)) return union(values.map(constant));
  if ("const" in schema) return constant(value);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return union(alternatives.map(inner));
  if (Array.isArray(allOf)) return allOf.map((one) => grouped(inner(one))).join(" & ");
  if (Array.isArray(type)) return union(type.map((one) => inner({ ...schema, type: one })));
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "number":
    case "integer":
      return "number";
    case "array":
      return `${grouped(inner(schema.items))}[]`;
    default:
      return type === "object" || schema.properties !== undefined ? objectSource(schema, definitions, indent, depth) : "unknown";
  }
}

function objectSource(schema: JsonSchema, definitions: Definitions, indent: string, depth: number): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = Object.keys(properties);
  if (names.length === 0) {
    const values = typeof additionalProperties === "object" ? typeSource(additionalProperties, definitions, indent, depth + 1) : "unknown";
    return `Record<string, ${values}>`;
  }
  const inner = `${indent}  `;
  const members = names.map((name) => {
    const mark = required.includes(name) ? "" : "?";
    return `${keySource(name)}${mark}: ${typeSource(properties[name], definitions, inner, depth + 1)}`;
  });
  const line = `{ ${members.join("; ")} }`;
  return line.length <= 80 && !line.includes("\n") ? line : `{\n${members.map((member) => `${inner}${member};\n`).join("")}${indent}}`;
}

const constant = (value: unknown): string => (typeof value === "object" && value !== null ? "unknown" : JSON.stringify(value));

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 0
    ? "unknown"
    : distinct.includes("unknown")
      ? "unknown"
      : distinct.map((one) => (one.includes(" & ") ? `(${one})` : one)).join(" | ");
}

const grouped = (type: string): string => (/ [|&] /.test(type) && !type.startsWith("{") ? `(${type})` : type);
