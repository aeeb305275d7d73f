import type { JsonSchema } from "../../../schema/index.js";
import { exclusiveBounds, isRecord, patternProblem } from "../../../schema/internal.js";
import { memberOf, textOf, textsOf } from "./read-value.js";
import type { OpenApiDocument, Part } from "./open-api-document.js";
import { partsOfText, shownValue } from "./import-work.js";
import { cut } from "../operation/operations.js";
import { Refusal } from "../operation/operation-refusal.js";

/** A schema of the document as JSON Schema (2020-12), and the names under `$defs` that it refers to. */
export interface ConvertedSchema {
  readonly schema: JsonSchema;
  readonly uses: ReadonlySet<string>;
}

/** Keywords that hold one schema, a list of schemas, and schemas by name. */
const single = new Set(["additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"]);
const lists = new Set(["allOf", "anyOf", "items", "oneOf", "prefixItems"]);
const maps = new Set(["dependentSchemas", "patternProperties", "properties"]);

/** They say nothing about what may be sent, or are said otherwise; definitions are found by the references to them. */
const dropped = new Set([
  ...["$anchor", "$comment", "$defs", "$id", "$schema", "collectionFormat", "default", "definitions", "discriminator", "example"],
  ...["exclusiveMaximum", "exclusiveMinimum", "externalDocs", "nullable", "readOnly", "writeOnly", "xml"],
]);

/**
 * Converts the document's schemas to JSON Schema 2020-12 for requests. It rewrites `nullable`, `example` and the bounds of OpenAPI 2.0 and
 * 3.0, leaves out `readOnly` properties, and points each `$ref` to `$defs`, so that recursion is kept. Each definition is converted once
 * per document, whichever tools use it.
 */
