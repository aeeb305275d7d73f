import { transformerStorage } from "./load-peer.js";
import { classChain } from "./rule-storage.js";
import { viewOf } from "./transformer-view.js";

/** How class-transformer turns the instances of a class into plain data, by its decorators. */
export interface PlainForm {
  /** The properties that `@Expose` names: getters and methods may be among them. */
  readonly exposed: ReadonlySet<string>;
  /** Whether `@Exclude` names the property itself, not only its class. */
  isExcluded(property: string): boolean;
  /** The name that a property gets; undefined if it is left out. */
  nameOf(property: string): string | undefined;
  /** Whether a `@Transform` makes another value of the property: only on this way, or on the way of arguments too. */
  transformOf(property: string): "result" | "both" | undefined;
  /** The value of a property after its `@Transform`. Throws what the property or the function throws. */
  valueOf(owner: object, property: string): unknown;
  /** The class that `@Type` names, or the classes of its discriminator, by which the property's value is read. */
  typeOf(owner: object, property: string): unknown;
}

/** class-transformer's own number for the way from instances to plain data. */
const classToPlain = 1;

/** class-transformer's metadata; the same in every 0.5 version. Its own methods decide what inherits what. */
interface Storage {
  readonly _typeMetadatas: ReadonlyMap<object, unknown>;
  readonly _transformMetadatas: ReadonlyMap<object, unknown>;
  readonly _exposeMetadatas: ReadonlyMap<object, unknown>;
  readonly _excludeMetadatas: ReadonlyMap<object, unknown>;
  getStrategy(constructor: object): "none" | "excludeAll" | "exposeAll";
  getExposedProperties(constructor: object, direction: number): readonly string[];
  getExcludedProperties(constructor: object, direction: number): readonly string[];
  findExposeMetadata(constructor: object, property: string): Metadata | undefined;
  findTransformMetadatas(constructor: object, property: string, direction: number): readonly TransformMetadata[];
  findTypeMetadata(constructor: object, property: string): TypeMetadata | undefined;
}

interface Metadata {
  readonly options?: { readonly name?: string; readonly groups?: readonly string[]; readonly toPlainOnly?: boolean };
}

interface TransformMetadata extends Metadata {
  readonly transformFn: (given: { value: unknown; key: string; obj: object; type: number; options: object }) => unknown;
}

interface TypeMetadata {
  readonly typeFunction?: (help: { newObject: object; object: object; property: string }) => unknown;
  readonly reflectedType?: unknown;
  readonly options?: { readonly discriminator?: Discriminator };
}

interface Discriminator {
  readonly property: string;
  readonly subTypes: readonly { readonly name: string; readonly value: unknown }[];
}

interface PropertyForm {
  readonly name: string | undefined;
  readonly transforms: readonly TransformMetadata[];
  readonly type: TypeMetadata | undefined;
  readonly subTypes: SubTypes | undefined;
}

/** The classes of a discriminator: each of its values names one. */
class SubTypes {
  readonly #discriminator: Discriminator;

  constructor(discriminator: Discriminator) {
    this.#discriminator = discriminator;
  }

  classOf(value: object): unknown {
    const { property, subTypes } = this.#discriminator;
    const named = (value as Readonly<Record<string, unknown>>)[property];
    return subTypes.find(({ name }) => name === named)?.value;
  }
}

/** Members of data may have any names; a class has fewer. */
const mostKept = 1_000;

const forms = new WeakMap<object, PlainForm>();

/**
 * The last class without decorators, and how many entries class-transformer had then: lists hold objects of one class. All such classes
 * are many, and aren't kept: each entry of a weak map costs every garbage collection.
 */
let undecorated: { readonly constructor?: object; readonly known: number } = { known: 0 };

/**
 * The form of an object: by its own class; by `declared`, the class that a `@Type` names, if there is one. If both are decorated,
 * `declared` gives the form, as in class-transformer, and what the object's own class leaves out stays out too.
 */
export function plainFormOf(value: object, declared?: unknown): PlainForm | undefined {
  const own = plainFormOfClass((Object.getPrototypeOf(value) as { readonly constructor?: unknown } | null)?.constructor);
  const named = declared === undefined ? undefined : plainFormOfClass(declared instanceof SubTypes ? declared.classOf(value) : declared);
  if (own === undefined || own === named) return named;
  if (named === undefined) return own;
  return { ...named, nameOf: (property) => (own.nameOf(property) === undefined ? undefined : named.nameOf(property)) };
}

