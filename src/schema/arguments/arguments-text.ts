import { type ArgumentsError, maxArgumentsBytes, maxRepairableLength, tooLarge, unsafeInteger } from "./arguments-error.js";
import { checkParsedValue, isWellFormed, makeWellFormed } from "./arguments-value.js";
import { isKept, parseLenientJson } from "./lenient-json.js";
import { isRecord } from "../type-guards.js";

export type ParsedArguments =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The text was no JSON, or JSON inside a JSON string, and could be read nevertheless. */
      readonly repaired: boolean;
    }
  | { readonly ok: false; readonly error: ArgumentsError };

/**
 * Reads the argument text of a tool call, as a model wrote it. Empty text means `{}`. Valid JSON is never
 * touched; only what `JSON.parse` refuses is read leniently, up to 16 KB, and text that ends early is refused. The result is a
 * plain object within the limits of `checkArgumentsValue`, with well-formed strings.
 *
 * ```ts
 * parseArgumentsText('{"city": "Paris"}'); // { ok: true, value: { city: "Paris" }, repaired: false }
 * parseArgumentsText('{"city": "Par');     // { ok: false, error: { code: "truncated", message: "The arguments end too early, ..." } }
 * ```
 */
export function parseArgumentsText(text: string): ParsedArguments {
  const parsed = parseJson(text);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  if (isRecord(value)) return parsed;
  if (typeof value === "string" && mayBeObject.test(value)) {
    // An object encoded twice: once more, and no further.
    const inner = parseJson(value);
    if (!inner.ok) return inner;
    if (isRecord(inner.value)) return { ok: true, value: inner.value, repaired: true };
  }
  const kind = Array.isArray(value) ? "an array" : value === null ? "null" : `a ${typeof value}`;
  return refuse({
    code: "not_an_object",
    message: `The arguments are ${kind}, but must be one JSON object such as {"name": "value"}. Send {} for no arguments.`,
  });
}

const mayBeObject = /^\s*(?:\{|$)/;

/**
 * What servers send for a call without arguments, beside an empty text: Go's and Python's words for nothing, PHP's empty object, what
 * JavaScript writes for a missing value; some put them in quotes.
 */
const nothing: ReadonlySet<string> = new Set(
  ["null", "None", "undefined", "[]"].flatMap((word) => [word, JSON.stringify(word), `'${word}'`]),
);

/** Whether a text stands for no arguments, although it is no object. `parseArgumentsText` doesn't know whether the tool has any. */
export const saysNothing = (text: string): boolean => nothing.has(text.trim());

/** Reads any JSON value within the limits for arguments. */
export function parseJson(text: string): ParsedArguments {
  if (text.length > maxArgumentsBytes || (text.length * 3 > maxArgumentsBytes && Buffer.byteLength(text) > maxArgumentsBytes)) {
    return refuse(tooLarge);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return readLeniently(text);
  }
  const error = longDigits.test(text) || largeExponent.test(text) ? checkNumbers(text) : undefined;
  if (error !== undefined) return refuse(error);
  if (text.length > shallowLength || suspicious.test(text) || !isWellFormed(text)) {
    return finish(value, text.includes("\\u") || !isWellFormed(text), false);
  }
  return { ok: true, value, repaired: false };
}

function readLeniently(text: string): ParsedArguments {
  if (text.trim() === "") return { ok: true, value: {}, repaired: false };
  if (text.length > maxRepairableLength) {
    const message = `The arguments are not valid JSON, and with ${text.length} characters too long to be repaired. Send one complete JSON object.`;
    return refuse({ code: "too_large_to_repair", message });
  }
  const lenient = parseLenientJson(text);
  return "error" in lenient ? refuse(lenient.error) : finish(lenient.value, true, true);
}

function finish(value: unknown, mayBeIllFormed: boolean, repaired: boolean): ParsedArguments {
  const error = checkParsedValue(value);
  return error === undefined ? { ok: true, value: mayBeIllFormed ? makeWellFormed(value) : value, repaired } : refuse(error);
}

/** A shorter text can't be 100 levels deep, which takes an opening and a closing bracket each; such a value is not walked. */
const shallowLength = 200;

/** What may change other objects, or be half a character. */
const suspicious = /\\u|__proto__|constructor/;

// A quick look for numbers that may have been rounded; `checkNumbers` ignores those in strings. Two patterns, because one
// for both couldn't skip as much.
const longDigits = /\d{16}/;
const largeExponent = /\d[eE]\+?\d{3}/;
const stringsAndNumbers = /"(?:[^"\\]|\\[\s\S])*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function checkNumbers(text: string): ArgumentsError | undefined {
  for (const [token] of text.matchAll(stringsAndNumbers)) if (!token.startsWith('"') && !isKept(token)) return unsafeInteger(token);
  return undefined;
}

const refuse = (error: ArgumentsError): ParsedArguments => ({ ok: false, error });
