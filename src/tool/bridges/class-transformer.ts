import { type ClassToken, type Fault, fail, type Result, succeed } from "../../schema/index.js";
import { isPlainObject, memberPath } from "../definition/revival.js";
import { typeBehind } from "../type-function.js";
import { loadPeer } from "./load-peer.js";
import { classChain, declarationsOf } from "./rule-storage.js";

/** The part of class-transformer's metadata that Toolwright reads; the same in every 0.5 version. */
interface TransformerStorage {
  addTypeMetadata(metadata: object): void;
  addTransformMetadata(metadata: object): void;
  addExposeMetadata(metadata: object): void;
  addExcludeMetadata(metadata: object): void;
  readonly _typeMetadatas: MetadataByClass<TypeMetadata>;
  readonly _transformMetadatas: MetadataByClass<readonly TransformMetadata[]>;
  readonly _exposeMetadatas: MetadataByClass<DirectionMetadata>;
  readonly _excludeMetadatas: MetadataByClass<DirectionMetadata>;
}

/** The key is undefined for a decorator on the class itself. */
type MetadataByClass<Metadata> = ReadonlyMap<object, ReadonlyMap<string | undefined, Metadata>>;

interface TypeMetadata {
  readonly typeFunction?: (help: { newObject: object; object: object; property: string }) => unknown;
  readonly options?: {
    readonly discriminator?: {
      readonly property: string;
      readonly subTypes: readonly { readonly name: string; readonly value: unknown }[];
    };
  };
}

interface TransformMetadata extends DirectionMetadata {
  readonly transformFn: (given: { value: unknown; key: string; obj: object; type: 0; options: object }) => unknown;
}

interface DirectionMetadata {
  readonly options?: {
    readonly name?: string;
    readonly toPlainOnly?: boolean;
    readonly toClassOnly?: boolean;
    readonly groups?: readonly string[];
  };
}

/** What class-transformer's decorators say of a class and its bases. */
export interface ClassTransforms {
  /** The type that `@Type` names; undefined if there is none, or one per value (a discriminator). */
  typeOf(property: string): (() => unknown) | undefined;
  /** Why `@Type` can't be followed, and what to write; undefined if it can. `isDeclared`: something else says the type. */
  obstacleOf(property: string, isDeclared: boolean): string | undefined;
  /** Whether class-transformer must make the instances: `@Transform`, `@Expose`, `@Exclude` or a discriminator is there. */
  readonly active: boolean;
  /** The decorated properties, the base's first. */
  readonly properties: readonly string[];
  /** What `@Transform` makes of the value that arrives, in the order in which it is done. */
  functionsOf(property: string): readonly TransformMetadata["transformFn"][];
  /** The key under which the property arrives, which `@Expose({ name })` may change; undefined if it is left out. */
  keyOf(property: string): string | undefined;
}

/** Undefined if class-transformer isn't installed or knows nothing of the class. Doesn't load class-transformer whole. */
export function transformsOf(constructor: object): ClassTransforms | undefined {
  const storage = storageFor(constructor);
  if (storage === undefined) return undefined;
  const { types, transforms, exposed, excluded } = metadataOf(storage, constructor);
  const decorated = new Set([...types.keys(), ...transforms.keys(), ...exposed.keys(), ...excluded.keys()]);
  if (decorated.size === 0) return undefined;
  const excludesAll =
    storage._excludeMetadatas.get(constructor)?.has(undefined) === true &&
    storage._exposeMetadatas.get(constructor)?.has(undefined) !== true;
  return {
    typeOf(property) {
      const { typeFunction, options } = types.get(property) ?? {};
      if (typeFunction === undefined || typeFunction.length > 0 || options?.discriminator !== undefined) return undefined;
      return () =>
        typeBehind(() => typeFunction({ newObject: {}, object: {}, property }), `${(constructor as ClassToken).name}.${property}`);
    },
    obstacleOf(property, isDeclared) {
      const { typeFunction, options } = types.get(property) ?? {};
      if (options?.discriminator !== undefined) {
        const names = options.discriminator.subTypes.map(({ value }) => (typeof value === "function" ? value.name : String(value)));
        return `the discriminator of @Type isn't read. Take @Type away, and write @required(anyOf(${names.join(", ")})) ${property}: the first that fits is taken.`;
      }
      if (typeFunction === undefined || typeFunction.length === 0 || isDeclared) return undefined;
      return `@Type reads the object, which isn't there when the schema is made. Write the types out: @required(anyOf(One, Other)) ${property}.`;
    },
    active:
      transforms.size + exposed.size + excluded.size > 0 || [...types.values()].some((type) => type.options?.discriminator !== undefined),
    properties: [...decorated].filter((property) => property !== undefined),
    functionsOf: (property) =>
      [...(transforms.get(property) ?? [])]
        .reverse()
        .filter((metadata) => concernsInput(metadata) && (metadata.options?.groups?.length ?? 0) === 0)
        .map(({ transformFn }) => transformFn),
    keyOf(property) {
      const expose = exposed.get(property);
      if (concernsInput(excluded.get(property)) || (expose?.options?.groups?.length ?? 0) > 0) return undefined;
      if (excludesAll && !concernsInput(expose)) return undefined;
      return (concernsInput(expose) ? expose?.options?.name : undefined) ?? property;
    },
  };
}

