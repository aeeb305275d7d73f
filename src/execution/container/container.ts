import { type Tool, type ToolClass, ToolDefinitionError } from "../../tool/index.js";
import { isPromiseLike } from "../../tool/internal.js";
import { serviceCircle } from "./service-circle.js";
import { SharedSetting } from "./shared-setting.js";

/**
 * Creates instances of classes: typedi's `Container`, one of its scopes, or any object with `get(class)`. See
 * docs/01-getting-started.md.
 */
export interface Container {
  /**
   * Returns a new instance of the class, or a promise of one. It must be new for each call, because an instance holds the arguments
   * of its call.
   */
  // Containers type `get` by generics of their own; no narrower type accepts them all.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  get(type: any): any;
}

const sharedContainer = new SharedSetting<Container>();

/**
 * Sets the container that creates tools and agents if an executor or run has no container of its own. `undefined` removes it.
 *
 * ```ts
 * import { Container } from "typedi";
 * useContainer(Container);
 * ```
 *
 * A run keeps the container that it started with. See docs/01-getting-started.md.
 */
export function useContainer(container: Container | undefined): void {
  sharedContainer.value = container;
}

export const currentContainer = (): Container | undefined => sharedContainer.value;

/** Makes the instance of one call. */
export type ToolConstructor = () => Tool | PromiseLike<Tool>;

/**
 * How instances of a tool class are made. Throws `ToolDefinitionError` where it is already plain that the class
 * can't be made: constructor parameters without a container, or without types that typedi could resolve.
 */
export function constructorOf(toolClass: ToolClass, container: Container | undefined): ToolConstructor {
  if (container === undefined) {
    if (toolClass.length > 0) {
      const missing = noContainer(
        `${toolClass.name}: its constructor wants ${services(toolClass.length)}`,
        "Call useContainer(Container) before the executor or agent is made, or give it the option container.",
      );
      throw new ToolDefinitionError(`${missing} An executor of your own takes ToolContainer as its container.`);
    }
    return withoutContainer(toolClass);
  }
  if (constructorOwner(toolClass) === undefined && isUnknown(toolClass, container)) return withoutContainer(toolClass);
  const typedi = isTypedi(container) ? container : undefined;
  if (typedi !== undefined) {
    refuseRegisteredOnce(toolClass, typedi);
    checkParameterTypes(toolClass, typedi);
  }
  return () => {
    let instance: unknown;
    try {
      instance = typedi === undefined ? container.get(toolClass) : getFromTypedi(toolClass, typedi);
    } catch (error) {
      throw constructionError(toolClass, error, container);
    }
    if (!isPromiseLike(instance)) return freshInstance(toolClass, instance);
    return instance.then(
      (made) => freshInstance(toolClass, made),
      (error: unknown) => {
        throw constructionError(toolClass, error, container);
      },
    );
  };
}

/** What is said where a constructor wants services that nobody gives. */
export const noContainer = (wish: string, fix: string): string =>
  `${wish}, but there is no container to take them from. ${fix} ` +
  "In Nest, import ToolwrightModule.forFeature of toolwright/nest, and inject the agent or make it by AgentFactory.";

const withoutContainer =
  (toolClass: ToolClass): ToolConstructor =>
  () => {
    try {
      return new toolClass();
    } catch (error) {
      throw constructionError(toolClass, error);
    }
  };

/**
 * An instance to look at, of a class whose constructor wants nothing; no container is asked for one that nobody uses.
 * `undefined` where it can't be made: its call says why.
 */
export function instanceToLookAt(toolClass: ToolClass): Tool | undefined {
  if (constructorOwner(toolClass) !== undefined) return undefined;
  try {
    return new toolClass();
  } catch {
    return undefined;
  }
}

/** Whether the container says that it doesn't know the class; most have a question of this kind. typedi builds it all the same. */
function isUnknown(toolClass: ToolClass, container: Container): boolean {
  if (isTypedi(container)) return false;
  const { has, isBound, isRegistered } = container as Partial<Record<"has" | "isBound" | "isRegistered", (type: unknown) => unknown>>;
  const ask = has ?? isBound ?? isRegistered;
  return typeof ask === "function" && ask.call(container, toolClass) === false;
}

const services = (count: number): string => (count === 1 ? "1 service" : `${count} services`);

const handedOut = new WeakSet<object>();

function freshInstance(toolClass: ToolClass, instance: unknown): Tool {
  if (typeof instance !== "object" || instance === null) {
    throw new ToolDefinitionError(
      `${toolClass.name}: the container gave ${String(instance)} instead of an instance. Register the class there.`,
    );
  }
  if (handedOut.has(instance)) throw oneForAll(toolClass, "gave the same instance twice");
  handedOut.add(instance);
  return instance as Tool;
}

const oneForAll = (toolClass: ToolClass, what: string): ToolDefinitionError =>
  new ToolDefinitionError(
    `${toolClass.name}: the container ${what}, and parallel calls would mix their arguments. ` +
      "get(class) must make a new one each time (transient scope). typedi: @Service({ transient: true }), or no @Service at all; " +
      "Nest: ToolwrightModule of toolwright/nest, or { get: (type) => moduleRef.create(type) }.",
  );

