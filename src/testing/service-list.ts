import type { Container } from "../execution/index.js";

// Constructor parameters can't be known here.
// biome-ignore lint/suspicious/noExplicitAny: see above
type AnyClass = new (...services: any[]) => unknown;

/**
 * A container for tests: it makes classes from a list of services. A parameter gets the first instance of its type
 * if the compiler emitted types and the list has one; the other parameters get the remaining services in order, so fakes may be
 * plain objects.
 */
export class ServiceList implements Container {
  readonly #services: readonly unknown[];

  constructor(services: readonly unknown[]) {
    this.#services = services;
  }

  get(type: AnyClass): unknown {
    const owner = constructorOwner(type);
    const types = (Reflect.getOwnMetadata("design:paramtypes", owner) ?? []) as readonly unknown[];
    const left = [...this.#services];
    const take = (index: number): unknown => left.splice(index, 1)[0];
    const byType = Array.from({ length: owner.length }, (_, parameter) => {
      const index = left.findIndex((service) => isInstance(service, types[parameter]));
      return index === -1 ? undefined : take(index);
    });
    const services = byType.map((service, parameter) => {
      if (service !== undefined) return service;
      if (left.length === 0) throw new TypeError(`${type.name}: ${missing(owner, parameter, types[parameter])}`);
      return take(0);
    });
    return new type(...services);
  }
}

const isInstance = (service: unknown, type: unknown): boolean => typeof type === "function" && type !== Object && service instanceof type;

/** The class whose constructor takes the services: a class without one of its own runs its parent's. */
function constructorOwner(type: AnyClass): AnyClass {
  for (let owner: unknown = type; typeof owner === "function"; owner = Object.getPrototypeOf(owner)) {
    if (owner.length > 0) return owner as AnyClass;
  }
  return type;
}

function missing({ length }: AnyClass, parameter: number, type: unknown): string {
  const named = typeof type === "function" && type !== Object ? ` (${type.name})` : "";
  return `its constructor takes ${length} service(s), and none is left for number ${parameter + 1}${named}. Add it to the option services.`;
}
