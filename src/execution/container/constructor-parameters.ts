import type { ToolClass } from "../../tool/index.js";

// A constructor's parameters can't be known here.
export type AnyClass = abstract new (...parameters: never[]) => unknown;

/** The class, or the parent, whose constructor takes services: a class without a constructor of its own runs its parent's. */
export function constructorOwner(toolClass: ToolClass): AnyClass | undefined {
  for (let owner: unknown = toolClass; typeof owner === "function"; owner = Object.getPrototypeOf(owner)) {
    if (owner.length > 0) return owner as unknown as AnyClass;
  }
  return undefined;
}

export const parameterTypes = (owner: object): readonly unknown[] | undefined =>
  Reflect.getOwnMetadata("design:paramtypes", owner) as readonly unknown[] | undefined;

/** How many services a constructor wants, as error messages say it. */
export const services = (count: number): string => (count === 1 ? "1 service" : `${count} services`);
