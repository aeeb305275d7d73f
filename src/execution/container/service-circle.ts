import type { ToolClass } from "../../tool/index.js";
import { type AnyClass, parameterTypes } from "./constructor-parameters.js";
import type { Container } from "./container.js";

/** The reason of a stack overflow while a tool is made. */
export function circleIn(toolClass: ToolClass, container: Container | undefined): string {
  const circle = (container && serviceCircle(toolClass, container)) ?? circleOfParameters(toolClass, []);
  return circle === undefined
    ? "Maximum call stack size exceeded. Check whether its services need each other in a circle"
    : `its services need each other in a circle: ${circle}`;
}

/** The same by the types of constructors. */
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

/**
 * The path by which services of typedi lead back to one of them, `A -> B -> A`, found by asking the container once more. Types alone
 * aren't enough: `@Inject(() => X)`, tokens and factories choose at run time.
 */
function serviceCircle(type: unknown, container: Container): string | undefined {
  // typedi's global container passes each request to this instance, which asks itself for each service.
  const asked: Container = (container as { readonly globalInstance?: Container }).globalInstance ?? container;
  const own = Object.getOwnPropertyDescriptor(asked, "get");
  const get = asked.get;
  const path: unknown[] = [];
  let circle: string | undefined;
  const follow = (service: unknown): unknown => {
    const first = path.indexOf(service);
    const second = path.indexOf(service, first + 1);
    // A service that is being made may be requested once inside itself, which ends a circle.
    if (second !== -1) {
      circle ??= path
        .slice(first, second + 1)
        .map(nameOf)
        .join(" -> ");
      throw new Error(circle);
    }
    path.push(service);
    try {
      return get.call(asked, service);
    } finally {
      path.pop();
    }
  };
  try {
    Object.defineProperty(asked, "get", { value: follow, configurable: true, writable: true });
    asked.get(type);
  } catch {
    // The circle is reported by the caller.
  } finally {
    if (own === undefined) Reflect.deleteProperty(asked, "get");
    else Object.defineProperty(asked, "get", own);
  }
  return circle;
}

function nameOf(service: unknown): string {
  if (typeof service === "string") return JSON.stringify(service);
  const { name } = service as { readonly name?: unknown };
  return typeof name === "string" && name !== "" ? name : "(a service without a name)";
}
