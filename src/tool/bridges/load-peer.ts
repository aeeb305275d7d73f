import { beside, loadClassTransformer, loadTransformerStorages } from "../../platform/index.js";

/** What class-transformer's decorators wrote, by kind; each bridge says what more it reads of it. */
interface Storage {
  readonly _typeMetadatas: { readonly size: number };
  readonly _transformMetadatas: { readonly size: number };
  readonly _exposeMetadatas: { readonly size: number };
  readonly _excludeMetadatas: { readonly size: number };
}

type StorageModule = { readonly defaultMetadataStorage?: Storage } | undefined;

let storages: readonly Storage[] | undefined;

/** The storage that class-transformer's decorators wrote to; undefined if it isn't installed or no class is decorated. */
export function transformerStorage(): Storage | undefined {
  storages ??= (loadTransformerStorages(beside) as readonly StorageModule[]).flatMap((module) => module?.defaultMetadataStorage ?? []);
  // A bundle may hold two.
  return storages.find(
    ({ _typeMetadatas, _transformMetadatas, _exposeMetadatas, _excludeMetadatas }) =>
      _typeMetadatas.size + _transformMetadatas.size + _exposeMetadatas.size + _excludeMetadatas.size > 0,
  );
}

interface Transformer {
  plainToInstance(constructor: object, plain: object, options: { readonly exposeUnsetFields: boolean }): object;
}

let transformer: Partial<Transformer> | undefined;

/** class-transformer itself. Throws if it isn't installed. */
export function loadTransformer(): Transformer {
  transformer ??= loadClassTransformer(beside) as Partial<Transformer> | undefined;
  // Some bundlers put an empty module in the place of a missing package.
  if (transformer?.plainToInstance === undefined) throw new Error("class-transformer is not installed: npm install class-transformer");
  return transformer as Transformer;
}
