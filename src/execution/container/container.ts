import { type Tool, type ToolClass, ToolDefinitionError } from "../../tool/index.js";
import { isPromiseLike, originalOf, type ToolPlan } from "../../tool/internal.js";
import type { BoundTool } from "../preparation/prepared-call.js";
import { constructorOwner, services } from "./constructor-parameters.js";
import { type InjectedProperty, injectedProperties, unfilledProperty } from "./injected-properties.js";
import { circleIn } from "./service-circle.js";
import { SharedSetting } from "./shared-setting.js";
import { checkParameterTypes, getFromTypedi, isTypedi, oneForAll, refuseRegisteredOnce } from "./typedi.js";

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
  everywhere[ofProcess] = { container, setBy: sharedContainer };
}

/** The container of the process, which another copy of the package may have set: an application's CommonJS modules have their own. */
export function currentContainer(): Container | undefined {
  const { value } = sharedContainer;
  const shared = everywhere[ofProcess];
  return value === undefined && shared?.setBy !== sharedContainer ? shared?.container : value;
}

const ofProcess = Symbol.for("toolwright.container");

interface SharedByCopies {
  [ofProcess]?: { readonly container: Container | undefined; readonly setBy: object };
}

/** What all copies of the package see. */
const everywhere = globalThis as SharedByCopies;

/** Makes the instance of one call. */
export type ToolConstructor = () => Tool | PromiseLike<Tool>;

/**
 * How instances of a tool class are made. Throws `ToolDefinitionError` if the class clearly can't be made: constructor parameters
 * without a container, or without types that typedi could resolve.
 */
export function constructorOf(toolClass: ToolClass, container: Container | undefined): ToolConstructor {
  if (container === undefined) {
    if (toolClass.length > 0) throw withoutServices(`${toolClass.name}: its constructor wants ${services(toolClass.length)}`);
    return checkingProperties(toolClass, undefined, withoutContainer(toolClass));
  }
  if (constructorOwner(toolClass) === undefined && isUnknown(toolClass, container)) {
    return checkingProperties(toolClass, container, withoutContainer(toolClass));
  }
  const typedi = isTypedi(container) ? container : undefined;
  if (typedi !== undefined) {
    refuseRegisteredOnce(toolClass, typedi);
    checkParameterTypes(toolClass, typedi);
  }
  return checkingProperties(toolClass, container, () => {
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
  });
}

/** Looks at the first instance for properties that a container was to fill. */
function checkingProperties(toolClass: ToolClass, container: Container | undefined, construct: ToolConstructor): ToolConstructor {
  let isChecked = false;
  const check = (instance: Tool): Tool => {
    refuseUnfilled(toolClass, instance, container);
    isChecked = true;
    return instance;
  };
  return () => {
    if (isChecked) return construct();
    const instance = construct();
    return isPromiseLike(instance) ? instance.then(check) : check(instance);
  };
}

/** Throws `ToolDefinitionError` if a property of an instance is to be injected and is undefined. */
function refuseUnfilled(toolClass: ToolClass, instance: Tool, container: Container | undefined): void {
  const unfilled = unfilledProperty(toolClass, instance);
  if (unfilled === undefined) return;
  const wish = propertyWish(toolClass.name, unfilled);
  if (container === undefined) throw withoutServices(wish);
  throw new ToolDefinitionError(`${wish}, and the container left it undefined. ${fillers[unfilled.decoratedBy]}`);
}

const propertyWish = (owner: string, { property, decoratedBy }: InjectedProperty): string =>
  `${owner}.${String(property)}: @Inject of ${decoratedBy} wants ${services(1)}`;

const fillers: Readonly<Record<InjectedProperty["decoratedBy"], string>> = {
  typedi: "Pass typedi's Container or one of its scopes, and register the class by its type, not by a factory.",
  Nest: "Import ToolwrightModule.forFeature of toolwright/nest, or pass { get: (type) => moduleRef.create(type) }.",
};

function withoutServices(wish: string): ToolDefinitionError {
  const missing = noContainer(wish, "Call useContainer(Container) before the executor or agent is made, or give it the option container.");
  return new ToolDefinitionError(`${missing} An executor of your own takes ToolContainer as its container.`);
}

/** The message for a constructor that wants services when there is no container. */
export const noContainer = (wish: string, fix: string): string =>
  `${wish}, but there is no container to take them from. ${fix} ` +
  "In Nest, import ToolwrightModule.forFeature of toolwright/nest, and inject the agent or make it by AgentFactory.";

/** Makes a class whose constructor takes nothing. */
export const withoutContainer =
  (toolClass: ToolClass): ToolConstructor =>
  () => {
    try {
      return new toolClass();
    } catch (error) {
      throw constructionError(toolClass, error);
    }
  };

/** Looks at the first instance of a class for mistakes of its author. Throws `ToolDefinitionError`. */
export function inspectFirst(plan: ToolPlan, instance: Tool): void {
  plan.inspect?.(instance);
  plan.inspect = undefined;
}

/** The same before a person is asked, because a call that can't run would use up the approval. */
export function inspectBeforeAsking({ plan, toolClass, hasContainer }: BoundTool): void {
  const original = originalOf(toolClass);
  const wantsServices = hasContainer === false && injectedProperties(original).length > 0;
  const instance = plan.inspect !== undefined || wantsServices ? instanceToInspect(original) : undefined;
  if (instance === undefined) return;
  if (wantsServices) refuseUnfilled(original, instance, undefined);
  inspectFirst(plan, instance);
}

/** `undefined` if the constructor wants services, or the instance can't be made: the tool's call reports why. */
function instanceToInspect(toolClass: ToolClass): Tool | undefined {
  if (constructorOwner(toolClass) !== undefined) return undefined;
  try {
    return new toolClass();
  } catch {
    return undefined;
  }
}

/** Whether the container says that it doesn't know the class. Most containers have a method for it. typedi builds such a class anyway. */
function isUnknown(toolClass: ToolClass, container: Container): boolean {
  if (isTypedi(container)) return false;
  const { has, isBound, isRegistered } = container as Partial<Record<"has" | "isBound" | "isRegistered", (type: unknown) => unknown>>;
  const ask = has ?? isBound ?? isRegistered;
  return typeof ask === "function" && ask.call(container, toolClass) === false;
}

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

function constructionError(toolClass: ToolClass, error: unknown, container?: Container): ToolDefinitionError {
  if (error instanceof ToolDefinitionError) return error;
  const reason = isOverflow(error) ? circleIn(toolClass, container) : error instanceof Error ? error.message : String(error);
  const isHasty = (error as Error | undefined)?.name === "TypeError" && Object.keys(toolClass.parametersSchema.properties ?? {}).length > 0;
  const hint = isHasty ? ". If it reads its arguments there: they are set after construction, for call to read." : "";
  return new ToolDefinitionError(`${toolClass.name}: it can't be made: ${reason}${hint}`, { cause: error });
}

const isOverflow = (error: unknown): boolean => error instanceof RangeError && error.message.includes("call stack");
