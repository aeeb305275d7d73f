import type { InjectionToken } from "@nestjs/common";
import { ToolDefinitionError } from "../tool/index.js";

// What is made takes whatever services it likes.
// biome-ignore lint/suspicious/noExplicitAny: a narrower type would refuse classes with injected services
export type AnyClass = new (...services: any[]) => object;

/** What Nest is to inject. */
export interface Dependency {
  readonly token: InjectionToken;
  /** `constructor parameter 1`, `property weather`. */
  readonly place: string;
}

/**
 * What Nest will inject into a class, except for what is optional. Throws `ToolDefinitionError` if it can't know it: it
 * would pass `undefined`, or, to a subclass without a decorator, the services of its parent.
 */
export function dependenciesOf(type: AnyClass): readonly Dependency[] {
  return [...parametersOf(type), ...propertiesOf(type)];
}

function parametersOf(type: AnyClass): readonly Dependency[] {
  const owner = constructorOwner(type);
  if (owner === undefined) return [];
  const tokens = [...((Reflect.getOwnMetadata(emittedTypes, owner) ?? []) as readonly unknown[])];
  for (const { index, param } of (Reflect.getOwnMetadata(injectedParameters, owner) ?? []) as readonly InjectedParameter[]) {
    tokens[index] = param;
  }
  // Not `length`: what was injected by @Inject alone may leave holes.
  if (Object.keys(tokens).length < owner.length) {
    throw new ToolDefinitionError(
      `${owner.name}: its constructor wants ${owner.length === 1 ? "1 service" : `${owner.length} services`}, but their types are not known ` +
        "at run time. Give the class a decorator of its own and compile with experimentalDecorators and emitDecoratorMetadata, " +
        "or name each service: @Inject(MyService).",
    );
  }
  const optional = (Reflect.getMetadata(optionalParameters, owner) ?? []) as readonly number[];
  return tokens.flatMap((token, index) =>
    optional.includes(index) ? [] : [dependency(token, `constructor parameter ${index + 1}`, owner)],
  );
}

function propertiesOf(type: AnyClass): readonly Dependency[] {
  const properties = (Reflect.getMetadata(injectedProperties, type) ?? []) as readonly InjectedProperty[];
  const optional = (Reflect.getMetadata(optionalProperties, type) ?? []) as readonly (string | symbol)[];
  return properties.flatMap(({ key, type: token }) => (optional.includes(key) ? [] : [dependency(token, `property ${String(key)}`, type)]));
}

function dependency(token: unknown, place: string, { name }: AnyClass): Dependency {
  const known = isForwardReference(token) ? token.forwardRef() : token;
  if (known === undefined) {
    throw new ToolDefinitionError(
      `${name}: the type of ${place} did not exist yet when the class was defined. ` +
        "Two files import each other: move one class, or inject it by @Inject(forwardRef(() => TheClass)).",
    );
  }
  // Nest reports any other token that a decorator names.
  return { token: known as InjectionToken, place };
}

const isForwardReference = (token: unknown): token is { forwardRef(): unknown } =>
  typeof token === "object" && token !== null && "forwardRef" in token;

/** The class whose constructor takes the services: a class without one of its own runs its parent's. */
function constructorOwner(type: AnyClass): AnyClass | undefined {
  for (let owner: unknown = type; typeof owner === "function"; owner = Object.getPrototypeOf(owner)) {
    if (owner.length > 0 || Reflect.hasOwnMetadata(emittedTypes, owner)) return owner as AnyClass;
  }
  return undefined;
}

interface InjectedParameter {
  readonly index: number;
  readonly param: unknown;
}

interface InjectedProperty {
  readonly key: string | symbol;
  readonly type: unknown;
}

// The keys that the compiler and Nest's decorators write to. They have been these since Nest began, and its door doesn't export them.
const emittedTypes = "design:paramtypes";
const injectedParameters = "self:paramtypes";
const optionalParameters = "optional:paramtypes";
const injectedProperties = "self:properties_metadata";
const optionalProperties = "optional:properties_metadata";
