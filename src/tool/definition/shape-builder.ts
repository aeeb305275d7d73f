import type { ClassToken, JsonSchema } from "../../schema/index.js";
import { compileSchema, type SchemaValidator, acceptGenerated } from "../../schema/internal.js";
import { type PropertyRules, rulesOf } from "../bridges/class-validator.js";
import { fieldsOfClass, nameOf, refuseUnfilled } from "./class-fields.js";
import { ToolDefinitionError } from "../tool-errors.js";
import { type FieldShape, shapeOfField } from "./field-shape.js";
import { fieldsOfResult } from "./result-fields.js";
import { acceptRawSchema, holdsReference, rebase } from "./raw-schema.js";
import { checkMembers, reviveClass } from "./revive-class.js";
import { typeBehind } from "../type-function.js";
import type { ValueShape } from "./value-shape.js";

interface ClassEntry {
  /** Known when the class is finished; recursion meets the class before that. */
  shape?: ValueShape;
  /** Among `$defs`; only a recursive class has one. */
  name?: string;
}

/**
 * Builds the shapes of one definition: classes inline, except recursive ones, which go into `$defs` and are
 * referred to by `$ref`.
 */
export class ShapeBuilder {
  readonly side: "input" | "output";
  readonly definitions: Record<string, JsonSchema> = {};
  /** Schemas of Standard Schemas: they check themselves, so the local validator lets anything through there. */
  readonly selfValidating = new Set<JsonSchema>();
  /** By the schema on the wire, what is checked of a value before its `@Transform`: rules speak of what that makes. */
  readonly beforeTransform = new Map<JsonSchema, JsonSchema>();
  /** By the schema of a field, its rules if the application gave some a `message`. */
  readonly withMessages = new Map<JsonSchema, PropertyRules>();
  /** Whether any class in the definition has class-validator rules. */
  hasRules = false;
  /** Whether a part was not made here of checked options alone, so that the whole has to be read as a foreign schema is. */
  hasForeignParts = false;
  readonly #classes = new Map<unknown, ClassEntry>();
  readonly #validators = new Map<JsonSchema, SchemaValidator>();
  readonly #typeFunctions = new Set<() => unknown>();
  #checks: (() => void)[] = [];

  /** `side`: what the definition is of, arguments that arrive or the result of a tool. */
  constructor(side: "input" | "output" = "input") {
    this.side = side;
  }

  shapeOfClass(constructor: ClassToken, place: string): ValueShape {
    const known = this.#classes.get(constructor);
    if (known !== undefined) return known.shape ?? this.#refer(constructor, known);
    const entry: ClassEntry = {};
    this.#classes.set(constructor, entry);
    const sources = this.side === "output" ? fieldsOfResult(constructor) : fieldsOfClass(constructor);
    if (sources.length === 0) {
      throw new ToolDefinitionError(
        `${place}: the class ${nameOf(constructor)} describes no fields. Decorate them with @required or @optional ` +
          "(or class-validator's rules), or write the raw schema: { schema: { ... } }.",
      );
    }
    const fields = sources.map((source) => shapeOfField(source, `${nameOf(constructor)}.${source.parameter.name}`, this));
    const rules = rulesOf(constructor);
    if (rules !== undefined) {
      this.hasRules = true;
      if (this.side === "input") refuseUnfilled(constructor, rules, new Set(fields.map(({ property }) => property)));
    }
    const schema = objectSchema(fields);
    const revive = this.side === "output" ? checkMembers(fields) : reviveClass(constructor, fields);
    if (entry.name !== undefined) {
      this.definitions[entry.name] = schema;
      entry.shape = { schema: { $ref: `#/$defs/${entry.name}` }, revive };
    } else {
      entry.shape = { schema, revive };
    }
    return entry.shape;
  }

