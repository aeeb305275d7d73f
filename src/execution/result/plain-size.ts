import { isContentPart } from "../no-json.js";
import { deepLevel, leastWork, type WorkLimit, wideObject, work } from "./result-work.js";

/** Above this depth the quick look gives up; it also ends it for cycles. */
const quickDepth = 24;

/**
 * An upper bound of the bytes of a value's JSON text: Infinity beyond the limit, `undefined` if the value isn't plain JSON yet.
 * One walk answers both, so that most results are neither copied nor turned into text to be measured. What is shared is counted
 * as often as its text would be written.
 */
export const plainSize = (value: unknown, limit: WorkLimit = leastWork): number | undefined => sizeOf(value, limit.room, limit, 0);

function sizeOf(value: unknown, room: number, limit: WorkLimit, depth: number): number | undefined {
  switch (typeof value) {
    case "string":
      // Half a surrogate pair is no JSON: `normalise` replaces it.
      return value.isWellFormed() ? value.length * limit.character + work.value : undefined;
    case "number":
      return Number.isFinite(value) ? work.value : undefined;
    case "boolean":
      return work.value;
    case "object":
      if (value === null) return work.value;
      if (depth > quickDepth) return undefined;
      return Array.isArray(value) ? arraySize(value, room, limit, depth + 1) : objectSize(value, room, limit, depth + 1);
    default:
      return undefined;
  }
}

function arraySize(values: readonly unknown[], room: number, limit: WorkLimit, depth: number): number | undefined {
  let total = plainObjectWork(limit, depth);
  for (let index = 0; index < values.length; index += 1) {
    const size = sizeOf(values[index], room - total, limit, depth);
    if (size === undefined) return undefined;
    total += size;
    if (total > room) return Number.POSITIVE_INFINITY;
  }
  return total;
}

function objectSize(value: object, room: number, limit: WorkLimit, depth: number): number | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const record = value as Readonly<Record<string, unknown>>;
  let total = plainObjectWork(limit, depth);
  let count = 0;
  for (const key in record) {
    if ((key === "data" || key === "blob") && isContentPart(record)) return undefined;
    const size = sizeOf(record[key], room - total, limit, depth);
    if (size === undefined || !key.isWellFormed()) return undefined;
    total += key.length * limit.character + size + ((count += 1) > wideObject ? work.measuredWideMember : 0);
    if (total > room) return Number.POSITIVE_INFINITY;
  }
  return total;
}

const plainObjectWork = ({ deepObject }: WorkLimit, depth: number): number => work.plainObject + (depth > deepLevel ? deepObject : 0);
