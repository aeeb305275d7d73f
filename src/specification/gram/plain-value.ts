import type { JsonValue } from "../../schema/index.js";
import type { GramProperty, GramValue } from "./tree.js";

/**
 * Converts a gram value to JSON. A word becomes its text, except `null`; a tagged string becomes its text; a measurement or range
 * becomes its source text.
 *
 * See docs/10-specifications-and-gram.md.
 */
export function plainValue(value: GramValue): JsonValue {
  switch (value.kind) {
    case "string":
    case "tagged":
    case "boolean":
      return value.value;
    case "symbol":
      return value.name === "null" ? null : value.name;
    case "number":
      return /^0[0-7]+$/.test(value.text) ? Number.parseInt(value.text, 8) : Number(value.text);
    case "measurement":
      return value.text;
    case "range": {
      const dots = value.lower === undefined || value.upper === undefined ? "..." : "..";
      return `${value.lower?.text ?? ""}${dots}${value.upper?.text ?? ""}`;
    }
    case "array":
      return value.items.map(plainValue);
    case "map":
      return plainRecord(value.entries);
  }
}

/**
 * Converts a gram record to an object. If a key is repeated, its last value is used.
 *
 * ```ts
 * const { header = [] } = parseGram('{version: 0x10, tags: ["a", b], rest: null}');
 * console.log(plainRecord(header)); // prints: { version: 16, tags: [ 'a', 'b' ], rest: null }
 * ```
 *
 * See docs/10-specifications-and-gram.md.
 */
export function plainRecord(record: readonly GramProperty[]): { readonly [key: string]: JsonValue } {
  return Object.fromEntries(record.map(({ key, value }) => [key, plainValue(value)]));
}

/**
 * Converts a JSON value to a gram value. Nested arrays aren't valid gram, but can be read in type signatures.
 *
 * Throws `TypeError` for `NaN` and infinite numbers. See docs/10-specifications-and-gram.md.
 */
export function gramValueOf(value: JsonValue): GramValue {
  if (value === null) return { kind: "symbol", name: "null" };
  switch (typeof value) {
    case "string":
      return { kind: "string", value };
    case "boolean":
      return { kind: "boolean", value };
    case "number":
      return { kind: "number", text: decimalText(value) };
    default:
      return isArray(value)
        ? { kind: "array", items: value.map(gramValueOf) }
        : {
            kind: "map",
            entries: Object.entries(value).map(([key, entry]) => ({ key, separator: ":" as const, value: gramValueOf(entry) })),
          };
  }
}

// Array.isArray doesn't narrow a union with a readonly array.
const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

/** Gram has no exponents: 1e-7 is written out. */
function decimalText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} isn't a JSON number.`);
  if (Object.is(value, -0)) return "-0";
  const [mantissa = "", exponent] = String(value).split("e");
  if (exponent === undefined) return mantissa;
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  return sign + (point > 0 ? digits.padEnd(point, "0") : `0.${"0".repeat(-point)}${digits}`);
}
