import type { ClassToken } from "../../schema/index.js";
import { transformerStorage } from "./load-peer.js";
import { classChain, declarationsOf } from "./rule-storage.js";

/** The part of class-transformer's metadata that Toolwright reads; the same in every 0.5 version. */
export interface TransformerStorage {
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

export interface TypeMetadata {
  readonly typeFunction?: (help: { newObject: object; object: object; property: string }) => unknown;
  readonly options?: {
    readonly discriminator?: {
      readonly property: string;
      readonly subTypes: readonly { readonly name: string; readonly value: unknown }[];
    };
  };
}

export interface TransformMetadata extends DirectionMetadata {
  readonly transformFn: (given: { value: unknown; key: string; obj: object; type: 0; options: object }) => unknown;
}

export interface DirectionMetadata {
  readonly options?: {
    readonly name?: string;
    readonly toPlainOnly?: boolean;
    readonly toClassOnly?: boolean;
    readonly groups?: readonly string[];
  };
}

/** The store, if it knows anything of the class or its bases. */
export function storageFor(constructor: object): TransformerStorage | undefined {
  const storage = transformerStorage() as TransformerStorage | undefined;
  if (storage === undefined) return undefined;
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
 * What holds for a class. A field that a subclass declares again with `@required` or `@optional` inherits nothing. A field that it declares
 * by rules, or with another emitted type, inherits no transforms and no types. class-transformer itself keeps them.
 */
export function metadataOf(storage: TransformerStorage, constructor: object): ClassMetadata {
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