/** The store, if it knows anything of the class or its bases. */
function storageFor(constructor: object): TransformerStorage | undefined {
  const module = loadPeer("class-transformer/cjs/storage") as { readonly defaultMetadataStorage: TransformerStorage } | undefined;
  if (module === undefined) return undefined;
  const storage = module.defaultMetadataStorage;
  const stores = [storage._typeMetadatas, storage._transformMetadatas, storage._exposeMetadatas, storage._excludeMetadatas].filter(
    (store) => store.size > 0,
  );
  const known = stores.length > 0 && classChain(constructor).some((current) => stores.some((store) => store.has(current)));
  return known ? storage : undefined;
}

interface ClassMetadata {
  readonly types: ReadonlyMap<string | undefined, TypeMetadata>;
  /** In class-transformer's order: it runs the last one first. */
  readonly transforms: ReadonlyMap<string | undefined, readonly TransformMetadata[]>;
  readonly exposed: ReadonlyMap<string | undefined, DirectionMetadata>;
  readonly excluded: ReadonlyMap<string | undefined, DirectionMetadata>;
}

/**
 * What holds for a class. A field that a subclass declares again, by `@required` or `@optional`, has nothing of its bases; one that it
 * declares by rules, or by another emitted type, none of their transforms or types. class-transformer itself keeps all of it.
 */
function metadataOf(storage: TransformerStorage, constructor: object): ClassMetadata {
  const declarationOf = declarationsOf(constructor);
  const chain = classChain(constructor);
  const byField = (property: string): number => declarationOf(property).byField;
  const byFieldOrRules = (property: string): number => Math.min(byField(property), declarationOf(property).byRules);
  const byFieldOrType = (property: string): number => {
    const { byRules } = declarationOf(property);
    const redeclares = byRules < chain.length && emitsType(chain[byRules] as object, property);
    return Math.min(byField(property), redeclares ? byRules : Number.POSITIVE_INFINITY);
  };
  const transforms = new Map<string | undefined, TransformMetadata[]>();
  for (const [property, list] of inherited(storage._transformMetadatas, chain, byFieldOrRules)) transforms.set(property, list.flat());
  return {
    types: nearest(inherited(storage._typeMetadatas, chain, byFieldOrType)),
    transforms,
    exposed: nearest(inherited(storage._exposeMetadatas, chain, byField)),
    excluded: nearest(inherited(storage._excludeMetadatas, chain, byField)),
  };
}

const unspecificTypes = new Set<unknown>([Object, Function, Array, Map, Set, undefined]);

const emitsType = (constructor: object, property: string): boolean =>
  !unspecificTypes.has(Reflect.getOwnMetadata("design:type", (constructor as ClassToken).prototype as object, property));

/** By property, what each class wrote, the subclass's first; nothing beyond the class that `limit` gives. */
function inherited<Metadata>(
  byClass: MetadataByClass<Metadata>,
  chain: readonly object[],
  limit: (property: string) => number,
): ReadonlyMap<string | undefined, readonly Metadata[]> {
  const merged = new Map<string | undefined, Metadata[]>();
  for (const [distance, current] of [...chain.entries()].reverse()) {
    for (const [property, metadata] of byClass.get(current) ?? []) {
      if (property !== undefined && distance > limit(property)) continue;
      merged.set(property, [metadata, ...(merged.get(property) ?? [])]);
    }
  }
  return merged;
}

const nearest = <Metadata>(byProperty: ReadonlyMap<string | undefined, readonly Metadata[]>): ReadonlyMap<string | undefined, Metadata> =>
  new Map([...byProperty].map(([property, [first]]) => [property, first as Metadata]));

const concernsInput = (metadata: DirectionMetadata | undefined): boolean => {
  if (metadata === undefined) return false;
  return metadata.options?.toPlainOnly !== true || metadata.options.toClassOnly === true;
};

const views = new WeakMap<object, object>();

/**
 * The class as class-transformer is to see it: without bases, and with the metadata that holds for it (`metadataOf`). What it makes are
 * instances of the class itself. Classes and other types that class-transformer knows nothing of are seen as they are.
 */
export function viewOf(type: unknown): unknown {
  if (typeof type !== "function" || type.prototype === undefined) return type;
  const known = views.get(type);
  if (known !== undefined) return known;
  const storage = storageFor(type);
  if (storage === undefined) return type;
  const view = (): object => new (type as new () => object)();
  const made = asView(type, view, storage);
  views.set(type, made);
  return made;
}

