import {
  type ArgumentsError,
  forbiddenKey,
  inheritedMember,
  maxArgumentsBytes,
  maxArgumentsDepth,
  tooDeep,
  tooLarge,
  unsafeInteger,
} from "./arguments-error.js";

/** Not more parts than a text of the largest size can hold. */
export const maxParts = maxArgumentsBytes / 2;

/**
 * The limits of `parseArgumentsText` for arguments that arrive as an object: depth and size, no `__proto__` and no `constructor` with a
 * `prototype` (they can change what other objects inherit), and no rounded integers. Enumerable members that an object inherits are
 * rejected too: they would be read, although the object doesn't have them.
 *
 * @returns what is wrong, or `undefined`.
 */
export function checkArgumentsValue(value: unknown): ArgumentsError | undefined {
  return new ArgumentsCheck(true).check(value, 0);
}

/** The same for a value that `JSON.parse` made; its integers were looked at in the text. */
export const checkParsedValue = (value: unknown): ArgumentsError | undefined => new ArgumentsCheck(false).check(value, 0);

/** What is wrong with arguments that inherit a member: code would read it, although no schema has checked it. */
export function inheritanceFault(value: unknown): string | undefined {
  const error = checkArgumentsValue(value);
  return error?.code === "inherited_member" ? error.message.replace(/^The /, "") : undefined;
}

class ArgumentsCheck {
  private parts = 0;

  constructor(private readonly integers: boolean) {}

  check(value: unknown, depth: number): ArgumentsError | undefined {
    if (typeof value === "number") return this.integers ? checkInteger(value) : undefined;
    if (typeof value !== "object" || value === null) return undefined;
    if (depth >= maxArgumentsDepth) return tooDeep;
    if (++this.parts > maxParts) return tooLarge;
    if (Array.isArray(value)) {
      for (const item of value) {
        const error = this.check(item, depth + 1);
        if (error !== undefined) return error;
      }
      return undefined;
    }
    for (const key in value) {
      if (!Object.hasOwn(value, key)) {
        // Other code may have added a member to every object, which none of them means.
        if (key in Object.prototype) continue;
        return inheritedMember(key);
      }
      const inner = (value as Record<string, unknown>)[key];
      if (isForbidden(key, inner)) return forbiddenKey(key);
      const error = this.check(inner, depth + 1);
      if (error !== undefined) return error;
    }
    return undefined;
  }
}

/** `constructor` alone is a word like any other: `{ "constructor": "ACME Ltd" }`. */
export const isForbidden = (key: string, value: unknown): boolean =>
  key === "__proto__" || (key === "constructor" && typeof value === "object" && value !== null && Object.hasOwn(value, "prototype"));

/** From 1e21 on JavaScript writes exponents: such numbers come from measurements, and no one expects every digit of them. */
export function checkInteger(value: number): ArgumentsError | undefined {
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21 ? unsafeInteger(String(value)) : undefined;
}

/** The same value with every lone surrogate replaced by U+FFFD, in place; such halves break files, URLs and providers. */
export function makeWellFormed(value: unknown): unknown {
  if (typeof value === "string") return toWellFormed(value);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) value[index] = makeWellFormed(item);
  } else if (typeof value === "object" && value !== null) {
    const record = value as Record<string, unknown>;
    for (const key of Object.keys(record)) {
      const inner = makeWellFormed(record[key]);
      const name = toWellFormed(key);
      if (name !== key) delete record[key];
      record[name] = inner;
    }
  }
  return value;
}

/** ES2024, in every supported Node; the compiler's library is older. */
type Text2024 = string & { toWellFormed(): string; isWellFormed(): boolean };

const toWellFormed = (text: string): string => (text as Text2024).toWellFormed();

export const isWellFormed = (text: string): boolean => (text as Text2024).isWellFormed();
