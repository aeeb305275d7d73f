import { setOwn } from "../../redaction/internal.js";
import { isRecord } from "../type-guards.js";
import { type Place, pathOf } from "../place.js";

/** A quick look for numbers that `JSON.parse` may round. */
const longDigits = /\d{16}/;

export const mayHoldLongIntegers = (text: string): boolean => longDigits.test(text);

const stringsAndNumbers = /"(?:[^"\\]|\\[\s\S])*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const digitsAlone = /^-?\d{16,}$/;

const isLong = (text: string): boolean => digitsAlone.test(text) && !Number.isSafeInteger(Number(text));

/**
 * The value of a JSON text, with integers beyond 2^53 - 1 as texts of their digits: as numbers they would be rounded. Fractions and
 * exponents stay numbers: they were measured, not counted. Throws `SyntaxError` as `JSON.parse` does.
 *
 * ```ts
 * parseKeepingDigits('{"id":9007199254740993}'); // { id: "9007199254740993" }
 * ```
 */
export function parseKeepingDigits(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!mayHoldLongIntegers(text)) return value;
  const kept = text.replace(stringsAndNumbers, (token) => (isLong(token) ? `"${token}"` : token));
  return kept === text ? value : JSON.parse(kept);
}

/**
 * The value with texts of long integers as numbers, for a schema that asks for integers; undefined if it has none. `faults`: only the
 * texts that they are about.
 */
export function withRoundedIntegers(value: unknown, faults?: readonly { readonly path: string }[]): unknown {
  let found = false;
  // A fault in a union has the path of the union.
  const isFaulty = (path: string): boolean =>
    faults?.some((fault) => path === fault.path || path.startsWith(`${fault.path}.`) || path.startsWith(`${fault.path}[`)) !== false;
  const round = (member: unknown, place: Place | undefined): unknown => {
    if (Array.isArray(member)) return member.map((item, key) => round(item, { parent: place, key }));
    if (isRecord(member)) {
      const copy = {};
      for (const [key, inner] of Object.entries(member)) setOwn(copy, key, round(inner, { parent: place, key }));
      return copy;
    }
    if (typeof member !== "string" || !isLong(member) || !isFaulty(pathOf(place))) return member;
    found = true;
    return Number(member);
  };
  const rounded = round(value, undefined);
  return found ? rounded : undefined;
}

/** A value that was made of rounded integers, with the digits of those that it still has. */
export function keepDigits(value: unknown, whole: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(whole)) return value.map((item, index) => keepDigits(item, whole[index]));
  if (isRecord(value) && isRecord(whole)) {
    const copy = {};
    for (const [key, member] of Object.entries(value))
      setOwn(copy, key, Object.hasOwn(whole, key) ? keepDigits(member, whole[key]) : member);
    return copy;
  }
  return typeof whole === "string" && isLong(whole) && value === Number(whole) ? whole : value;
}
