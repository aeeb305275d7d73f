import { acceptSchema } from "../accept-schema.js";
import { compileSchema } from "../compile-schema.js";
import { findFaults } from "../fault-walk.js";
import type { JsonType } from "../json-schema.js";
import { isRecord, type SchemaNode } from "../keywords.js";
import type { SchemaDocument } from "../schema-document.js";
import { isOfType } from "../value-kinds.js";
import { type Conversion, type Converted, UnfitError } from "./conversion.js";
import { Definitions } from "./definitions.js";
import { conjuncts, flatten } from "./merge-schemas.js";
import { writeBound } from "./narrow-bounds.js";
import { writeArray, writeObject } from "./narrow-parts.js";
import { joinBranches, writeUnion } from "./narrow-union.js";
import { joinTexts, Notes, schemaText } from "./notes.js";
import { nullable } from "./nullable.js";
import { type Restore, restoreText } from "./restore.js";
import { rootObject } from "./root-object.js";
import type { NarrowRules } from "./rules.js";
import { codeValues } from "./value-codes.js";
import { effectiveTypes, listedValues, spoken, typeOfKeyword } from "./value-types.js";

/** A part of a schema as it goes over the wire. */
export interface Written {
  readonly wire: Record<string, unknown>;
  readonly restore: Restore | undefined;
  /** The texts among its values are no texts to the tool: they stand for other values. */
  readonly isCoded?: boolean;
}

/** More parts, once references are written out, are refused: such schemas multiply themselves. */
const maxParts = 5_000;

/** Said in another way, or without weight for a model. */
const silent: ReadonlySet<string> = new Set([
  ...["type", "enum", "const", "description", "title", "$ref", "$defs", "definitions", "$schema", "$id", "$anchor", "$comment"],
  ...["properties", "required", "additionalProperties", "items", "additionalItems", "deprecated", "readOnly", "writeOnly"],
]);

/** Writes a schema in a part of JSON Schema: each value with one type, unions as `anyOf`, all else told in descriptions. */
export class NarrowSchema {
  readonly rules: NarrowRules;
  readonly document: SchemaDocument;
  readonly #conversion: Conversion;
  readonly #definitions = new Definitions((target) => this.#writeTarget(target));
  readonly #restores = new Map<SchemaNode, Restore | undefined>();
  /** What is being written out, within itself. */
  readonly #open = new Set<unknown>();
  #parts = 0;

  constructor(rules: NarrowRules, conversion: Conversion) {
    this.rules = rules;
    this.document = conversion.document;
    this.#conversion = conversion;
  }

  /** @throws UnfitError where the rules can't express the schema. */
  convert(): Converted {
    const { schema } = this.#conversion;
    const notes = this.notes();
    const root = rootObject(schema, this.document, notes);
    if (this.rules.isStrict && notes.text !== undefined) throw new UnfitError("its root is a union");
    this.#open.add(schema);
    const { wire, restore } = this.#isMap(root) ? this.#wrapped(root) : writeObject(this, root, true);
    const { written } = this.#definitions;
    const parameters = this.#finish(wire, root, "object", notes);
    if (written !== undefined) parameters.$defs = written;
    return { parameters, note: notes.text, restore };
  }

