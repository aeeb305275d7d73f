import { acceptSchema, documentOf } from "./accept-schema.js";
import { compileSchema } from "./validation/compile-schema.js";
import type { JsonSchema } from "./json-schema.js";
import { isSchema, type SchemaNode } from "./keywords.js";
import { isRecord } from "./type-guards.js";
import { safePattern } from "./pattern/pattern.js";
import { SchemaError } from "./schema-error.js";
import type { SchemaValidator } from "./validation/validator.js";

/** A value beside what its schema declares of it. */
export interface DeclaredValue {
  /** Whether the schema says that the value is a text. */
  readonly isText: boolean;
  /** A member of an object; `undefined` if the schema doesn't declare it by its name. */
  member(name: string): DeclaredValue | undefined;
  /** The names of the members that the schema declares. */
  names(): Iterable<string>;
  /** An item of a list, or a member of an object whose names the schema leaves open. */
  inside(key: string | number): DeclaredValue;
}

/**
 * Reads a JSON value together with its schema. A schema of a union counts only if the value fits it, so that a free object
 * isn't taken for the class beside it.
 *
 * ```ts
 * declaredValue(schema, input).member("login")?.member("password")?.isText; // true
 * ```
 */
export function declaredValue(schema: JsonSchema, value: unknown): DeclaredValue {
  const accepted = acceptSchema(schema);
  return new SchemaView(new SchemaReader(accepted), [accepted], value);
}

class SchemaView implements DeclaredValue {
  readonly #reader: SchemaReader;
  readonly #nodes: readonly SchemaNode[];
  readonly #value: unknown;

  constructor(reader: SchemaReader, nodes: readonly unknown[], value: unknown) {
    this.#reader = reader;
    this.#nodes = reader.expand(nodes, value);
    this.#value = value;
  }

  get isText(): boolean {
    return this.#nodes.some(({ type, const: only, enum: values }) => {
      if (type !== undefined) return Array.isArray(type) ? type.includes("string") : type === "string";
      return typeof only === "string" || (Array.isArray(values) && values.some((one) => typeof one === "string"));
    });
  }

  member(name: string): DeclaredValue | undefined {
    const declared = this.#nodes.filter(({ properties }) => isRecord(properties) && Object.hasOwn(properties, name));
    if (declared.length === 0) return undefined;
    return this.#at(
      name,
      declared.map(({ properties }) => (properties as Record<string, unknown>)[name]),
    );
  }

  names(): Iterable<string> {
    return new Set(this.#nodes.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : [])));
  }

  inside(key: string | number): DeclaredValue {
    return this.#at(
      key,
      this.#nodes.flatMap((node) => (typeof key === "number" ? itemSchemas(node, key) : openSchemas(node, key))),
    );
  }

  #at(key: string | number, nodes: readonly unknown[]): DeclaredValue {
    const value = this.#value;
    const inner =
      typeof value === "object" && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
    return new SchemaView(this.#reader, nodes, inner);
  }
}

function itemSchemas({ prefixItems, items, additionalItems, unevaluatedItems }: SchemaNode, index: number): readonly unknown[] {
  // Draft-07 lists the first items in `items`, and the others in `additionalItems`.
  const [first, others] = Array.isArray(items) ? [items, additionalItems] : [Array.isArray(prefixItems) ? prefixItems : [], items];
  return index < first.length ? [first[index]] : [others, unevaluatedItems];
}

const openSchemas = ({ patternProperties, additionalProperties, unevaluatedProperties }: SchemaNode, name: string): readonly unknown[] => [
  ...Object.entries(isRecord(patternProperties) ? patternProperties : {}).flatMap(([pattern, schema]) =>
    fitsPattern(pattern, name) ? [schema] : [],
  ),
  additionalProperties,
  unevaluatedProperties,
];

function fitsPattern(pattern: string, name: string): boolean {
  const { expression, maxLength } = safePattern(pattern);
  return name.length <= maxLength && expression.test(name);
}

const readOnly = { owned: false, repair: false } as const;

/** Follows references and the parts of composed schemas. */
class SchemaReader {
  readonly #root: SchemaNode;
  readonly #targets: ReadonlyMap<SchemaNode, SchemaNode | boolean>;
  readonly #validators = new Map<SchemaNode, SchemaValidator>();

  constructor(root: JsonSchema) {
    this.#root = root;
    this.#targets = documentOf(root).targets;
  }

  /** All schemas that apply to the value, each once. */
  expand(nodes: readonly unknown[], value: unknown): readonly SchemaNode[] {
    const found = new Set<SchemaNode>();
    const open = nodes.filter(isSchema);
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      if (typeof node === "boolean" || found.has(node)) continue;
      found.add(node);
      const target = this.#targets.get(node);
      if (target !== undefined) open.push(target);
      const { allOf, anyOf, oneOf, then, else: otherwise, dependentSchemas } = node;
      const whole = [...listOf(allOf), then, otherwise, ...(isRecord(dependentSchemas) ? Object.values(dependentSchemas) : [])];
      open.push(...whole.filter(isSchema), ...this.#fitting(listOf(anyOf), value), ...this.#fitting(listOf(oneOf), value));
    }
    return [...found];
  }

  /** The branches that the value fits. If it fits none, as a value read by another kind of schema may, all branches. */
  #fitting(branches: readonly unknown[], value: unknown): readonly SchemaNode[] {
    const nodes = branches.filter(isRecord);
    const fitting = nodes.filter((branch) => this.#fits(branch, value));
    return fitting.length === 0 ? nodes : fitting;
  }

  #fits(branch: SchemaNode, value: unknown): boolean {
    let validator = this.#validators.get(branch);
    if (validator === undefined) {
      const definitions = Object.entries(this.#root).filter(([key]) => keptBesideBranch.has(key));
      validator = compileSchema(Object.fromEntries([...definitions, ["allOf", [branch]]]));
      this.#validators.set(branch, validator);
    }
    try {
      return validator.validate(value, readOnly).ok;
    } catch (error) {
      // A reference to another place than the definitions: the branch can't be read by itself.
      if (error instanceof SchemaError) return true;
      throw error;
    }
  }
}

/** What a branch needs of the whole schema to mean the same by itself. */
const keptBesideBranch: ReadonlySet<string> = new Set(["$schema", "$id", "$defs", "definitions"]);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
