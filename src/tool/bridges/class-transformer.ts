import type { ClassToken } from "../../schema/index.js";
import { typeBehind } from "../type-function.js";
import { type DirectionMetadata, metadataOf, storageFor, type TransformMetadata } from "./transformer-metadata.js";

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
  if (types.size + transforms.size + exposed.size + excluded.size === 0) return undefined;
  const decorated = new Set([...types.keys(), ...transforms.keys(), ...exposed.keys(), ...excluded.keys()]);
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

const concernsInput = (metadata: DirectionMetadata | undefined): boolean => {
  if (metadata === undefined) return false;
  return metadata.options?.toPlainOnly !== true || metadata.options.toClassOnly === true;
};
