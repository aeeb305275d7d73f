import { types } from "node:util";
import { type ArgumentsError, forbiddenKey, inheritedMember, maxArgumentsDepth, tooDeep, tooLarge } from "./arguments-error.js";
import { checkArgumentsValue, checkInteger, isForbidden, maxParts } from "./arguments-value.js";

/**
 * Copies arguments that code gave as an object, checks them as `checkArgumentsValue` does, and weighs them, all in one walk. Each
 * member is read once: what is checked is what the tool gets, though a getter answers otherwise the next time or the caller goes
 * on writing. Instances of the caller's classes stay the caller's.
 */
export class ArgumentsCopy {
  /** What is wrong with the arguments, if something is: then the copy isn't whole. */
  error: ArgumentsError | undefined = undefined;
  /** About how long the arguments are as JSON text, as `sizeOf` has it: beyond any limit if they hold what JSON doesn't have. */
  size = 0;
  #parts = 0;

  take(value: object): Record<string, unknown> {
    return this.#members(value as Record<string, unknown>, 0);
  }

  #members(value: Record<string, unknown>, depth: number): Record<string, unknown> {
    if (this.#isBeyond(depth)) return value;
    // To what a spread makes, V8 adds defaults eight times as slowly.
    const copy: Record<string, unknown> = {};
    for (const key in value) {
      if (!hasOwnProperty.call(value, key)) {
        // Other code may have added a member to every object, which none of them means.
        if (!(key in Object.prototype)) this.error ??= inheritedMember(key);
        continue;
      }
      const member = value[key];
      if (isForbidden(key, member)) this.error ??= forbiddenKey(key);
      if (this.error !== undefined) return value;
      this.size += key.length;
      if (typeof member === "string") this.size += member.length + 2;
      copy[key] = typeof member === "string" ? member : this.#value(member, depth + 1);
    }
    return copy;
  }

  /** Texts, which are most members, are measured in place. */
  #value(value: unknown, depth: number): unknown {
    if (typeof value === "object" && value !== null) return this.#object(value, depth);
    this.size += 4;
    if (typeof value === "number") this.error ??= checkInteger(value);
    return value;
  }

  #object(value: object, depth: number): unknown {
    if (this.error !== undefined) return value;
    if (Array.isArray(value)) return this.#items(value, depth);
    if (isPlain(value)) return this.#members(value as Record<string, unknown>, depth);
    this.size = Number.POSITIVE_INFINITY;
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
      if (typeof item === "string") this.size += item.length + 2;
      else copy[index] = this.#value(item, depth + 1);
    }
    return copy;
  }

  #isBeyond(depth: number): boolean {
    this.#parts += 1;
    this.size += 2;
    if (depth >= maxArgumentsDepth) this.error ??= tooDeep;
    else if (this.#parts > maxParts) this.error ??= tooLarge;
    return this.error !== undefined;
  }
}

/** V8 skips this check for most keys of a `for` loop, which it doesn't for `Object.hasOwn`. */
const { hasOwnProperty } = Object.prototype;

/** An object as JSON has it, also of another realm: no instance of a class. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}
