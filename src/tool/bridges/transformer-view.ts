import type { ClassToken } from "../../schema/index.js";
import { metadataOf, storageFor, type TransformerStorage, type TypeMetadata } from "./transformer-metadata.js";

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
