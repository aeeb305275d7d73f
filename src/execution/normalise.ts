import { types } from "node:util";

/** Deeper data becomes a note: a model can't use it, and `JSON.stringify` fails at some thousand levels. */
const deepest = 100;

/** Above this depth the quick look gives up; it also ends it for cycles. */
const quickDepth = 24;

/** A character is at most 6 bytes of JSON: `\u0000`. */
const bytesPerCharacter = 6;

/**
 * An upper bound of the bytes of a value's JSON text, or `undefined` where the value isn't plain JSON yet.
 * One walk answers both, so that most results are neither copied nor turned into text to be measured.
 */
export function plainSize(value: unknown, depth = 0): number | undefined {
  switch (typeof value) {
    case "string":
      return value.length * bytesPerCharacter + 2;
    case "number":
      return Number.isFinite(value) ? 25 : undefined;
    case "boolean":
      return 5;
    case "object":
      if (value === null) return 4;
      return depth > quickDepth ? undefined : Array.isArray(value) ? plainArraySize(value, depth + 1) : plainObjectSize(value, depth + 1);
    default:
      return undefined;
  }
}

function plainArraySize(values: readonly unknown[], depth: number): number | undefined {
  let total = 2;
  for (let index = 0; index < values.length; index += 1) {
    const size = plainSize(values[index], depth);
    if (size === undefined) return undefined;
    total += size + 1;
  }
  return total;
}

function plainObjectSize(value: object, depth: number): number | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const record = value as Readonly<Record<string, unknown>>;
  let total = 2;
  for (const key in record) {
    const size = plainSize(record[key], depth);
    if (size === undefined) return undefined;
    total += key.length * bytesPerCharacter + size + 4;
  }
  return total;
}

/**
 * Turns whatever a tool returned into JSON, once, right after the call:
 *
 * | value | becomes |
 * | --- | --- |
 * | `undefined`, function, symbol | `null`; left out as a member of an object |
 * | `NaN`, `Infinity` | `null` |
 * | `BigInt` | its digits as a string |
 * | `Date` | ISO 8601; `null` where invalid |
 * | `Map` | an object where all keys are strings, else an array of `[key, value]` |
 * | `Set` | an array |
 * | `Error` | `{ name, message }`, its `cause` and its own members |
 * | `Buffer`, `ArrayBuffer`, bytes | base64 |
 * | other typed arrays | an array of numbers |
 * | `RegExp` | its text |
 * | an object with `toJSON`, `URL` among them | what that gives |
 * | other class instances | their own enumerable members |
 * | a cycle, a getter that throws, over 100 levels | a note in square brackets |
 */
export function normalise(value: unknown): unknown {
  return normaliseValue(value, []) ?? null;
}

/** `undefined` stands for what objects leave out. */
function normaliseValue(value: unknown, ancestors: object[]): unknown {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "bigint":
      return value.toString();
    case "object":
      break;
    default:
      return undefined;
  }
  if (value === null) return null;
  if (ancestors.includes(value)) return "[circular]";
  if (ancestors.length >= deepest) return "[nested too deeply]";
  ancestors.push(value);
  try {
    return normaliseObject(value, ancestors);
  } catch (error) {
    return `[unreadable: ${messageOf(error)}]`;
  } finally {
    ancestors.pop();
  }
}

// By `util.types`, which knows the values of other realms too: in jest, those that Node makes are.
function normaliseObject(value: object, ancestors: object[]): unknown {
  if (types.isDate(value)) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return normaliseBytes(value, ancestors);
  const { toJSON } = value as { readonly toJSON?: unknown };
  if (typeof toJSON === "function") return normaliseValue(toJSON.call(value, ""), ancestors);
  if (Array.isArray(value)) return normaliseItems(value, ancestors);
  if (types.isSet(value)) return normaliseItems([...value], ancestors);
  if (types.isMap(value)) {
    const textKeys = [...value.keys()].every((key) => typeof key === "string");
    return textKeys ? normaliseMembers(value as Map<string, unknown>, ancestors) : normaliseItems([...value], ancestors);
  }
  if (types.isRegExp(value)) return String(value);
  if (types.isPromise(value)) return "[a promise that was not awaited]";
  if (types.isBoxedPrimitive(value)) return normaliseValue(value.valueOf(), ancestors);
  if (types.isNativeError(value) || value instanceof Error) {
    const { name, message, cause } = value;
    return normaliseMembers([["name", name], ["message", message], ["cause", cause], ...readableMembers(value)], ancestors);
  }
  return normaliseMembers(readableMembers(value), ancestors);
}

/** An array holds its places: what an object would leave out is `null` there. Holes count as such. */
const normaliseItems = (values: readonly unknown[], ancestors: object[]): unknown[] =>
  Array.from(values, (item) => normaliseValue(item, ancestors) ?? null);

function normaliseMembers(members: Iterable<readonly [string, unknown]>, ancestors: object[]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [key, member] of members) {
    const normal = normaliseValue(member, ancestors);
    if (normal === undefined) continue;
    // An assignment to `__proto__` would change the prototype instead.
    if (key === "__proto__") Object.defineProperty(record, key, { value: normal, enumerable: true, configurable: true, writable: true });
    else record[key] = normal;
  }
  return record;
}

function* readableMembers(value: object): Generator<readonly [string, unknown]> {
  for (const key of Object.keys(value)) {
    let member: unknown;
    try {
      member = (value as Record<string, unknown>)[key];
    } catch (error) {
      member = `[unreadable: ${messageOf(error)}]`;
    }
    yield [key, member];
  }
}

function normaliseBytes(value: ArrayBufferView | ArrayBufferLike, ancestors: object[]): unknown {
  if (!ArrayBuffer.isView(value)) return Buffer.from(value).toString("base64");
  if (types.isUint8Array(value) || types.isDataView(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString("base64");
  }
  return normaliseItems(Array.from(value as unknown as ArrayLike<number | bigint>), ancestors);
}

const messageOf = (error: unknown): string => (types.isNativeError(error) ? error.message : typeof error);
