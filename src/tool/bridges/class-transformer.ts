import { type ClassToken, type Fault, fail, type Result, succeed } from "../../schema/index.js";
import { isPlainObject, memberPath } from "../revival.js";
import { loadPeer } from "./load-peer.js";
import { classChain } from "./rule-storage.js";

/** The part of class-transformer's metadata that Toolwright reads; the same in every 0.5 version. */
interface TransformerStorage {
  readonly _typeMetadatas: MetadataByClass<TypeMetadata>;
  readonly _transformMetadatas: MetadataByClass<readonly TransformMetadata[]>;
  readonly _exposeMetadatas: MetadataByClass<DirectionMetadata>;
  readonly _excludeMetadatas: MetadataByClass<DirectionMetadata>;
}

/** The key is undefined for a decorator on the class itself. */
type MetadataByClass<Metadata> = ReadonlyMap<object, ReadonlyMap<string | undefined, Metadata>>;

interface TypeMetadata {
  readonly typeFunction?: (help: { newObject: object; object: object; property: string }) => unknown;
  readonly options?: { readonly discriminator?: unknown };
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
  /** The type that `@Type` names; undefined where there is none, or one per value (a discriminator). */
  typeOf(property: string): (() => unknown) | undefined;
  /** Whether class-transformer must make the instances: `@Transform`, `@Expose`, `@Exclude` or a discriminator is there. */
  readonly active: boolean;
  /** The decorated properties, the base's first. */
  readonly properties: readonly string[];
  /** What `@Transform` makes of the value that arrives, in the order in which it is done. */
  functionsOf(property: string): readonly TransformMetadata["transformFn"][];
  /** The key under which the property arrives, which `@Expose({ name })` may change; undefined where it is left out. */
  keyOf(property: string): string | undefined;
}

/** Undefined where class-transformer isn't installed or knows nothing of the class. Doesn't load class-transformer whole. */
export function transformsOf(constructor: object): ClassTransforms | undefined {
  const module = loadPeer("class-transformer/cjs/storage") as { readonly defaultMetadataStorage: TransformerStorage } | undefined;
  if (module === undefined) return undefined;
  const { _typeMetadatas, _transformMetadatas, _exposeMetadatas, _excludeMetadatas } = module.defaultMetadataStorage;
  const stores = [_typeMetadatas, _transformMetadatas, _exposeMetadatas, _excludeMetadatas].filter((store) => store.size > 0);
  if (stores.length === 0 || !classChain(constructor).some((current) => stores.some((store) => store.has(current)))) return undefined;
  const types = inherited(_typeMetadatas, constructor);
  const transforms = inherited(_transformMetadatas, constructor);
  const exposed = inherited(_exposeMetadatas, constructor);
  const excluded = inherited(_excludeMetadatas, constructor);
  const decorated = new Set([...types.keys(), ...transforms.keys(), ...exposed.keys(), ...excluded.keys()]);
  if (decorated.size === 0) return undefined;
  const excludesAll =
    _excludeMetadatas.get(constructor)?.has(undefined) === true && _exposeMetadatas.get(constructor)?.has(undefined) !== true;
  return {
    typeOf(property) {
      const { typeFunction, options } = types.get(property) ?? {};
      if (typeFunction === undefined || options?.discriminator !== undefined) return undefined;
      return () => typeFunction({ newObject: {}, object: {}, property });
    },
    active:
      transforms.size + exposed.size + excluded.size > 0 || [...types.values()].some((type) => type.options?.discriminator !== undefined),
    properties: [...decorated].filter((property) => property !== undefined),
    functionsOf: (property) =>
      [...classChain(constructor)]
        .reverse()
        .flatMap((current) => [...(_transformMetadatas.get(current)?.get(property) ?? [])].reverse())
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

const concernsInput = (metadata: DirectionMetadata | undefined): boolean => {
  if (metadata === undefined) return false;
  return metadata.options?.toPlainOnly !== true || metadata.options.toClassOnly === true;
};

/** The class's own metadata before its bases'. */
function inherited<Metadata>(byClass: MetadataByClass<Metadata>, constructor: object): ReadonlyMap<string | undefined, Metadata> {
  const merged = new Map<string | undefined, Metadata>();
  for (const current of [...classChain(constructor)].reverse()) {
    for (const [property, metadata] of byClass.get(current) ?? []) merged.set(property, metadata);
  }
  return merged;
}

/**
 * A class of whose constructor nothing runs, with everything that class-transformer knows of the given one: a tool's own
 * constructor needs services, and what it assigns is no argument.
 */
export function withoutConstructor(constructor: object): object {
  function StandIn() {
    // Nothing: the real constructor wants services.
  }
  Object.setPrototypeOf(StandIn, constructor);
  StandIn.prototype = Object.create((constructor as ClassToken).prototype as object, { constructor: { value: StandIn } });
  return StandIn;
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
  return transformer.plainToInstance(constructor, plain, transformOptions);
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
