import type { JsonSchema } from "../../schema/index.js";
import { isRecord } from "../../schema/internal.js";
import { keySource, literal } from "./literal.js";
import { typeSource } from "./type-source.js";

/** A field of a tool class as text, and the names that it needs of the package. */
export interface FieldSource {
  readonly text: string;
  readonly imports: readonly string[];
}

const tokens: Readonly<Record<string, string>> = { string: "String", number: "Number", integer: "Integer", boolean: "Boolean" };

/** The keywords that are options of `@required` and `@optional` too. */
const optionKeywords: ReadonlySet<string> = new Set([
  ...["description", "default", "examples", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "pattern", "format", "minItems", "maxItems", "uniqueItems"],
]);

/** Those that say nothing to a model or to the validator. */
const silentKeywords: ReadonlySet<string> = new Set(["title", "deprecated", "type", "enum", "items"]);

/** Writes a parameter as a decorated field: by a type if its schema is as simple as one, else by the schema. */
export function fieldSource(
  name: string,
  schema: JsonSchema | boolean,
  isRequired: boolean,
  definitions: Readonly<Record<string, JsonSchema | boolean>>,
): FieldSource {
  const given = typeof schema === "object" ? withoutNumberFormat(schema) : {};
  const decorator = isRequired ? "required" : "optional";
  const type = typeSource(given, definitions, "  ");
  const hasDefault = !isRequired && given.default !== undefined;
  const mark = isRequired || hasDefault ? "!" : "?";
  const written = argumentsOf(given, definitions, decorator.length);
  const field = `  ${keySource(name)}${mark}: ${type};`;
  return {
    text: `  @${decorator}(${written.text})\n${field}`,
    imports: [decorator, ...(written.text.includes("Integer") && written.isByType ? ["Integer"] : [])],
  };
}

/** `int32` of OpenAPI says of a number what its type says. `@required` takes formats of texts alone. */
function withoutNumberFormat(schema: JsonSchema): JsonSchema {
  const { format: _, ...others } = schema;
  return schema.type === "string" || schema.format === undefined ? schema : others;
}

function argumentsOf(
  schema: JsonSchema,
  definitions: Readonly<Record<string, JsonSchema | boolean>>,
  before: number,
): { readonly text: string; readonly isByType: boolean } {
  const token = tokenOf(schema);
  const hasValues = isListOfValues(schema.enum);
  const isSimple = Object.keys(schema).every((keyword) => optionKeywords.has(keyword) || silentKeywords.has(keyword));
  if (!isSimple || (token === undefined && !hasValues)) {
    const needed = definitionsOf(schema, definitions);
    const whole = Object.keys(needed).length === 0 ? schema : { ...schema, $defs: needed };
    return { text: literal({ schema: whole }, "  ", before + 4), isByType: false };
  }
  const options = Object.fromEntries(Object.entries(schema).filter(([keyword]) => optionKeywords.has(keyword)));
  const all = hasValues ? { enum: schema.enum, ...options } : options;
  const { description, ...others } = all as { readonly description?: unknown };
  const prefix = hasValues ? [] : [token ?? ""];
  if (Object.keys(all).length === 0) return { text: prefix.join(""), isByType: true };
  const second = !hasValues && Object.keys(others).length === 0 ? JSON.stringify(description) : literal(all, "  ", before + 14);
  return { text: [...prefix, second].join(", "), isByType: true };
}

function tokenOf({ type, items }: JsonSchema): string | undefined {
  if (typeof type !== "string") return undefined;
  if (type !== "array") return tokens[type];
  const isPlain =
    isRecord(items) && typeof items.type === "string" && Object.keys(items).every((key) => ["type", "title", "description"].includes(key));
  const item = isPlain ? tokens[String(items.type)] : undefined;
  return item === undefined ? undefined : `[${item}]`;
}

const isListOfValues = (values: unknown): boolean =>
  Array.isArray(values) && values.length > 0 && values.every((value) => ["string", "number", "boolean"].includes(typeof value));

/** What a schema refers to, and what that refers to. */
function definitionsOf(
  schema: unknown,
  definitions: Readonly<Record<string, JsonSchema | boolean>>,
  found: Record<string, JsonSchema | boolean> = {},
): Readonly<Record<string, JsonSchema | boolean>> {
  for (const [, name = ""] of JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)) {
    const definition = definitions[name];
    if (definition === undefined || Object.hasOwn(found, name)) continue;
    found[name] = definition;
    definitionsOf(definition, definitions, found);
  }
  return found;
}
