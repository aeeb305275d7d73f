import { types } from "node:util";
import { type ArgumentsError, forbiddenKey, inheritedMember, maxArgumentsDepth, tooDeep, tooLarge } from "./arguments-error.js";
import { checkArgumentsValue, checkInteger, isForbidden, maxParts } from "./arguments-value.js";

/**
 * Copies arguments that code gave as an object, and checks them as `checkArgumentsValue` does. Each member is read once: what is
 * checked is what the tool gets, though a getter answers otherwise the next time or the caller goes on writing. Instances of the
 * caller's classes stay the caller's.
 */
export class ArgumentsCopy {
  /** What is wrong with the arguments, if something is: then the copy isn't whole. */
  error: ArgumentsError | undefined = undefined;
  #parts = 0;

  take(value: object): Record<string, unknown> {
    return this.#members(value as Record<string, unknown>, 0);
  }

  #members(value: Record<string, unknown>, depth: number): Record<string, unknown> {
    if (this.#isBeyond(depth)) return value;
    const prototype: unknown = Object.getPrototypeOf(value);
    // A spread leaves inherited members out without a word.
    if (prototype !== Object.prototype && prototype !== null) this.error ??= inheritedIn(value);
    const copy = { ...value };
    for (const key of Object.keys(copy)) {
      const member = copy[key];
      if (typeof member === "number") this.error ??= checkInteger(member);
      else if (typeof member === "object" && member !== null) copy[key] = this.#value(member, depth + 1);
      if (isForbidden(key, member)) this.error ??= forbiddenKey(key);
    }
    return copy;
  }

  #value(value: object, depth: number): unknown {
    if (this.error !== undefined) return value;
    if (Array.isArray(value)) return this.#items(value, depth);
    if (isPlain(value)) return this.#members(value as Record<string, unknown>, depth);
    if (types.isDate(value)) return new Date(value);
    if (types.isMap(value)) return new Map(value);
    if (types.isSet(value)) return new Set(value);
    this.error = checkArgumentsValue(value);
    return value;
  }

  #items(value: readonly unknown[], depth: number): unknown {
    if (this.#isBeyond(depth)) return value;
    const copy = value.slice();
    for (let index = 0; index < copy.length; index += 1) {
      const item = copy[index];
      if (typeof item === "number") this.error ??= checkInteger(item);
      else if (typeof item === "object" && item !== null) copy[index] = this.#value(item, depth + 1);
    }
    return copy;
  }

  #isBeyond(depth: number): boolean {
    this.#parts += 1;
    if (depth >= maxArgumentsDepth) this.error ??= tooDeep;
    else if (this.#parts > maxParts) this.error ??= tooLarge;
    return this.error !== undefined;
  }
}

function inheritedIn(value: object): ArgumentsError | undefined {
  for (const key in value) if (!Object.hasOwn(value, key) && !(key in Object.prototype)) return inheritedMember(key);
  return undefined;
}

/** An object as JSON has it, also of another realm: no instance of a class. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}
