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

/** With more names than this, not every choice of them is tried. */
const maxChosenNames = 4;

/**
 * Readings of a value for a schema that asks for integers: texts of long integers are numbers. First those that the faults are about,
 * then all of them. A fault in a union doesn't say which ones, so then every choice of names follows. Empty without such texts.
 */
export function* integerReadings(value: unknown, faults: readonly { readonly path: string }[]): Generator<unknown> {
  const names: string[] = [];
  rounded(value, undefined, (path) => {
    const name = nameOf(path);
    if (names.length <= maxChosenNames && !names.includes(name)) names.push(name);
    return false;
  });
  if (names.length === 0) return;
  yield rounded(value, undefined, (path) => faults.some((fault) => isWithin(path, fault.path)));
  yield rounded(value, undefined, () => true);
  if (names.length > maxChosenNames) return;
  const all = 2 ** names.length - 1;
  for (let choice = 1; choice < all; choice += 1)
    yield rounded(value, undefined, (path) => (choice & (1 << names.indexOf(nameOf(path)))) !== 0);
}

/** The items of a list have one name. */
const nameOf = (path: string): string => path.replace(/\[\d+\]/g, "[]");

/** A fault in a union has the path of the union. */
const isWithin = (path: string, outer: string): boolean =>
  outer === "" || path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

function rounded(value: unknown, place: Place | undefined, isChosen: (path: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item, key) => rounded(item, { parent: place, key }, isChosen));
  if (isRecord(value)) {
    const copy = {};
    for (const [key, inner] of Object.entries(value)) setOwn(copy, key, rounded(inner, { parent: place, key }, isChosen));
    return copy;
  }
  return typeof value === "string" && isLong(value) && isChosen(pathOf(place)) ? Number(value) : value;
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
