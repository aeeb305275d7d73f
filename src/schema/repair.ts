import { parseJson } from "./arguments-text.js";
import type { JsonType } from "./json-schema.js";

/** No repair is possible. */
export const unrepaired = Symbol("unrepaired");

const wholeNumber = /^(?:0|-?[1-9]\d{0,15})$/;
const decimalNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/** With at most this many significant digits a decimal number survives as a double. */
const exactDigits = 15;

/**
 * Turns a text into the value that it spells, where one of the types can hold it and nothing is lost: `"42"`, `"true"`,
 * `"[1,2]"`. Never a number into a text, never `""`, blanks, `"3.14"` for an integer or `"yes"` for a boolean.
 */
export function repairText(value: unknown, types: readonly JsonType[]): unknown {
  if (typeof value !== "string") return unrepaired;
  for (const type of types) {
    const repaired = readAs(value, type);
    if (repaired !== unrepaired) return repaired;
  }
  return unrepaired;
}

function readAs(text: string, type: JsonType): unknown {
  switch (type) {
    case "integer":
      return wholeNumber.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : unrepaired;
    case "number":
      return isExact(text) ? Number(text) : unrepaired;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : unrepaired;
    case "array":
    case "object":
      return readStructure(text, type);
    default:
      return unrepaired;
  }
}

function isExact(text: string): boolean {
  if (!decimalNumber.test(text) || /^-0(?:\.0*)?$/.test(text) || !Number.isFinite(Number(text))) return false;
  const digits = text
    .replace(/[eE].*$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "");
  return digits.length <= exactDigits || (wholeNumber.test(text) && Number.isSafeInteger(Number(text)));
}

function readStructure(text: string, type: "array" | "object"): unknown {
  if (!text.trimStart().startsWith(type === "array" ? "[" : "{")) return unrepaired;
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : unrepaired;
}