/** Undefined if class-transformer isn't installed or knows nothing of the class and its bases. Doesn't load class-transformer whole. */
export function plainFormOfClass(constructor: unknown): PlainForm | undefined {
  if (typeof constructor !== "function" || constructor === Object || constructor.prototype === undefined) return undefined;
  const made = forms.get(constructor);
  if (made !== undefined) return made;
  const storage = transformerStorage() as Storage | undefined;
  if (storage === undefined) return undefined;
  const { _typeMetadatas: types, _transformMetadatas: transforms, _exposeMetadatas: exposes, _excludeMetadatas: excludes } = storage;
  const known = types.size + transforms.size + exposes.size + excludes.size;
  if (constructor === undecorated.constructor && known === undecorated.known) return undefined;
  const isDecorated = (current: object): boolean =>
    types.has(current) || transforms.has(current) || exposes.has(current) || excludes.has(current);
  if (!classChain(constructor).some(isDecorated)) {
    undecorated = { constructor, known };
    return undefined;
  }
  const form = readForm(constructor, storage);
  forms.set(constructor, form);
  return form;
}

/** No groups are asked for: class-transformer leaves out then what a group alone exposes. */
const inGroup = (metadata: Metadata | undefined): boolean => (metadata?.options?.groups?.length ?? 0) > 0;

function readForm(constructor: object, storage: Storage): PlainForm {
  const exposed = new Set(storage.getExposedProperties(constructor, classToPlain));
  const excluded = new Set(storage.getExcludedProperties(constructor, classToPlain));
  const excludesAll = storage.getStrategy(constructor) === "excludeAll";
  // What is left out stays out, also of a field that a subclass declares again; its transforms are those of arguments.
  const view = viewOf(constructor) as object;
  const readProperty = (property: string): PropertyForm => {
    const expose = storage.findExposeMetadata(constructor, property);
    const isLeftOut = excluded.has(property) || (excludesAll && !exposed.has(property)) || inGroup(expose);
    const type = storage.findTypeMetadata(view, property);
    const discriminator = type?.options?.discriminator;
    return {
      name: isLeftOut ? undefined : (expose?.options?.name ?? property),
      transforms: storage.findTransformMetadatas(view, property, classToPlain).filter((metadata) => !inGroup(metadata)),
      type,
      subTypes: discriminator && new SubTypes(discriminator),
    };
  };
  const properties = new Map<string, PropertyForm>();
  const formOf = (property: string): PropertyForm => {
    let form = properties.get(property);
    if (form === undefined) {
      form = readProperty(property);
      if (properties.size < mostKept) properties.set(property, form);
    }
    return form;
  };
  return {
    exposed,
    isExcluded: (property) => excluded.has(property),
    nameOf: (property) => formOf(property).name,
    transformOf(property) {
      const { transforms } = formOf(property);
      if (transforms.length === 0) return undefined;
      return transforms.some(({ options }) => options?.toPlainOnly === true) ? "result" : "both";
    },
    valueOf(owner, property) {
      const member = (owner as Readonly<Record<string, unknown>>)[property];
      let value = member;
      for (const { transformFn } of formOf(property).transforms) {
        value = transformFn({ value, key: property, obj: owner, type: classToPlain, options: {} });
      }
      return value === member && typeof member === "function" && exposed.has(property) ? (member.call(owner) as unknown) : value;
    },
    typeOf(owner, property) {
      const { type, subTypes } = formOf(property);
      if (type === undefined || subTypes !== undefined) return subTypes;
      const { typeFunction, reflectedType } = type;
      return typeFunction === undefined ? reflectedType : typeFunction({ newObject: {}, object: owner, property });
    },
  };
}

/** What `@Type` makes of a value that isn't an instance: of each item, if it is a collection. */
export function asDeclared(value: unknown, declared: unknown): unknown {
  if (value === null || value === undefined || Array.isArray(value) || value instanceof Set || value instanceof Map) return value;
  if (declared === String || declared === Number || declared === Boolean) return (declared as (given: unknown) => unknown)(value);
  return declared === Date && !(value instanceof Date) ? new Date(value as string | number) : value;
}