/** Whether an instance is the one that typedi gives to all who ask for its class. */
export function isOneForAll(instance: object, container: Container | undefined): boolean {
  if (container === undefined || !isTypedi(container)) return false;
  // A scope is made for a request or a tenant: what it keeps is its own.
  return container.globalInstance?.services?.some(({ value, transient }) => value === instance && transient !== true) === true;
}

/** The part of typedi's containers that is used; they are known by it, so that any version and scope works. */
interface TypediContainer extends Container {
  has(type: unknown): boolean;
  set(service: { readonly id: unknown; readonly type: unknown; readonly transient: boolean }): unknown;
  getMany(type: unknown): unknown;
  readonly services?: readonly TypediService[];
  readonly globalInstance?: { readonly services?: readonly TypediService[] };
  /** What `@Inject` says of single parameters; only typedi's global container tells. */
  readonly handlers?: readonly { readonly object: unknown; readonly index?: number }[];
}

interface TypediService {
  readonly id: unknown;
  readonly factory?: unknown;
  readonly transient?: boolean;
  readonly value?: unknown;
}

function isTypedi(container: Container): container is TypediContainer {
  const { has, set, getMany } = container as Partial<TypediContainer>;
  return typeof has === "function" && typeof set === "function" && typeof getMany === "function";
}

/** A tool needs no registration of its own: typedi builds what it never heard of once it is told how. */
function getFromTypedi(toolClass: ToolClass, container: TypediContainer): unknown {
  try {
    return container.get(toolClass);
  } catch (error) {
    // A scope's `has` doesn't know what is registered globally, so that only `get` can tell.
    if ((error as Error | undefined)?.name !== "ServiceNotFoundError" || container.has(toolClass)) throw error;
    container.set({ id: toolClass, type: toolClass, transient: true });
    return container.get(toolClass);
  }
}

/** What typedi would tell at the second call only, when the tests of a tool may all be green. */
function refuseRegisteredOnce(toolClass: ToolClass, container: TypediContainer): void {
  const registered = registrationOf(toolClass, container);
  if (registered !== undefined && registered.transient !== true) throw oneForAll(toolClass, "has it registered as one instance for all");
}

/**
 * typedi fills a parameter whose type it doesn't know with the container itself, and gives a subclass that has a
 * constructor but no decorator the services of its parent. Neither is ever meant.
 */
function checkParameterTypes(toolClass: ToolClass, container: TypediContainer): void {
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

/** What compilers emit for types that are no classes. */
const namelessTypes: ReadonlySet<unknown> = new Set([Object, String, Number, Boolean, Symbol, BigInt, Function, Array]);

// A constructor's parameters can't be known here.
type AnyClass = abstract new (...parameters: never[]) => unknown;

/** The class whose constructor takes the services: a class without one of its own runs its parent's. */
function constructorOwner(toolClass: ToolClass): AnyClass | undefined {
  for (let owner: unknown = toolClass; typeof owner === "function"; owner = Object.getPrototypeOf(owner)) {
    if (owner.length > 0) return owner as unknown as AnyClass;
  }
  return undefined;
}

const parameterTypes = (owner: object): readonly unknown[] | undefined =>
  Reflect.getOwnMetadata("design:paramtypes", owner) as readonly unknown[] | undefined;

const registrationOf = (toolClass: ToolClass, { services: own, globalInstance }: TypediContainer): TypediService | undefined =>
  (own ?? globalInstance?.services)?.find(({ id }) => id === toolClass);

function constructionError(toolClass: ToolClass, error: unknown, container?: Container): ToolDefinitionError {
  if (error instanceof ToolDefinitionError) return error;
  const reason = isOverflow(error) ? circleIn(toolClass, container) : error instanceof Error ? error.message : String(error);
  const isHasty = (error as Error | undefined)?.name === "TypeError" && Object.keys(toolClass.parametersSchema.properties ?? {}).length > 0;
  const hint = isHasty ? ". If it reads its arguments there: they are set after construction, for call to read." : "";
  return new ToolDefinitionError(`${toolClass.name}: it can't be made: ${reason}${hint}`, { cause: error });
}

const isOverflow = (error: unknown): boolean => error instanceof RangeError && error.message.includes("call stack");

function circleIn(toolClass: ToolClass, container: Container | undefined): string {
  const circle = (container && serviceCircle(toolClass, container)) ?? circleOfParameters(toolClass, []);
  return circle === undefined
    ? "Maximum call stack size exceeded. Check whether its services need each other in a circle"
    : `its services need each other in a circle: ${circle}`;
}

/** The path of services that leads back to itself, by the types of constructors: `A -> B -> A`. */
function circleOfParameters(service: unknown, path: readonly AnyClass[]): string | undefined {
  if (typeof service !== "function") return undefined;
  const owner = service as unknown as AnyClass;
  if (path.includes(owner)) return [...path.slice(path.indexOf(owner)), owner].map(({ name }) => name).join(" -> ");
  for (const type of parameterTypes(owner) ?? []) {
    const circle = circleOfParameters(type, [...path, owner]);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
