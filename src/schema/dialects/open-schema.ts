import { annotationKeywords, constraintOf, type SchemaNode, subschemaKeywords } from "../keywords.js";
import { isRecord } from "../type-guards.js";
import { setOwn } from "../../redaction/internal.js";
import type { Conversion, Converted } from "./conversion.js";
import { Definitions } from "./definitions.js";
import { joinTexts, Notes } from "./notes.js";
import { isPlainPattern, type OpenRules } from "./dialect-rules.js";
import { restoreObject } from "./restore.js";
import { rootObject } from "./root-object.js";
import { WireNames } from "./wire-names.js";

/** Keywords of 2020-12 that go over the wire as they are. Unknown keywords check nothing, so they are left out. */
const plainKeywords: ReadonlySet<string> = new Set(
  ["type", "enum", "const", ...annotationKeywords, ...constraintOf.keys()].filter(
    (keyword) => !subschemaKeywords.has(keyword) && keyword !== "$comment",
  ),
);

/** Keywords that have code of their own, or that the description states. */
const writtenSeparately: ReadonlySet<string> = new Set([
  "$ref",
  "$defs",
  "definitions",
  "items",
  "additionalItems",
  "dependencies",
  "patternProperties",
  "contentSchema",
]);

const matchesAll: ReadonlySet<string> = new Set(["", "^", ".*", "^.*$", "^(.*)$", ".", "^.+$", ".+"]);

/** Writes a schema for a provider that reads JSON Schema, in 2020-12. */
export class OpenSchema {
  readonly #rules: OpenRules;
  readonly #conversion: Conversion;
  readonly #definitions = new Definitions((target) => this.write(target));

  constructor(rules: OpenRules, conversion: Conversion) {
    this.#rules = rules;
    this.#conversion = conversion;
  }

  convert(): Converted {
    const { schema, document } = this.#conversion;
    const notes = new Notes(this.#conversion);
    const root = rootObject(schema, document, notes);
    const wire = this.write(root);
    wire.properties ??= {};
    const restore = this.#renameRoot(wire);
    const { written } = this.#definitions;
    if (written !== undefined) wire.$defs = written;
    return { parameters: wire, note: notes.text, restore };
  }

  /** Whether what was written refers to definitions. */
  get hasReferences(): boolean {
    return this.#definitions.written !== undefined;
  }

  #renameRoot(wire: Record<string, unknown>) {
    const { names: rule } = this.#rules;
    const properties = wire.properties as Record<string, unknown>;
    const own = Object.keys(properties);
    if (rule === undefined || own.every((name) => rule.legalForm(name) === name)) return undefined;
    const names = new WireNames(own, rule.legalForm);
    wire.properties = Object.fromEntries(own.map((name) => [names.toWire(name), properties[name]]));
    if (Array.isArray(wire.required)) wire.required = wire.required.map((name) => names.toWire(name));
    const renamed = own.filter((name) => names.toWire(name) !== name).map((name) => [names.toWire(name), name] as const);
    return restoreObject({ names: new Map(renamed) });
  }

  /** A schema within the whole. */
  write(given: unknown): Record<string, unknown> {
    if (!isRecord(given)) return given === false ? { not: {} } : {};
    const wire: Record<string, unknown> = {};
    const notes = new Notes(this.#conversion);
    const target = this.#conversion.document.targets.get(given);
    if (target !== undefined) {
      if (isRecord(target)) wire.$ref = this.#definitions.referTo(target, given.$ref);
      else if (!target) wire.not = {};
      if (this.#conversion.document.draft07) return wire;
    }
    for (const key of Object.keys(given)) {
      const value = given[key];
      if (plainKeywords.has(key)) {
        if (key === "pattern" && this.#rules.plainPatterns && !isPlainPattern(value)) notes.add(key, value);
        else wire[key] = value;
      } else if (key === "unevaluatedProperties" || key === "unevaluatedItems") notes.add(key, value);
      else if (subschemaKeywords.has(key) && !writtenSeparately.has(key)) wire[key] = this.#rewriteInner(value, key);
    }
    this.#rewriteItems(given, wire);
    this.#rewriteDependencies(given, wire);
    this.#rewritePatterns(given, wire, notes);
    if (notes.text !== undefined) wire.description = joinTexts(wire.description, notes.text);
    return wire;
  }

  #rewriteInner(value: unknown, key: string): unknown {
    const kind = subschemaKeywords.get(key);
    if (Array.isArray(value)) return value.map((inner) => this.write(inner));
    if (kind === "map") return this.#rewriteMap(value as SchemaNode);
    // `additionalProperties: false` and the like are what models know; a schema in their stead says the same in more words.
    return typeof value === "boolean" ? value : this.write(value);
  }

  #rewriteMap(map: SchemaNode): SchemaNode {
    const written: Record<string, unknown> = {};
    for (const [name, inner] of Object.entries(map)) if (inner !== false) setOwn(written, name, this.write(inner));
    return written;
  }

  /** Draft-07's list of `items` is `prefixItems`, and its `additionalItems` is `items`. */
  #rewriteItems({ type, items, additionalItems }: SchemaNode, wire: Record<string, unknown>): void {
    if (Array.isArray(items)) {
      wire.prefixItems = items.map((item) => this.write(item));
      if (additionalItems !== undefined) wire.items = this.#rewriteInner(additionalItems, "items");
    } else if (items !== undefined) wire.items = typeof items === "boolean" && items ? {} : this.#rewriteInner(items, "items");
    const isList = type === "array" || (Array.isArray(type) && type.includes("array"));
    if (this.#rules.needsItems && isList) wire.items ??= {};
  }

  /** Draft-07's `dependencies` are two keywords in 2020-12. */
  #rewriteDependencies({ dependencies }: SchemaNode, wire: Record<string, unknown>): void {
    for (const [name, value] of Object.entries(isRecord(dependencies) ? dependencies : {})) {
      const key = Array.isArray(value) ? "dependentRequired" : "dependentSchemas";
      const written = { ...(wire[key] as SchemaNode | undefined) };
      setOwn(written, name, Array.isArray(value) ? value : this.write(value));
      wire[key] = written;
    }
  }

  #rewritePatterns(given: SchemaNode, wire: Record<string, unknown>, notes: Notes): void {
    const { patternProperties } = given;
    if (!isRecord(patternProperties)) return;
    const [only, second] = Object.keys(patternProperties);
    const isAlone = second === undefined && given.properties === undefined && (given.additionalProperties ?? false) === false;
    if (only !== undefined && isAlone && matchesAll.has(only)) {
      wire.additionalProperties = this.#rewriteInner(patternProperties[only], "additionalProperties");
    } else if (this.#rules.patternProperties) wire.patternProperties = this.#rewriteMap(patternProperties);
    else {
      notes.add("patternProperties", patternProperties);
      // What the patterns allow must not be forbidden as the rest.
      if (wire.additionalProperties !== undefined) notes.add("additionalProperties", wire.additionalProperties);
      delete wire.additionalProperties;
    }
  }
}