export class SchemaConverter {
  readonly #document: OpenApiDocument;
  readonly #names = new Map<unknown, string>();
  readonly #targets = new Map<string, Part>();
  /** How many definitions have been named alike. */
  readonly #numbers = new Map<string, number>();
  readonly #converted = new Map<string, Definition | Refusal>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
  }

  /**
   * Converts a schema. If its root is a reference, the target is written out; keywords `beside` the reference override those of the target
   * itself. Throws `Refusal`.
   */
  convert(part: Part, beside: Readonly<Record<string, unknown>> = {}, source?: object): ConvertedSchema {
    const uses = new Set<string>();
    const { value, file } = this.#document.follow(part);
    const written = value === undefined || value === true ? {} : value;
    // Counted before it is copied.
    if (isRecord(written)) this.#document.work.keysOf(written);
    const whole = isRecord(written) ? { ...written, ...beside } : written;
    const schema = this.#node({ value: whole, file }, uses, new Set(), source ?? (isRecord(written) ? written : undefined));
    if (!isRecord(schema)) throw new Refusal("the schema of what is sent is false, so nothing can be.");
    return { schema, uses };
  }

  /** The definitions that the names lead to, directly or through others; `undefined` if there are none. Throws `Refusal`. */
  definitions(uses: Iterable<string>): Record<string, JsonSchema> | undefined {
    const found = new Map<string, JsonSchema>();
    const open = [...uses];
    for (const name of open) {
      if (found.has(name)) continue;
      const definition = this.#define(name);
      this.#document.work.spend(definition.parts, definition);
      found.set(name, definition.schema);
      for (const used of definition.uses) open.push(used);
    }
    return found.size === 0 ? undefined : Object.fromEntries(found);
  }

  #define(name: string): Definition {
    const known = this.#converted.get(name) ?? this.#tryDefine(this.#targets.get(name) as Part);
    this.#converted.set(name, known);
    if (known instanceof Refusal) throw known;
    return known;
  }

  /** What can't be defined isn't tried again for every operation that refers to it. */
  #tryDefine(target: Part): Definition | Refusal {
    const uses = new Set<string>();
    const before = this.#document.work.done;
    try {
      const schema = this.#node(target, uses, new Set());
      const parts = this.#document.work.done - before;
      return { schema: typeof schema === "boolean" ? (schema ? {} : { not: {} }) : schema, uses, parts };
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  }

  /** `source` is the document's own object, if `part` holds a copy. */
  #node(part: Part, uses: Set<string>, around: Set<unknown>, source?: object): JsonSchema | boolean {
    const { value, file } = part;
    if (typeof value === "boolean") return value;
    if (!isRecord(value)) throw new Refusal(`${shownValue(value)} isn't a schema. Write an object.`);
    if (around.has(value)) {
      throw new Refusal("a schema holds itself, as documents do whose references were replaced. Give the document with its $refs.");
    }
    if (around.size >= maxDepth)
      throw new Refusal(`a schema is nested more than ${maxDepth} levels deep. Give its parts names, and refer to them.`);
    this.#count(value, source ?? value);
    if (typeof value.$ref === "string") return this.#reference(part, value.$ref, { uses, around, source: source ?? value });
    around.add(value);
    const inner = (held: unknown): JsonSchema | boolean => this.#node({ value: held, file }, uses, around);
    const schema: Record<string, unknown> = {};
    for (const [key, held] of Object.entries(value)) {
      if (dropped.has(key) || key.startsWith("x-")) continue;
      if (Array.isArray(held) && lists.has(key)) schema[key] = held.map(inner);
      else if (single.has(key)) schema[key] = inner(held);
      else if (isRecord(held) && maps.has(key)) schema[key] = this.#map(key, { value: held, file }, inner);
      else schema[key] = held;
    }
    around.delete(value);
    return this.#translate(schema, value, file);
  }

  /** Version 3.1 lets keywords stand beside a reference; before, only what describes it was meant, and often written. */
  #reference(
    part: Part,
    reference: string,
    { uses, around, source }: { readonly uses: Set<string>; readonly around: Set<unknown>; readonly source: object },
  ): JsonSchema {
    const name = this.#nameOf(this.#document.follow(part), reference);
    uses.add(name);
    const schema = { $ref: `#/$defs/${name}` };
    const { $ref: _, ...beside } = part.value as Record<string, unknown>;
    if (this.#document.version !== "3.1") {
      const description = textOf(beside.description);
      return description === undefined ? schema : { ...schema, description };
    }
    return { ...(this.#node({ value: beside, file: part.file }, uses, around, source) as JsonSchema), ...schema };
  }

  #nameOf(target: Part, reference: string): string {
    const known = this.#names.get(target.value);
    if (known !== undefined) return known;
    const stem =
      (reference.split(/[#/]/).findLast((token) => token !== "") ?? "").slice(0, longestStem).replace(/[^\w-]+/g, "_") || "Schema";
    let name = stem;
    while (this.#targets.has(name)) {
      const number = (this.#numbers.get(stem) ?? 1) + 1;
      this.#numbers.set(stem, number);
      name = `${stem}_${number}`;
    }
    this.#names.set(target.value, name);
    this.#targets.set(name, target);
    return name;
  }

  /** What a schema holds itself; its subschemas count for themselves. */
  #count(schema: Readonly<Record<string, unknown>>, source: object): void {
    const { work } = this.#document;
    const keys = work.keysOf(schema);
    let parts = keys.length + 1;
    for (const key of keys) {
      const held = schema[key];
      parts += partsOfText(key);
      if (key === "pattern" && typeof held === "string") parts += held.length;
      else if (maps.has(key) && isRecord(held)) {
        for (const name of work.keysOf(held)) parts += 1 + (key === "patternProperties" ? name.length : partsOfText(name));
      } else if (Array.isArray(held) && lists.has(key)) parts += held.length;
      else if (!single.has(key)) parts += work.partsOf(held);
    }
    work.spend(parts, source);
  }

  #map(key: string, part: Part, inner: (held: unknown) => JsonSchema | boolean): Record<string, JsonSchema | boolean> {
    const entries = Object.entries(part.value as Record<string, unknown>);
    const kept = key === "properties" ? entries.filter(([, value]) => !this.#isReadOnly({ value, file: part.file })) : entries;
    return Object.fromEntries(kept.map(([name, value]) => [name, inner(value)]));
  }

  #isReadOnly(part: Part): boolean {
    return memberOf(part.value, "readOnly") === true || memberOf(this.#document.follow(part).value, "readOnly") === true;
  }

  #translate(schema: Record<string, unknown>, written: Readonly<Record<string, unknown>>, file: Part["file"]): JsonSchema {
    if (schema.type === "file") schema.type = "string";
    if (schema.required !== undefined) this.#keepRequired(schema, written, file);
    if (typeof schema.pattern === "string" && !isCheckable(schema.pattern)) delete schema.pattern;
    if (typeof schema.description === "string") schema.description = cut(schema.description, longestDescription);
    if (written.example !== undefined && schema.examples === undefined) schema.examples = [written.example];
    if (schema.examples !== undefined && !Array.isArray(schema.examples)) delete schema.examples;
    for (const [exclusive, bound] of exclusiveBounds) bind(schema, written[exclusive], exclusive, bound);
    if (written.default !== undefined) schema.description = withDefault(textOf(schema.description), written.default);
    return written.nullable === true || written["x-nullable"] === true ? orNull(schema) : schema;
  }

  /** Some documents say `required: true` of a property itself, which means nothing there. */
  #keepRequired(schema: Record<string, unknown>, written: Readonly<Record<string, unknown>>, file: Part["file"]): void {
    const required = textsOf(schema.required).filter((name) => !this.#isReadOnly({ value: memberOf(written.properties, name), file }));
    if (required.length > 0) schema.required = required;
    else delete schema.required;
  }
}

interface Definition extends ConvertedSchema {
  /** What it costs a tool that refers to it. */
  readonly parts: number;
}

/** As deep as a tool's schema may be. */
const maxDepth = 200;

const longestStem = 64;
const longestDescription = 10_000;
const longestDefault = 200;

/** Analysing a pattern takes longer than the square of its length; one that isn't checked is left to the server. */
const longestPattern = 1_000;

const isCheckable = (pattern: string): boolean => pattern.length <= longestPattern && patternProblem(pattern) === undefined;

/** `exclusiveMinimum: true` beside a minimum is of OpenAPI 2.0 and 3.0; later it is the bound itself. */
function bind(schema: Record<string, unknown>, exclusive: unknown, name: string, bound: string): void {
  if (exclusive === true && schema[bound] !== undefined) {
    schema[name] = schema[bound];
    delete schema[bound];
  } else if (typeof exclusive === "number") schema[name] = exclusive;
}

/** A default is the server's to apply: sent with a PATCH it would overwrite members that the model left out on purpose. */
function withDefault(description: string | undefined, value: unknown): string {
  const said = `Default: ${shownValue(value, longestDefault)}.`;
  return description === undefined ? said : `${description.trimEnd().replace(/[^.!?:;)]$/, "$&.")} ${said}`;
}

function orNull(schema: Record<string, unknown>): JsonSchema {
  const { type, enum: listed, description, ...rest } = schema;
  if (typeof type !== "string") {
    const described = description === undefined ? {} : { description: description as string };
    // What the members are the compiler can't know; the tool's definition checks the whole schema.
    const other = {
      ...rest,
      ...(type === undefined ? {} : { type }),
      ...(listed === undefined ? {} : { enum: listed }),
    } as JsonSchema;
    return Object.keys(other).length === 0 ? described : { ...described, anyOf: [other, { type: "null" }] };
  }
  const values =
    Array.isArray(listed) && !listed.includes(null) ? { enum: [...listed, null] } : listed === undefined ? {} : { enum: listed };
  return { ...schema, type: [type, "null"], ...values } as JsonSchema;
}
