import { types } from "node:util";
import { setOwn } from "../../redaction/internal.js";
import type { Place } from "../../schema/internal.js";
import {
  type FormOf,
  formOfArgument,
  formOfResult,
  type JsonReading,
  type Member,
  readDeclared,
  readObject,
  readPrimitive,
  unreadable,
} from "./json-reading.js";
import { NoJsonError, refuseContentPart, refuseMethod, refuseNoJson } from "./no-json.js";
import { outline } from "./outline.js";
import { deepLevel, leastWork, type WorkLimit, wideObject, work } from "./result-work.js";

/** Deeper data becomes a note: a model can't use it, and `JSON.stringify` fails at some thousand levels. */
const deepest = 100;

/**
 * Converts any value to JSON, as the executor does with results.
 *
 * | value | becomes |
 * | --- | --- |
 * | half a surrogate pair in a text or a key | U+FFFD, because providers reject a request with one |
 * | `undefined`, function, symbol | `null`; left out as a member of an object |
 * | `NaN`, `Infinity` | `null` |
 * | `BigInt` | its digits as a string |
 * | `Date` | ISO 8601; `null` if invalid |
 * | `Map` | an object if all keys are strings, else an array of `[key, value]` |
 * | `Set` | an array |
 * | `Error` | `{ name, message }`, with its `cause` and own members |
 * | `Buffer`, `ArrayBuffer`, bytes | base64 |
 * | other typed arrays | an array of numbers |
 * | `RegExp`, `URLSearchParams` | its text |
 * | an object with `toJSON`, such as `URL` | the result of `toJSON` |
 * | other class instances | their own enumerable members, changed by class-transformer's decorators |
 * | a cycle, a getter that throws, over 100 levels | a note in square brackets |
 *
 * A value that is too large becomes an outline, with notes for what is left out. See docs/02-tools.md.
 */
export const normalise = (value: unknown): unknown => normaliseBy(formOfResult, value, leastWork, false);

/** As `normalise`, for what a tool returned. Throws `NoJsonError` for bytes, streams, iterators, promises: a model can't read them. */
export const normaliseResult = (value: unknown, limit: WorkLimit): unknown => normaliseBy(formOfResult, value, limit, true);

/** As `normalise`, without class-transformer's decorators: they say how an instance is shown, not how it is used. */
export const normaliseArguments = (value: unknown): unknown => normaliseBy(formOfArgument, value, leastWork, false);

function normaliseBy(formOf: FormOf, value: unknown, limit: WorkLimit, isResult: boolean): unknown {
  try {
    return new Normalisation(limit, formOf, isResult).of(value) ?? null;
  } catch (error) {
    if (error === tooMuch) return outline(value, formOf, isResult);
    throw error;
  }
}

/** The least work for a character that is written here. */
const writtenCharacter = 2;

/** Thrown to leave the walk, however deep it is. */
const tooMuch = new Error("The value takes too much work.");

class Normalisation {
  #room: number;
  readonly #limit: WorkLimit;
  readonly #formOf: FormOf;
  readonly #ancestors: object[] = [];
  /** The key in each ancestor that leads to the next one; `undefined` for a value that `toJSON` gave. */
  readonly #keys: (string | number | undefined)[] = [];
  /** Whether values without a form in JSON are rejected. */
  #isStrict: boolean;

  constructor(limit: WorkLimit, formOf: FormOf, isStrict: boolean) {
    this.#isStrict = isStrict;
    this.#formOf = formOf;
    this.#room = limit.room;
    this.#limit = limit;
  }

  /** `undefined` for values that objects leave out. `declared`: the class that a `@Type` names for the value. */
  of(value: unknown, declared?: unknown): unknown {
    return declared === undefined ? this.#of(value, undefined) : this.#of(readDeclared(value, declared), declared);
  }