/**
 * A class of whose constructor nothing runs, with everything that holds for the given one: a tool's own constructor needs services,
 * and what it assigns is no argument.
 */
export function withoutConstructor(constructor: object): object {
  const storage = storageFor(constructor);
  return storage === undefined
    ? constructor
    : asView(constructor, () => Object.create((constructor as ClassToken).prototype as object) as object, storage);
}

function asView(type: object, make: () => object, storage: TransformerStorage): object {
  function View(): object {
    return make();
  }
  View.prototype = Object.create((type as ClassToken).prototype as object, { constructor: { value: View } });
  const { types, transforms, exposed, excluded } = metadataOf(storage, type);
  views.set(View, View);
  const owned = { target: View };
  for (const metadata of types.values()) storage.addTypeMetadata({ ...metadata, ...owned, ...typesInView(metadata) });
  for (const list of transforms.values()) for (const metadata of list) storage.addTransformMetadata({ ...metadata, ...owned });
  for (const [property, metadata] of exposed) if (property !== undefined) storage.addExposeMetadata({ ...metadata, ...owned });
  for (const [property, metadata] of excluded) if (property !== undefined) storage.addExcludeMetadata({ ...metadata, ...owned });
  const ofClass = [storage._exposeMetadatas.get(type)?.get(undefined), storage._excludeMetadatas.get(type)?.get(undefined)] as const;
  if (ofClass[0] !== undefined) storage.addExposeMetadata({ ...ofClass[0], ...owned });
  if (ofClass[1] !== undefined) storage.addExcludeMetadata({ ...ofClass[1], ...owned });
  return View;
}

function typesInView({ typeFunction, options }: TypeMetadata): Partial<TypeMetadata> {
  const { discriminator } = options ?? {};
  return {
    ...(typeFunction === undefined ? {} : { typeFunction: (help) => viewOf(typeFunction(help)) }),
    ...(discriminator === undefined
      ? {}
      : {
          options: {
            ...options,
            discriminator: { ...discriminator, subTypes: discriminator.subTypes.map((sub) => ({ ...sub, value: viewOf(sub.value) })) },
          },
        }),
  };
}

interface Transformer {
  plainToInstance(constructor: object, plain: object, options: typeof transformOptions): object;
}

const transformOptions = { exposeUnsetFields: false };

/**
 * Makes an instance as class-transformer does, with `@Type`, `@Transform`, `@Expose` and `@Exclude`. Absent fields
 * stay absent. Types are never guessed from what the compiler emitted (`enableImplicitConversion`), because that
 * makes true of the text "false" (typestack/class-transformer#550).
 */
export function toInstance(constructor: object, plain: Readonly<Record<string, unknown>>): object {
  const transformer = loadPeer("class-transformer") as Transformer | undefined;
  if (transformer === undefined) throw new Error("class-transformer is not installed: npm install class-transformer");
  return transformer.plainToInstance(viewOf(constructor) as object, plain, transformOptions);
}

/** As `toInstance`; what a `@Transform` throws are faults of the values that it was given. `path` is where the instance is. */
export function readInstance(
  constructor: object,
  plain: Readonly<Record<string, unknown>>,
  path: string,
): Result<Record<string, unknown>, readonly Fault[]> {
  try {
    return succeed(toInstance(constructor, plain) as Record<string, unknown>);
  } catch (error) {
    const faults = unreadable(constructor, plain, path);
    // What failed elsewhere, such as a constructor, is no fault of a value.
    if (faults.length === 0) throw error;
    return fail(faults);
  }
}

/** class-transformer throws what a function threw, and doesn't say of which value: each is asked again. */
function unreadable(constructor: object, plain: Readonly<Record<string, unknown>>, path: string): readonly Fault[] {
  const transforms = transformsOf(constructor);
  return (transforms?.properties ?? []).flatMap((property) => {
    const key = transforms?.keyOf(property);
    if (key === undefined || !Object.hasOwn(plain, key)) return [];
    const place = memberPath(path, key);
    const inside = unreadableMembers(transforms?.typeOf(property)?.(), plain[key], place);
    if (inside.length > 0) return inside;
    try {
      transforms
        ?.functionsOf(property)
        .reduce((value, transform) => transform({ value, key: property, obj: plain, type: 0, options: transformOptions }), plain[key]);
      return [];
    } catch (error) {
      return [{ path: place, message: `can't be read: ${error instanceof Error ? error.message : String(error)}`, keyword: "transform" }];
    }
  });
}

function unreadableMembers(type: unknown, value: unknown, path: string): readonly Fault[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => unreadableMembers(type, item, memberPath(path, index)));
  return typeof type === "function" && isPlainObject(value) ? unreadable(type, value, path) : [];
}
