import type { JsonSchema, JsonValue } from "../../../schema/index.js";
import { hasFittingDefault } from "./fitting-default.js";
import { gramValueOf } from "../plain-value.js";
import { printGram } from "../print.js";
import { typeNameOf } from "./signature-types.js";
import type { GramMap, GramNode, GramPath, GramProperty } from "../tree.js";
import type { SignatureParameter, TypeSignature } from "./type-signature.js";

const arrow = { family: "=", direction: "right" } as const;

/** The keys of a record that belong to signatures, so that no keyword of a schema may be called so. */
export const signatureKeys: ReadonlySet<string> = new Set(["paramName", "name", "optional", "elementType", "fields"]);

/**
 * Writes a type signature in gram notation, which `parseTypeSignature` reads as the same signature.
 *
 * ```ts
 * const signature = { parameters: [{ name: "name", schema: { type: "string" }, required: true }], returns: { type: "string" } };
 * console.log(printTypeSignature(signature)); // prints: (::Text {paramName:"name"})==>(::String)
 * ```
 *
 * Nested schemas use notation beyond gram, see `GramOptions`. See docs/10-specifications-and-gram.md.
 */
export function printTypeSignature(signature: TypeSignature): string {
  return printGram(typeSignaturePath(signature));
}

/** Converts a type signature to a gram path, for the pattern of a tool. See docs/10-specifications-and-gram.md. */
export function typeSignaturePath({ parameters, returns, definitions }: TypeSignature): GramPath {
  const [first = { kind: "node" }, ...others] = parameters.map((parameter, index): GramNode => {
    const named = parameter.name === `arg${index + 1}` ? [] : [property("paramName", parameter.name)];
    const { type, record } = describe(parameter);
    const shared = index === 0 && definitions !== undefined ? [property("$defs", definitions)] : [];
    return node(type, [...named, ...record, ...shared]);
  });
  const { type, record } = describe({ schema: returns, required: returns.default === undefined });
  const result = { arrow, node: node(type === "Text" ? "String" : type, record) };
  const [step = result, ...steps] = [...others.map((each) => ({ arrow, node: each })), result];
  return { kind: "path", start: first, steps: [step, ...steps] };
}

function node(type: string, record: readonly GramProperty[]): GramNode {
  return { kind: "node", labels: [{ separator: "::", name: type }], ...(record.length === 0 ? {} : { record }) };
}

/** The name of a schema's type and the record that says the rest. */
function describe({ schema, required }: Pick<SignatureParameter, "schema" | "required">): {
  readonly type: string;
  readonly record: readonly GramProperty[];
} {
  const { type: jsonType, ...keywords } = schema;
  const type = typeNameOf(jsonType);
  const rest = type === "Any" ? schema : keywords;
  const elementType = type === "Array" ? elementTypeOf(schema) : undefined;
  const fields = type === "Object" ? fieldsOf(schema) : undefined;
  const record = Object.entries(rest).flatMap(([key, value]): readonly GramProperty[] => {
    if (value === undefined || (key === "required" && fields !== undefined)) return [];
    if (key === "items" && elementType !== undefined) return [property("elementType", elementType)];
    if (key === "properties" && fields !== undefined) return [{ key: "fields", separator: ":", value: { kind: "array", items: fields } }];
    return [property(key, value)];
  });
  // A parameter with a default may be left out, another may not, unless it says so.
  const isOptional = schema.default !== undefined;
  return { type, record: required === isOptional ? [property("optional", !required), ...record] : record };
}

/** The name of the type of an array's items, if they have no other keyword. */
function elementTypeOf({ items }: JsonSchema): string | undefined {
  if (typeof items !== "object" || Array.isArray(items)) return undefined;
  const { type, ...others } = items as JsonSchema;
  const name = typeNameOf(type);
  return name === "Any" || Object.keys(others).length > 0 ? undefined : name;
}

/** An object's properties as `fields`, the older and more readable form, unless they hold what that form can't express. */
function fieldsOf({ properties, required }: JsonSchema): readonly GramMap[] | undefined {
  if (properties === undefined) return undefined;
  const requiredInOrder = Object.keys(properties).filter((name) => required?.includes(name));
  if (JSON.stringify(required ?? []) !== JSON.stringify(requiredInOrder) || required?.length === 0) return undefined;
  const fields: GramMap[] = [];
  for (const [name, field] of Object.entries(properties)) {
    if (name === "" || typeof field === "boolean" || !isField(field)) return undefined;
    const { type, record } = describe({ schema: field, required: requiredInOrder.includes(name) });
    const typed = Array.isArray(field.type) ? [] : [property("type", type)];
    fields.push({ kind: "map", entries: [property("name", name), ...typed, ...record] });
  }
  return fields;
}

/** Whether a field says its type by a name, by none, or by a list of JSON Schema's types, and nothing that would be misread. */
function isField(schema: JsonSchema): boolean {
  const isTyped = schema.type === undefined || Array.isArray(schema.type) || typeNameOf(schema.type) !== "Any";
  return isTyped && !Object.keys(schema).some((key) => signatureKeys.has(key)) && hasFittingDefault(schema);
}

function property(key: string, value: unknown): GramProperty {
  // The keywords of a schema are JSON, though their type, which lets any keyword through, doesn't say so.
  return { key, separator: ":", value: gramValueOf(value as JsonValue) };
}
