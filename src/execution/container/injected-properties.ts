import { loadedModules } from "../../platform/index.js";
import type { AnyClass } from "./constructor-parameters.js";

/** A property that a decorator of typedi or Nest asks a container for. */
export interface InjectedProperty {
  readonly property: string | symbol;
  readonly decoratedBy: "typedi" | "Nest";
}

const known = new WeakMap<AnyClass, readonly InjectedProperty[]>();

/** The properties of a class and its bases that a container should fill. Reads the metadata of typedi and Nest without loading either. */
export function injectedProperties(type: AnyClass): readonly InjectedProperty[] {
  let properties = known.get(type);
  if (properties === undefined) {
    properties = [...propertiesOfTypedi(type), ...propertiesOfNest(type)];
    known.set(type, properties);
  }
  return properties;
}

/** The first of them that an instance lacks. */
export const unfilledProperty = (type: AnyClass, instance: object): InjectedProperty | undefined =>
  injectedProperties(type).find(({ property }) => (instance as Record<string | symbol, unknown>)[property] === undefined);

interface TypediHandler {
  /** The prototype with the property; the class, if `index` names a parameter of its constructor. */
  readonly object: object;
  readonly propertyName?: string | symbol;
  readonly index?: number;
}

function propertiesOfTypedi(type: AnyClass): readonly InjectedProperty[] {
  const prototype = type.prototype as object;
  const isOf = ({ object }: TypediHandler): boolean => object === prototype || Object.prototype.isPrototypeOf.call(object, prototype);
  return typediHandlers().flatMap((handler) =>
    handler.propertyName !== undefined && typeof handler.index !== "number" && isOf(handler)
      ? [{ property: handler.propertyName, decoratedBy: "typedi" as const }]
      : [],
  );
}

/** What `@Inject` wrote down in every copy of typedi that the application has loaded. */
function typediHandlers(): readonly TypediHandler[] {
  // typedi is a CommonJS package, which Node keeps here for ES modules too. A bundle has no such list.
  const modules = loadedModules();
  return Reflect.ownKeys(modules ?? {}).flatMap((path) => {
    if (typeof path !== "string" || !typediPath.test(path)) return [];
    const { Container } = (modules?.[path]?.exports ?? {}) as { readonly Container?: { readonly handlers?: readonly TypediHandler[] } };
    return Container?.handlers ?? [];
  });
}

const typediPath = /[\\/]typedi[\\/]cjs[\\/]index\.js$/;

function propertiesOfNest(type: AnyClass): readonly InjectedProperty[] {
  const injected = (Reflect.getMetadata("self:properties_metadata", type) ?? []) as readonly { readonly key: string | symbol }[];
  const optional = (Reflect.getMetadata("optional:properties_metadata", type) ?? []) as readonly (string | symbol)[];
  return injected.flatMap(({ key }) => (optional.includes(key) ? [] : [{ property: key, decoratedBy: "Nest" as const }]));
}
