import { type ToolClass, ToolDefinitionError } from "../../tool/index.js";
import { constructorOwner, parameterTypes, services } from "./constructor-parameters.js";
import type { Container } from "./container.js";

/** The members of typedi's containers that are used. Typedi is recognised by them, so that any version and scope works. */
export interface TypediContainer extends Container {
  has(type: unknown): boolean;
  set(service: { readonly id: unknown; readonly type: unknown; readonly transient: boolean }): unknown;
  getMany(type: unknown): unknown;
  readonly services?: readonly TypediService[];
  readonly globalInstance?: { readonly services?: readonly TypediService[] };
  /** The services that `@Inject` names for single parameters. Only typedi's global container has them. */
  readonly handlers?: readonly { readonly object: unknown; readonly index?: number }[];
}

interface TypediService {
  readonly id: unknown;
  readonly factory?: unknown;
  readonly transient?: boolean;
  readonly value?: unknown;
}

export function isTypedi(container: Container): container is TypediContainer {
  const { has, set, getMany } = container as Partial<TypediContainer>;
  return typeof has === "function" && typeof set === "function" && typeof getMany === "function";
}

/** A tool needs no registration of its own: typedi builds an unknown class once it is registered as transient. */
export function getFromTypedi(toolClass: ToolClass, container: TypediContainer): unknown {
  try {
    return container.get(toolClass);
  } catch (error) {
    // A scope's `has` ignores global registrations, so only `get` shows whether the class is registered.
    if ((error as Error | undefined)?.name !== "ServiceNotFoundError" || container.has(toolClass)) throw error;
    container.set({ id: toolClass, type: toolClass, transient: true });
    return container.get(toolClass);
  }
}

/** Typedi would report this at the second call only, and the tests of a tool may make one. */
export function refuseRegisteredOnce(toolClass: ToolClass, container: TypediContainer): void {
  const registered = registrationOf(toolClass, container);
  if (registered !== undefined && registered.transient !== true) throw oneForAll(toolClass, "has it registered as one instance for all");
}

/**
 * typedi fills a parameter whose type it doesn't know with the container itself, and gives a subclass that has a
 * constructor but no decorator the services of its parent. Neither is ever intended.
 */
export function checkParameterTypes(toolClass: ToolClass, container: TypediContainer): void {
  const declaring = constructorOwner(toolClass);
  // The application's own factory needs no types.
  if (declaring === undefined || registrationOf(toolClass, container)?.factory !== undefined) return;
  const types = parameterTypes(declaring);
  if (types === undefined || types.length < declaring.length) {
    throw new ToolDefinitionError(
      `${declaring.name}: its constructor wants ${services(declaring.length)}, but their types are not known at run time. ` +
        "Give the class a decorator of its own and compile with experimentalDecorators and emitDecoratorMetadata, " +
        "have the service in a property instead: @Inject(() => MyService) service!: MyService, " +
        `or register a factory: Container.set({ id: ${toolClass.name}, factory: (c) => new ${toolClass.name}(c.get(MyService)), transient: true }).`,
    );
  }
  const { handlers } = container;
  const isNamed = (index: number): boolean => handlers?.some((handler) => handler.object === declaring && handler.index === index) === true;
  const unknown = types.findIndex((type, index) => type === undefined && !isNamed(index));
  if (unknown !== -1) {
    throw new ToolDefinitionError(
      `${declaring.name}: the type of constructor parameter ${unknown + 1} did not exist yet when the class was defined. ` +
        "Two files import each other: move one class, or inject it by @Inject(() => TheClass).",
    );
  }
  const nameless = types.findIndex((type, index) => namelessTypes.has(type) && !isNamed(index));
  if (nameless !== -1 && handlers !== undefined) {
    throw new ToolDefinitionError(
      `${declaring.name}: constructor parameter ${nameless + 1} is declared as an interface, a union or a primitive, which leaves nothing ` +
        "at run time to find a service by, so that typedi would pass undefined. Declare a class, or name the service: @Inject(() => TheClass).",
    );
  }
}

/** Compilers emit these for types that are no classes. */
const namelessTypes: ReadonlySet<unknown> = new Set([Object, String, Number, Boolean, Symbol, BigInt, Function, Array]);

const registrationOf = (toolClass: ToolClass, { services: own, globalInstance }: TypediContainer): TypediService | undefined =>
  (own ?? globalInstance?.services)?.find(({ id }) => id === toolClass);

export const oneForAll = (toolClass: ToolClass, what: string): ToolDefinitionError =>
  new ToolDefinitionError(
    `${toolClass.name}: the container ${what}, and parallel calls would mix their arguments. ` +
      "get(class) must make a new one each time (transient scope). typedi: @Service({ transient: true }), or no @Service at all; " +
      "Nest: ToolwrightModule of toolwright/nest, or { get: (type) => moduleRef.create(type) }.",
  );

/** Whether an instance is the one that typedi gives to everyone who asks for its class. */
export function isOneForAll(instance: object, container: Container | undefined): boolean {
  if (container === undefined || !isTypedi(container)) return false;
  // A scope is made for a request or a tenant, and keeps its instances to itself.
  return container.globalInstance?.services?.some(({ value, transient }) => value === instance && transient !== true) === true;
}
