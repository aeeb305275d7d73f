import { acceptSchema } from "../../accept-schema.js";
import { compileSchema } from "../../validation/compile-schema.js";
import type { JsonType } from "../../json-schema.js";
import type { SchemaNode } from "../../keywords.js";
import { isRecord } from "../../type-guards.js";
import type { SchemaDocument } from "../../schema-document.js";
import { isOfType } from "../../faults/value-kinds.js";
import { fitsSchema } from "../../faults/fault-walk.js";
import { TooCostlyError, WorkBudget } from "../../work-budget.js";
import { type Conversion, type Converted, UnfitError } from "../conversion.js";
import { flatten } from "../merge-schemas.js";
import { writeBound } from "./narrow-bounds.js";
import { writeArray, writeObject } from "./narrow-parts.js";
import { NarrowReferences } from "./narrow-references.js";
import { joinBranches, writeUnion } from "./narrow-union.js";
import { joinTexts, Notes, schemaText } from "../notes.js";
import { nullable } from "./nullable.js";
import { type Restore, restoreText } from "../restore.js";
import { rootObject } from "../root-object.js";
import type { NarrowRules } from "../dialect-rules.js";
import { codeValues } from "./value-codes.js";
import { effectiveTypes, keywordsForNotes, listedValues } from "../effective-types.js";

/** A part of a schema as it goes over the wire. */
export interface Written {
  readonly wire: Record<string, unknown>;
  readonly restore: Restore | undefined;
  /** The texts among its values are no texts to the tool: they stand for other values. */
  readonly isCoded?: boolean;
}

/** More parts, once references are written out, are refused: such schemas multiply themselves. */
const maxParts = 5_000;

/** Writes a schema in a part of JSON Schema: each value has one type, unions are `anyOf`, and descriptions state the rest. */
export class NarrowSchema {
  readonly rules: NarrowRules;
  readonly document: SchemaDocument;
  readonly #conversion: Conversion;
  /** Absent if nothing is referred to. */
  readonly #references: NarrowReferences | undefined;
  readonly #budget = new WorkBudget();
  #parts = 0;

  constructor(rules: NarrowRules, conversion: Conversion) {
    this.rules = rules;
    this.document = conversion.document;
    this.#conversion = conversion;
    if (conversion.document.targets.size > 0) this.#references = new NarrowReferences(this, conversion.schema);
  }

  /** @throws UnfitError if the rules can't express the schema. */
  convert(): Converted {
    const { schema } = this.#conversion;
    const notes = this.notes();
    const root = rootObject(schema, this.document, notes);
    if (this.rules.isStrict && notes.text !== undefined) throw new UnfitError("its root is a union");
    const { wire, restore } = this.#isMap(root) ? this.#wrapped(root) : writeObject(this, root, true);
    const parameters = this.#finish(root, "object", wire, notes);
    const definitions = this.#references?.definitions;
    if (definitions !== undefined) parameters.$defs = definitions;
    return { parameters, note: notes.text, restore };
  }

