import { isContentPart } from "./no-json.js";
import { deepLevel, leastWork, mostBytesOfCharacter, type WorkLimit, wideObject, work } from "./result-work.js";

/** Above this depth the quick look gives up; it also ends it for cycles. */
const quickDepth = 24;

// Sizes and these are integers, which V8 adds and compares fastest.
const notPlain = -1;
const tooLarge = -2;

/** Bytes of JSON text. A number has at most 25. */
const bytesOf = { number: 25, boolean: 5, null: 4, brackets: 2, quotes: 2, colonAndComma: 2, comma: 1 } as const;

/**
 * An upper bound of the bytes of a value's JSON text: Infinity if the value takes more work than the limit allows, `undefined` if
 * it isn't plain JSON yet. One walk answers both, so that most results are neither copied nor turned into text to be measured.
 * An object that is shared counts as often as its text would be written.
 */
export function plainSize(value: unknown, limit: WorkLimit = leastWork): number | undefined {
  const size = new Measurement(limit).of(value, 0);
  if (size === notPlain) return undefined;
  return size === tooLarge ? Number.POSITIVE_INFINITY : size;
}

/** An upper bound of the bytes of a text in JSON. */
export const textSize = (text: string): number => text.length * mostBytesOfCharacter + bytesOf.quotes;

/** Counts bytes and work apart: an object takes time that its text doesn't show. */
class Measurement {
  #room: number;
  readonly #character: number;
  readonly #deepObject: number;

  constructor({ room, character, deepObject }: WorkLimit) {
    this.#room = room;
    this.#character = character;
    this.#deepObject = deepObject;
  }

  of(value: unknown, depth: number): number {
    switch (typeof value) {
      case "string":
        // Half a surrogate pair isn't JSON: `normalise` replaces it.
        if (!value.isWellFormed()) return notPlain;
        this.#room -= Math.ceil(value.length * this.#character);
        return textSize(value);
      case "number":
        return Number.isFinite(value) ? bytesOf.number : notPlain;
      case "boolean":
        return bytesOf.boolean;
      case "object":
        if (value === null) return bytesOf.null;
        if (depth > quickDepth) return notPlain;
        return Array.isArray(value) ? this.#ofArray(value, depth + 1) : this.#ofObject(value, depth + 1);
      default:
        return notPlain;
    }
  }

  #ofArray(values: readonly unknown[], depth: number): number {
    const { length } = values;
    this.#spend(depth, length);
    let total = bytesOf.brackets + length * bytesOf.comma;
    for (let index = 0; index < length && this.#room >= 0; index += 1) {
      const item = values[index];
      // The longest lists hold numbers.
      const size = typeof item === "number" && Number.isFinite(item) ? bytesOf.number : this.of(item, depth);
      if (size < 0) return size;
      total += size;
    }
    return this.#room < 0 ? tooLarge : total;
  }

  #ofObject(value: object, depth: number): number {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) return notPlain;
    const record = value as Readonly<Record<string, unknown>>;
    let total: number = bytesOf.brackets;
    let characters = 0;
    let count = 0;
    for (const key in record) {
      if ((key === "data" || key === "blob") && isContentPart(record)) return notPlain;
      const member = record[key];
      const size = typeof member === "number" && Number.isFinite(member) ? bytesOf.number : this.of(member, depth);
      if (size < 0) return size;
      if (!key.isWellFormed()) return notPlain;
      total += size + bytesOf.quotes + bytesOf.colonAndComma;
      characters += key.length;
      if ((count += 1) > wideObject) this.#room -= work.measuredWideMember;
      if (this.#room < 0) return tooLarge;
    }
    this.#spend(depth, count);
    this.#room -= Math.ceil(characters * this.#character);
    return this.#room < 0 ? tooLarge : total + characters * mostBytesOfCharacter;
  }

  #spend(depth: number, values: number): void {
    this.#room -= work.plainObject + values * work.value + (depth > deepLevel ? this.#deepObject : 0);
  }
}
