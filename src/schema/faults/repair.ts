import { parseJson } from "../arguments/arguments-text.js";
import type { JsonType } from "../json-schema.js";
import { isOfType } from "./value-kinds.js";

/** No repair is possible. */
export const unrepaired = Symbol("unrepaired");

const wholeNumber = /^(?:0|-?[1-9]\d{0,15})$/;
const decimalNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/** Longer texts are no numbers that anybody writes. */
const maxNumberLength = 400;

/** With at most this many significant digits a decimal number survives as a double. */
const exactDigits = 15;

/** Reads a text as the JSON object or array that it spells; `unrepaired` if it spells none. */
export type ReadStructure = (text: string) => unknown;

/**
 * Converts a text into the value that it spells, if one of the types allows it and nothing is lost: `"42"`, `"true"`,
 * `"[1,2]"`. Never a number into a text, never `""`, blanks, `"3.14"` for an integer or `"yes"` for a boolean.
 */
export function repairText(text: string, types: readonly JsonType[], read: ReadStructure): unknown {
  for (const type of types) {
    const repaired = readAs(text, type, read);
    if (repaired !== unrepaired) return repaired;
  }
  return unrepaired;
}

function readAs(text: string, type: JsonType, read: ReadStructure): unknown {
  switch (type) {
    case "integer":
      return wholeNumber.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : unrepaired;
    case "number":
      return isExact(text) ? Number(text) : unrepaired;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : unrepaired;
    case "array":
    case "object": {
      const value = read(text);
      return isOfType(value, type) ? value : unrepaired;
    }
    default:
      return unrepaired;
  }
}

function isExact(text: string): boolean {
  if (text.length > maxNumberLength || !decimalNumber.test(text) || /^-0(?:\.0*)?$/.test(text) || !Number.isFinite(Number(text)))
    return false;
  const digits = text
    .replace(/[eE][+-]?\d+$/, "")
    .replace(/[-.]/g, "")
    .replace(/^0+/, "");
  return digits.length <= exactDigits || (wholeNumber.test(text) && Number.isSafeInteger(Number(text)));
}

const opening = /^\s*[[{]/;

export const readStructure: ReadStructure = (text) => {
  if (!opening.test(text)) return unrepaired;
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : unrepaired;
};