  #of(value: unknown, declared: unknown): unknown {
    if (typeof value === "string") {
      this.#spend(work.copiedValue + value.length * this.#limit.character);
      return value.toWellFormed();
    }
    this.#spend(work.copiedValue);
    if (typeof value !== "object" || value === null) return readPrimitive(value);
    if (this.#ancestors.includes(value)) return "[circular]";
    if (this.#ancestors.length >= deepest) return "[nested too deeply]";
    this.#ancestors.push(value);
    try {
      return this.#ofObject(value, declared);
    } catch (error) {
      if (error === tooMuch) throw error;
      if (error instanceof NoJsonError) throw error.at(this.#place());
      return unreadable(error);
    } finally {
      this.#ancestors.pop();
    }
  }

  /** Most results consist of plain arrays and objects, which need no reading. */
  #ofObject(value: object, declared: unknown): unknown {
    if (this.#ancestors.length > deepLevel) this.#spend(this.#limit.deepObject);
    if (types.isProxy(value)) this.#spend(work.proxy);
    if (declared === undefined) {
      const prototype: unknown = Object.getPrototypeOf(value);
      if (prototype === Array.prototype && !("toJSON" in value)) return this.#ofArray(value as readonly unknown[]);
      if (prototype === Object.prototype && !("toJSON" in value)) return this.#ofPlainObject(value as Readonly<Record<string, unknown>>);
    }
    this.#spend(work.foreignObject);
    if (this.#isStrict) refuseNoJson(value);
    const characters = this.#room / Math.max(writtenCharacter, this.#limit.character);
    return this.#ofReading(readObject(value, characters, this.#formOf, declared), declared);
  }

  #ofReading(reading: JsonReading, declared: unknown): unknown {
    if (reading.kind === "value") {
      this.#keys[this.#ancestors.length] = undefined;
      return this.of(reading.value);
    }
    if (reading.kind === "items") return this.#ofItems(reading.items, declared);
    const isStrict = this.#isStrict;
    try {
      if (reading.ofError) this.#isStrict = false;
      return this.#ofMembers(reading.members);
    } finally {
      this.#isStrict = isStrict;
    }
  }

  #ofMembers(members: Iterable<Member>): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    let count = 0;
    for (const [key, member, type] of members) this.#put(record, key, member, (count += 1), type);
    if (this.#isStrict) refuseContentPart(record);
    return record;
  }

  #ofArray(values: readonly unknown[]): unknown[] {
    this.#spend(work.copiedObject);
    const items: unknown[] = [];
    for (let index = 0; index < values.length; index += 1) {
      this.#keys[this.#ancestors.length] = index;
      items.push(this.of(values[index]) ?? null);
    }
    return items;
  }

  #ofItems(values: Iterable<unknown>, declared: unknown): unknown[] {
    const items: unknown[] = [];
    // An array keeps the places of its items, so values that an object would leave out, and holes, are `null`.
    for (const value of values) {
      this.#keys[this.#ancestors.length] = items.length;
      items.push(this.of(value, declared) ?? null);
    }
    return items;
  }

  #ofPlainObject(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
    this.#spend(work.copiedObject);
    const record: Record<string, unknown> = {};
    let count = 0;
    for (const key of Object.keys(value)) {
      let member: unknown;
      try {
        member = value[key];
      } catch (error) {
        member = unreadable(error);
      }
      this.#put(record, key, member, (count += 1));
    }
    if (this.#isStrict) refuseContentPart(record);
    return record;
  }

  #put(record: Record<string, unknown>, key: string, member: unknown, count: number, declared?: unknown): void {
    this.#spend(key.length * this.#limit.character + (count > wideObject ? work.wideMember : 0));
    if (typeof member === "function" && this.#isStrict) refuseMethod(this.#ancestors.at(-1) as object, key);
    this.#keys[this.#ancestors.length] = key;
    const normal = this.of(member, declared);
    if (normal !== undefined) setOwn(record, key.toWellFormed(), normal);
  }

  /** The place of the innermost ancestor. */
  #place(): Place | undefined {
    let place: Place | undefined;
    for (const key of this.#keys.slice(1, this.#ancestors.length)) if (key !== undefined) place = { parent: place, key };
    return place;
  }

  #spend(amount: number): void {
    this.#room -= amount;
    if (this.#room < 0) throw tooMuch;
  }
}
