import type { Container } from "./container.js";

/**
 * The path by which services of typedi lead back to one of them, `A -> B -> A`, found by asking once more after the stack
 * overflowed. Types alone don't tell: `@Inject(() => X)`, tokens and factories choose at run time.
 */
export function serviceCircle(type: unknown, container: Container): string | undefined {
  // typedi's global container passes all to this instance, which asks itself for each service.
  const asked: Container = (container as { readonly globalInstance?: Container }).globalInstance ?? container;
  const own = Object.getOwnPropertyDescriptor(asked, "get");
  const get = asked.get;
  const path: unknown[] = [];
  let circle: string | undefined;
  const follow = (service: unknown): unknown => {
    const first = path.indexOf(service);
    const second = path.indexOf(service, first + 1);
    // One that is being made may be given out once inside itself, and ends a circle so.
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