  notes(): Notes {
    return new Notes(this.#conversion);
  }

  /** Whether the tool's own schema takes a value at that place. */
  takes(schema: unknown, value: unknown): boolean {
    if (isRecord(schema) && typeof schema.type === "string" && schema.$ref === undefined && !isOfType(value, schema.type as JsonType))
      return false;
    return findFaults(schema, this.document, value, false).faults.length === 0;
  }

  write(schema: unknown): Written {
    if (++this.#parts > maxParts) throw new UnfitError(`its references unfold to more than ${maxParts} parts`);
    if (!isRecord(schema)) return this.#writeAny(schema);
    const target = this.document.targets.get(schema);
    if (target !== undefined && this.rules.references !== "none" && isRecord(target)) return this.#writeReference(schema, target);
    const held = this.#heldBy(schema);
    if (held.some((node) => this.#open.has(node))) return this.writeText(schema, "it holds itself");
    for (const node of held) this.#open.add(node);
    const written = this.writeFlat(schema);
    for (const node of held) this.#open.delete(node);
    return written;
  }

  /** Adds what a schema says of values of every type. */
  tell(node: SchemaNode, notes: Notes): void {
    for (const key of Object.keys(node)) if (spoken.has(key) && !silent.has(key) && node[key] !== undefined) notes.add(key, node[key]);
  }

  /** Tells what fits a part that was written. Compiled at its first use: most unions are never restored. */
  taking(wire: SchemaNode): (value: unknown) => boolean {
    let schema: SchemaNode | undefined;
    return (value) => {
      schema ??= acceptSchema({ allOf: [wire], $defs: this.#definitions.written ?? {} });
      return compileSchema(schema).validate(value, { owned: false, repair: false }).ok;
    };
  }

  /** A value of any type, as a text that holds JSON. */
  writeText(schema: unknown, reason: string): Written {
    if (!this.rules.textValues) throw new UnfitError(`${reason}, which strict mode can't express`);
    const { description, title: _title, $defs: _definitions, definitions: _older, ...rest } = isRecord(schema) ? schema : {};
    for (const key of Object.keys(rest)) this.#conversion.moved.add(key);
    if (Object.keys(rest).length === 0) this.#conversion.moved.add("type");
    const says =
      Object.keys(rest).length === 0
        ? "Any value, written as JSON."
        : `JSON of a value of this JSON Schema: ${schemaText(rest, this.#conversion)}`;
    return { wire: { type: "string", description: joinTexts(description, says) }, restore: restoreText, isCoded: true };
  }

  #writeAny(schema: unknown): Written {
    if (schema === false) throw new UnfitError("a part of it takes no value at all");
    return this.writeText({}, "a part of it takes any value");
  }

  #writeReference(schema: SchemaNode, target: SchemaNode): Written {
    const isDraft07 = this.document.draft07;
    const { $ref: reference, $defs: _definitions, definitions: _older, ...siblings } = schema;
    const checks = Object.keys(siblings).some((key) => !silent.has(key) || typeOfKeyword.has(key));
    if (checks && !isDraft07) throw new UnfitError("something stands beside a $ref");
    if (this.rules.references === "plain" && this.#open.has(target)) throw new UnfitError("it holds itself");
    const wire = { $ref: this.#definitions.referTo(target, reference) };
    // What is to be undone within a recursive type isn't known before the type is written.
    const restore: Restore = (value) => {
      const within = this.#restores.get(target);
      return within === undefined ? value : within(value);
    };
    const description = isDraft07 ? undefined : siblings.description;
    return { wire: description === undefined ? wire : { anyOf: [wire], description }, restore };
  }

  #writeTarget(target: SchemaNode): unknown {
    this.#open.add(target);
    const { wire, restore } = this.writeFlat(target);
    this.#open.delete(target);
    this.#restores.set(target, restore);
    return wire;
  }

  /** The nodes whose meaning a node has taken over by `$ref` and `allOf`. */
  #heldBy(schema: SchemaNode): readonly unknown[] {
    const target = this.document.targets.get(schema);
    const others = conjuncts(schema, this.document);
    if (others.length === 0) return target === undefined ? [] : [target];
    return others.flatMap((other) =>
      isRecord(other) ? [...(other === target || this.document.targets.has(other) ? [other] : []), ...this.#heldBy(other)] : [],
    );
  }

  writeFlat(schema: SchemaNode): Written {
    const flat = flatten(schema, this.document);
    if (flat === undefined && this.rules.isStrict) throw new UnfitError("its allOf can't be written as one schema");
    // What can't be merged stays as `allOf`, and is told.
    const node = flat ?? schema;
    if (!isRecord(node)) return this.#writeAny(node);
    if (node.anyOf !== undefined || node.oneOf !== undefined) return writeUnion(this, node);
    const types = effectiveTypes(node);
    const values = types.filter((type) => type !== "null");
    const [only] = values;
    if (only === undefined)
      return types.length === 0 || this.rules.textValues
        ? this.writeText(node, "a part of it takes any value")
        : this.#written(node, "null", {});
    if (values.length === 1) {
      const written = this.#writeType(node, only);
      return types.length === 1 ? written : { ...written, wire: nullable(written.wire) };
    }
    if (listedValues(node) !== undefined && this.rules.textValues) {
      const written = this.#writeType(node, "string");
      return values.length === types.length ? written : { ...written, wire: nullable(written.wire) };
    }
    return joinBranches(this, {
      told: node,
      branches: types.map((type) => withType(node, type)),
      node,
    });
  }

  #writeType(node: SchemaNode, type: JsonType): Written {
    const values = listedValues(node);
    if (values !== undefined) return this.#writeValues(node, type, values);
    if (type === "object") {
      if (this.#isFree(node)) return this.writeText(node, "a part of it takes any property");
      return this.#finished(writeObject(this, node, false), node, "object");
    }
    if (type === "array") {
      const items = node.items;
      if (Array.isArray(items) || node.prefixItems !== undefined)
        return this.writeText(node, "a list in it has items of its own at each place");
      return this.#finished(writeArray(this, items ?? {}), node, "array");
    }
    return this.#written(node, type, {});
  }

  #writeValues(node: SchemaNode, type: JsonType, values: readonly unknown[]): Written {
    if (!this.rules.textValues) {
      if (type === "object" || type === "array") throw new UnfitError("its enum holds objects or lists");
      return this.#written(node, type, { enum: values.filter((value) => value === null || isOfType(value, type)) });
    }
    const { codes, restore } = codeValues(values.filter((value) => value !== null));
    const written = this.#written(node, "string", { enum: codes });
    return restore === undefined ? written : { ...written, restore, isCoded: true };
  }

  #written(node: SchemaNode, type: JsonType, wire: SchemaNode): Written {
    return this.#finished({ wire: { ...wire }, restore: undefined }, node, type);
  }

  #finished({ wire, restore }: Written, node: SchemaNode, type: JsonType): Written {
    return { wire: this.#finish(wire, node, type), restore };
  }

  /** Adds what a schema of one type says beside its shape. `rootNotes`: those of the root go into the tool's description. */
  #finish(shape: Record<string, unknown>, node: SchemaNode, type: JsonType, rootNotes?: Notes): Record<string, unknown> {
    const notes = rootNotes ?? this.notes();
    const text = shape.description;
    const wire = Object.assign({ type } as Record<string, unknown>, shape);
    this.tell(node, notes);
    const isListed = wire.enum !== undefined;
    for (const key of Object.keys(node)) {
      const keywordType = typeOfKeyword.get(key);
      if (keywordType === undefined || silent.has(key)) continue;
      // What is listed needs no bounds; a bound of another type says nothing of this one.
      if (isListed || keywordType !== (type === "integer" ? "number" : type)) continue;
      writeBound(this.rules, key, node[key], type, wire, notes);
    }
    if (this.rules.keywords.has("title") && typeof node.title === "string") wire.title = node.title;
    const description = joinTexts(node.description, text, rootNotes === undefined ? notes.text : undefined);
    if (description !== undefined) wire.description = description;
    return wire;
  }

  /** An object that may hold any property, or any that fits: a list of properties would empty it. */
  #isFree({ properties, additionalProperties, patternProperties }: SchemaNode): boolean {
    const isOpen = additionalProperties !== undefined && additionalProperties !== false;
    const isEmpty = !isRecord(properties) || Object.keys(properties).length === 0;
    if (this.rules.isStrict) return isOpen || patternProperties !== undefined || (isEmpty && additionalProperties !== false);
    return isEmpty;
  }

  /** A root that has no properties of its own, but takes some. */
  #isMap({ properties, additionalProperties, patternProperties }: SchemaNode): boolean {
    const isOpen = (additionalProperties !== undefined && additionalProperties !== false) || patternProperties !== undefined;
    if (isOpen && this.rules.isStrict) throw new UnfitError("it takes any property");
    return isOpen && (!isRecord(properties) || Object.keys(properties).length === 0);
  }

  #wrapped(root: SchemaNode): Written {
    const { wire } = this.writeText(root, "");
    const restore: Restore = (value) => {
      const held = isRecord(value) && Object.keys(value).join() === "arguments" ? restoreText(value.arguments) : value;
      return isRecord(held) ? held : value;
    };
    return { wire: { properties: { arguments: wire }, required: ["arguments"] }, restore };
  }
}

/** The same schema for values of one type. */
function withType(node: SchemaNode, type: JsonType): SchemaNode {
  const { title: _title, description: _description, default: _default, examples: _examples, ...rest } = node;
  return { ...rest, type };
}
