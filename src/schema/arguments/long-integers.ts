/** A quick look for numbers that `JSON.parse` may round. */
const longDigits = /\d{16}/;
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
  if (!longDigits.test(text)) return value;
  const kept = text.replace(stringsAndNumbers, (token) => (isLong(token) ? `"${token}"` : token));
  return kept === text ? value : JSON.parse(kept);
}

/** The value with texts of long integers as numbers, for a schema that asks for integers; undefined if it has none. */
export function withRoundedIntegers(value: unknown): unknown {
  let found = false;
  const rounded = JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== "string" || !isLong(member)) return member;
    found = true;
    return Number(member);
  });
  return found ? JSON.parse(rounded) : undefined;
}
