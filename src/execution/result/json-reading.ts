import { types } from "node:util";
import { asDeclared, type PlainForm, plainFormOf } from "../../tool/internal.js";
import { mostValues } from "./result-work.js";

/**
 * How an object reads as JSON: as another value, as the items of an array, or as the members of an object. Items and members are
 * read one by one, because a collection may be longer than the largest result.
 */
export type JsonReading =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "items"; readonly items: Iterable<unknown> }
  | {
      readonly kind: "members";
      readonly members: Iterable<Member>;
      /** An error may hold values without a form in JSON, such as a response. They become `{}`. */
      readonly ofError?: true;
    };

/** `declared`: the class that class-transformer's `@Type` names for the value. */
export type Member = readonly [key: string, value: unknown, declared?: unknown];

/** How class-transformer's decorators want an object read; `undefined` if it has none. */
export type FormOf = (value: object, declared: unknown) => PlainForm | undefined;

/** Results obey the decorators of their classes. */
export const formOfResult: FormOf = plainFormOf;

/** Arguments are shown as the tool gets them. */
export const formOfArgument: FormOf = () => undefined;

/** `undefined` for values without a form in JSON: they are left out of objects, and are `null` in arrays. */
export function readPrimitive(value: unknown): string | number | boolean | null | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "bigint":
      return value.toString();
    default:
      return value === null ? null : undefined;
  }
}

/**
 * `characters`: the most that a text made here may have. Bytes beyond them are left out, with a note. `declared`: the class that a
 * `@Type` names for the object, or for the items if it is a collection.
 */
export function readObject(value: object, characters: number, formOf: FormOf, declared?: unknown): JsonReading {
  // By `util.types`, which knows the values of other realms too: in jest, those that Node makes are.
  if (types.isDate(value)) return valueReading(Number.isNaN(value.getTime()) ? null : value.toISOString());
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return readBytes(value, characters);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") return readOwnJson(value, toJSON.call(value, ""), characters, formOf, declared);
  if (Array.isArray(value)) return { kind: "items", items: itemsOf(value) };
  if (types.isSet(value)) return { kind: "items", items: value };
  if (types.isMap(value)) return readMap(value, declared);
  if (types.isRegExp(value) || value instanceof URLSearchParams) return valueReading(String(value));
  if (types.isPromise(value)) return valueReading("[a promise that was not awaited]");
  if (types.isBoxedPrimitive(value)) return valueReading(value.valueOf());
  if (types.isNativeError(value) || value instanceof Error)
    return { kind: "members", members: errorMembers(value, formOf(value, declared)), ofError: true };
  return { kind: "members", members: membersOf(value, formOf(value, declared)) };
}

export const unreadable = (error: unknown): string => `[unreadable: ${types.isNativeError(error) ? error.message : typeof error}]`;

/** The instance that a `@Type` makes from a value, or a note. */
export function readDeclared(value: unknown, declared: unknown): unknown {
  try {
    return asDeclared(value, declared);
  } catch (error) {
    return unreadable(error);
  }
}

const valueReading = (value: unknown): JsonReading => ({ kind: "value", value });

/** By index: an array of plain JavaScript may have holes, or an iterator of its own. */
function* itemsOf(values: ArrayLike<unknown>): Generator<unknown> {
  for (let index = 0; index < values.length; index += 1) yield values[index];
}

/** No more keys are looked at than can be shown. */
function readMap(map: Map<unknown, unknown>, declared: unknown): JsonReading {
  let left = mostValues;
  for (const key of map.keys()) {
    if (typeof key !== "string") return { kind: "items", items: map };
    if ((left -= 1) < 0) break;
  }
  return { kind: "members", members: declared === undefined ? (map as Map<string, unknown>) : mapMembers(map, declared) };
}

function* mapMembers(map: Map<unknown, unknown>, declared: unknown): Generator<Member> {
  for (const [key, member] of map) yield [key as string, member, declared];
}

/** How often what `toJSON` gave may have a `toJSON` again. */
const mostTurns = 10;

/** The value that `toJSON` gave, without the members that the class excludes: a `toJSON` of an ORM gives all columns. */
function readOwnJson(value: object, json: unknown, characters: number, formOf: FormOf, declared: unknown, turn = 0): JsonReading {
  const form = formOf(value, declared);
  if (form === undefined || typeof json !== "object" || json === null || json === value) return valueReading(json);
  // What has a form of its own keeps it.
  if (formOf(json, undefined) !== undefined) return valueReading(json);
  const { toJSON } = json as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") {
    return readOwnJson(value, turn < mostTurns ? toJSON.call(json, "") : null, characters, formOf, declared, turn + 1);
  }
  const reading = readObject(json, characters, formOf);
  return reading.kind === "members" ? { kind: "members", members: shownMembers(value, reading.members, form) } : valueReading(json);
}

function* shownMembers(value: object, members: Iterable<Member>, form: PlainForm): Generator<Member> {
  const names = new Set([...form.exposed].map((property) => form.nameOf(property)));
  for (const member of members) {
    const [key] = member;
    // `toJSON` made a name that no property has.
    const isNew = !(key in value) && !form.isExcluded(key);
    if (names.has(key) || form.nameOf(key) !== undefined || isNew) yield member;
  }
}

const errorTexts = ["name", "message", "cause"] as const;

function* errorMembers(error: Error, form: PlainForm | undefined): Generator<Member> {
  for (const key of errorTexts) if (form === undefined || form.nameOf(key) !== undefined) yield [key, error[key]];
  yield* membersOf(error, form);
}

/** A getter that throws costs its member alone. */
function* membersOf(value: object, form: PlainForm | undefined): Generator<Member> {
  if (form !== undefined) {
    yield* formedMembers(value, form);
    return;
  }
  for (const key of Object.keys(value)) {
    let member: unknown;
    try {
      member = (value as Record<string, unknown>)[key];
    } catch (error) {
      member = unreadable(error);
    }
    yield [key, member];
  }
}

function* formedMembers(value: object, form: PlainForm): Generator<Member> {
  const keys = Object.keys(value);
  for (const property of form.exposed.size === 0 ? keys : new Set([...keys, ...form.exposed])) {
    const name = form.nameOf(property);
    if (name === undefined) continue;
    let member: unknown;
    let declared: unknown;
    try {
      member = form.valueOf(value, property);
      declared = form.typeOf(value, property);
    } catch (error) {
      member = unreadable(error);
    }
    yield [name, member, declared];
  }
}

function readBytes(value: ArrayBufferView | ArrayBufferLike, characters: number): JsonReading {
  if (!ArrayBuffer.isView(value)) return base64(value, 0, value.byteLength, characters);
  if (types.isUint8Array(value) || types.isDataView(value)) return base64(value.buffer, value.byteOffset, value.byteLength, characters);
  // Views that are neither bytes nor a `DataView` are lists of numbers.
  return { kind: "items", items: itemsOf(value as unknown as ArrayLike<number | bigint>) };
}

/** A multiple of three bytes keeps what is shown readable: base64 writes three bytes by four characters. */
function base64(buffer: ArrayBufferLike, offset: number, length: number, characters: number): JsonReading {
  const shown = Math.min(length, Math.floor(Math.max(characters, 0) / 4) * 3);
  const text = Buffer.from(buffer, offset, shown).toString("base64");
  return valueReading(shown === length ? text : `${text}[... ${length - shown} of ${length} bytes left out here ...]`);
}