  /** The shape of the type that an arrow function names, so that a class may name itself or a later one. */
  shapeBehind(
    typeFunction: () => unknown,
    place: string,
    shapeOf: (type: unknown, place: string, builder: this) => ValueShape,
  ): ValueShape {
    if (this.#typeFunctions.has(typeFunction)) {
      throw new ToolDefinitionError(`${place}: the arrow function that names its type leads back to itself. Return a class from it.`);
    }
    this.#typeFunctions.add(typeFunction);
    const shape = shapeOf(typeBehind(typeFunction, place), place, this);
    this.#typeFunctions.delete(typeFunction);
    return shape;
  }

  /** Puts off a check that follows references until all that they lead to is there. */
  whenComplete(check: () => void): void {
    this.#checks.push(check);
  }

  /** To be called when every shape is built. Throws the first author's mistake that the checks find. */
  complete(): void {
    for (const check of this.#checks) check();
    this.#checks = [];
  }

  /** Takes an author's raw schema in; local references move with it into `$defs`. */
  adopt(schema: unknown, place: string): JsonSchema {
    this.hasForeignParts = true;
    const { $schema: _dialect, ...accepted } = acceptRawSchema(schema, place);
    if (!holdsReference(accepted)) return accepted;
    const name = this.#unusedName(place.replace(/\W+/g, "_"));
    this.definitions[name] = rebase(accepted, `#/$defs/${name}`) as JsonSchema;
    return { $ref: `#/$defs/${name}` };
  }

  /** Call it with a frozen schema that was made of this builder's shapes: it needn't be read again. */
  vouchFor(schema: JsonSchema): void {
    if (!this.hasForeignParts && schema.$defs === undefined) acceptGenerated(schema);
  }

  /** Validates against a part of the definition, whose references it can follow. */
  validatorOf(schema: JsonSchema): SchemaValidator {
    let validator = this.#validators.get(schema);
    if (validator === undefined) {
      validator = compileSchema(this.localSchema(schema));
      this.#validators.set(schema, validator);
    }
    return validator;
  }

  /** The schema with its `$defs`, as it goes over the wire. */
  withDefinitions(schema: JsonSchema): JsonSchema {
    const complete = schema.$defs !== undefined || Object.keys(this.definitions).length === 0;
    return complete ? schema : { ...schema, $defs: this.definitions };
  }

  /** Whether something else is checked locally than stands on the wire. */
  get isOpen(): boolean {
    return this.selfValidating.size + this.beforeTransform.size > 0;
  }

  /** The schema that is checked locally: as on the wire, but open if a Standard Schema or rules after a `@Transform` check the value. */
  localSchema(schema: JsonSchema): JsonSchema {
    const whole = this.withDefinitions(schema);
    return this.isOpen ? (this.#opened(whole) as JsonSchema) : whole;
  }

  #opened(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#opened(item));
    if (this.selfValidating.has(value as JsonSchema)) return "default" in value ? { default: value.default } : {};
    const before = this.beforeTransform.get(value as JsonSchema);
    if (before !== undefined) return before;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, this.#opened(member)]));
  }

  #refer(constructor: ClassToken, entry: ClassEntry): ValueShape {
    entry.name ??= this.#nameFor(constructor);
    return {
      schema: { $ref: `#/$defs/${entry.name}` },
      revive: (holder, key, path, revival) => entry.shape?.revive?.(holder, key, path, revival),
    };
  }

  /** The class's name without what has a meaning in a reference, such as a slash. */
  #nameFor(constructor: ClassToken): string {
    return this.#unusedName(constructor.name.replace(/[^\p{L}\p{N}_$]+/gu, "_") || "Value");
  }

  #unusedName(wanted: string): string {
    for (let suffix = 1; ; suffix++) {
      const name = suffix === 1 ? wanted : `${wanted}${suffix}`;
      let taken = Object.hasOwn(this.definitions, name);
      for (const entry of this.#classes.values()) taken ||= entry.name === name;
      if (!taken) return name;
    }
  }
}

/** A closed object: unknown keys are refused. */
export function objectSchema(fields: readonly FieldShape[]): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const field of fields) properties[field.name] = field.schema;
  const required = fields.filter((field) => field.required).map((field) => field.name);
  return required.length === 0
    ? { type: "object", properties, additionalProperties: false }
    : { type: "object", properties, required, additionalProperties: false };
}
