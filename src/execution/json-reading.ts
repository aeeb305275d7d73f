import { types } from "node:util";
import { mostValues } from "./result-work.js";

/**
 * What stands in JSON for an object: another value, which is read on, the items of an array or the members of an object.
 * Items and members are read one by one, because a collection may be longer than the result that it would make.
 */
export type JsonReading =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "items"; readonly items: Iterable<unknown> }
  | { readonly kind: "members"; readonly members: Iterable<readonly [string, unknown]> };

/** What JSON has no form for is left out of objects, and is `null` in arrays. */
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

/** `characters`: as many as a text made here may have. Bytes beyond them are left out, with a note. */
export function readObject(value: object, characters: number): JsonReading {
  // By `util.types`, which knows the values of other realms too: in jest, those that Node makes are.
  if (types.isDate(value)) return valueReading(Number.isNaN(value.getTime()) ? null : value.toISOString());
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return readBytes(value, characters);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") return valueReading(toJSON.call(value, ""));
  if (Array.isArray(value)) return { kind: "items", items: itemsOf(value) };
  if (types.isSet(value)) return { kind: "items", items: value };
  if (types.isMap(value)) return readMap(value);
  if (types.isRegExp(value)) return valueReading(String(value));
  if (types.isPromise(value)) return valueReading("[a promise that was not awaited]");
  if (types.isBoxedPrimitive(value)) return valueReading(value.valueOf());
  if (types.isNativeError(value) || value instanceof Error) return { kind: "members", members: errorMembers(value) };
  return { kind: "members", members: membersOf(value) };
}

export const unreadable = (error: unknown): string => `[unreadable: ${types.isNativeError(error) ? error.message : typeof error}]`;

const valueReading = (value: unknown): JsonReading => ({ kind: "value", value });

/** By index: an array of plain JavaScript may have holes, or an iterator of its own. */
function* itemsOf(values: ArrayLike<unknown>): Generator<unknown> {
  for (let index = 0; index < values.length; index += 1) yield values[index];
}

/** No more keys are looked at than can be shown. */
function readMap(map: Map<unknown, unknown>): JsonReading {
  let left = mostValues;
  for (const key of map.keys()) {
    if (typeof key !== "string") return { kind: "items", items: map };
    if ((left -= 1) < 0) break;
  }
  return { kind: "members", members: map as Map<string, unknown> };
}

function* errorMembers(error: Error): Generator<readonly [string, unknown]> {
  yield ["name", error.name];
  yield ["message", error.message];
  yield ["cause", error.cause];
  yield* membersOf(error);
}

/** A getter that throws costs its member alone. */
function* membersOf(value: object): Generator<readonly [string, unknown]> {
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

function readBytes(value: ArrayBufferView | ArrayBufferLike, characters: number): JsonReading {
  if (!ArrayBuffer.isView(value)) return base64(value, 0, value.byteLength, characters);
  if (types.isUint8Array(value) || types.isDataView(value)) return base64(value.buffer, value.byteOffset, value.byteLength, characters);
  return { kind: "items", items: itemsOf(value as unknown as ArrayLike<number | bigint>) };
}

/** A multiple of three bytes keeps what is shown readable: base64 writes three bytes by four characters. */
function base64(buffer: ArrayBufferLike, offset: number, length: number, characters: number): JsonReading {
  const shown = Math.min(length, Math.floor(Math.max(characters, 0) / 4) * 3);
  const text = Buffer.from(buffer, offset, shown).toString("base64");
  return valueReading(shown === length ? text : `${text}[... ${length - shown} of ${length} bytes left out here ...]`);
}