  notes(): Notes {
    return new Notes(this.#conversion);
  }

  /** Whether the tool's own schema takes a value at that place. */
  takes(schema: unknown, value: unknown): boolean {
    if (isRecord(schema) && typeof schema.type === "string" && schema.$ref === undefined && !isOfType(value, schema.type as JsonType))
      return false;
    try {
      return fitsSchema(schema, this.document, value, this.#budget);
    } catch (error) {
      if (error instanceof TooCostlyError) throw new UnfitError("its values take too long to check");
      throw error;
    }
  }

  write(schema: unknown): Written {
    if (++this.#parts > maxParts) throw new UnfitError(`its references unfold to more than ${maxParts} parts`);
    if (!isRecord(schema)) return this.#writeAny(schema);
    return this.#references === undefined ? this.writeFlat(schema) : this.#references.write(schema);
  }

  /** Adds what a schema says of values of every type. */
  note(node: SchemaNode, notes: Notes): void {
    for (const key of Object.keys(node)) if (keywordsForNotes.get(key) === "any" && node[key] !== undefined) notes.add(key, node[key]);
  }

  /** Checks values against a part that was written. Compiled at first use: most unions are never restored. */
  taking(wire: SchemaNode): (value: unknown) => boolean {
    let schema: SchemaNode | undefined;
    return (value) => {
      schema ??= acceptSchema({ allOf: [wire], $defs: this.#references?.definitions ?? {} });
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
    // A text may be meant as itself, if the schema takes texts: an order's number "4711".
    const restore: Restore = (value) => {
      const read = restoreText(value);
      return this.takes(schema, read) || !this.takes(schema, value) ? read : value;
    };
    return { wire: { type: "string", description: joinTexts(description, says) }, restore, isCoded: true };
  }

  #writeAny(schema: unknown): Written {
    if (schema === false) throw new UnfitError("a part of it takes no value at all");
    return this.writeText({}, "a part of it takes any value");
  }

  /** A schema with what its `$ref` and `allOf` say. */
  writeFlat(schema: SchemaNode): Written {
    // Most schemas have nothing to be merged with.
    const flat = this.#references === undefined && schema.allOf === undefined ? schema : flatten(schema, this.document);
    if (flat === undefined && this.rules.isStrict) throw new UnfitError("its allOf can't be written as one schema");
    // What can't be merged stays as `allOf`, and the description states it.
    const node = flat ?? schema;
    if (!isRecord(node)) return this.#writeAny(node);
    if (typeof node.type === "string" && node.type !== "null" && !hasAlternatives(node))
      return this.#writeType(node, node.type as JsonType);
    return this.#writeAlternatives(node);
  }

  #writeAlternatives(node: SchemaNode): Written {
    if (node.anyOf !== undefined || node.oneOf !== undefined) return writeUnion(this, node);
    const listed = listedValues(node);
    const types = effectiveTypes(node, listed);
    const values = types.filter((type) => type !== "null");
    const [only] = values;
    if (only === undefined)
      return types.length === 0 || this.rules.textValues
        ? this.writeText(node, "a part of it takes any value")
        : this.#written(node, "null");
    if (values.length > 1 && (listed === undefined || !this.rules.textValues))
      return joinBranches(this, { annotations: node, branches: types.map((type) => withType(node, type)), node });
    const written =
      listed === undefined ? this.#writeType(node, only) : this.#writeValues(node, values.length === 1 ? only : "string", listed);
    return values.length === types.length ? written : { ...written, wire: nullable(written.wire) };
  }

  #writeType(node: SchemaNode, type: JsonType): Written {
    if (type === "object") {
      if (this.#isFree(node)) return this.writeText(node, "a part of it takes any property");
      const { wire, restore } = writeObject(this, node, false);
      return this.#written(node, "object", wire, restore);
    }
    if (type === "array") {
      const items = node.items;
      if (Array.isArray(items) || node.prefixItems !== undefined)
        return this.writeText(node, "a list in it has items of its own at each place");
      const { wire, restore } = writeArray(this, items ?? {});
      return this.#written(node, "array", wire, restore);
    }
    return this.#written(node, type);
  }

  #writeValues(node: SchemaNode, type: JsonType, values: readonly unknown[]): Written {
    if (!this.rules.textValues) {
      if (type === "object" || type === "array") throw new UnfitError("its enum holds objects or lists");
      return this.#written(node, type, { enum: values });
    }
    const { codes, restore } = codeValues(values.filter((value) => value !== null));
    const written = this.#written(node, "string", { enum: codes }, restore);
    return restore === undefined ? written : { ...written, isCoded: true };
  }

  #written(node: SchemaNode, type: JsonType, shape?: SchemaNode, restore?: Restore): Written {
    return { wire: this.#finish(node, type, shape), restore };
  }

  /** What a schema of one type says beside its shape. `rootNotes`: those of the root go into the tool's description. */
  #finish(node: SchemaNode, type: JsonType, shape?: SchemaNode, rootNotes?: Notes): Record<string, unknown> {
    let notes = rootNotes;
    const wire: Record<string, unknown> = { type };
    if (shape !== undefined) Object.assign(wire, shape);
    const text = shape?.description;
    // What is listed needs no bounds; a bound of another type says nothing of this one.
    const bounded = shape?.enum !== undefined ? undefined : type === "integer" ? "number" : type;
    for (const key of Object.keys(node)) {
      const saying = keywordsForNotes.get(key);
      if (saying === undefined || node[key] === undefined) continue;
      if (saying === "any") (notes ??= this.notes()).add(key, node[key]);
      else if (saying === bounded) writeBound(this.rules, key, node[key], type, wire, (notes ??= this.notes()));
    }
    if (typeof node.title === "string" && this.rules.keywords.has("title")) wire.title = node.title;
    const description = joinTexts(node.description, text, rootNotes === undefined ? notes?.text : undefined);
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

/** Whether a value is one of those listed, or what one of several schemas says. */
const hasAlternatives = ({ enum: values, const: constant, anyOf, oneOf }: SchemaNode): boolean =>
  values !== undefined || constant !== undefined || anyOf !== undefined || oneOf !== undefined;

/** The same schema for values of one type. */
function withType(node: SchemaNode, type: JsonType): SchemaNode {
  const { title: _title, description: _description, default: _default, examples: _examples, ...rest } = node;
  return { ...rest, type };
}
