import { quote, symbolPattern, writeKey } from "./write-names.js";
import type { GramProperty, GramValue } from "./tree.js";

const numberPattern = /^(?:0x[0-9a-fA-F]+|0[0-7]+|-?(?:0|[1-9]\d*)(?:\.\d+)?)$/;
const measurementPattern = /^-?(?:0|[1-9]\d*)[a-zA-Z]+$/;

/** How records are written: `{key: value}` in patterns, `{key:value}` in nodes. */
export interface RecordStyle {
  readonly colonBlank: "" | " ";
  /** Blanks before the line of a closing fence. */
  readonly indent: string;
}

export function printRecord(properties: readonly GramProperty[], style: RecordStyle): string {
  return `{${properties.map((property) => printProperty(property, style)).join(", ")}}`;
}

export function printProperty({ key, separator, value }: GramProperty, style: RecordStyle): string {
  return `${writeKey(key)}${separator}${style.colonBlank}${printValue(value, style)}`;
}

export function printValue(value: GramValue, style: RecordStyle): string {
  switch (value.kind) {
    case "string":
      return value.fenced ? (fenced(value.value, "", style) ?? quote(value.value, '"')) : quote(value.value, '"');
    case "tagged": {
      const tag = checked(value.tag, symbolPattern, "a tag");
      const inline = () => tag + quote(value.value, "`");
      return value.fenced ? (fenced(value.value, tag, style) ?? inline()) : inline();
    }
    case "symbol":
      // A word that would be read as something else is written as the text that it is.
      return symbolPattern.test(value.name) && !/^(?:true|false)$/.test(value.name) ? value.name : quote(value.name, '"');
    case "boolean":
      return String(value.value);
    case "number":
      return checked(value.text, numberPattern, "a number");
    case "measurement":
      return checked(value.text, measurementPattern, "a measurement");
    case "range": {
      const { lower, upper } = value;
      const end = (number: typeof lower) => (number === undefined ? "" : printValue(number, style));
      return `${end(lower)}${lower === undefined || upper === undefined ? "..." : ".."}${end(upper)}`;
    }
    case "array":
      return `[${value.items.map((item) => printValue(item, style)).join(", ")}]`;
    case "map":
      return printRecord(value.entries, style);
  }
}

/** A text that holds a fence, or line breaks that would be read as others, can't stand between fences. */
function fenced(text: string, tag: string, { indent }: RecordStyle): string | undefined {
  if (/```|\r/.test(text)) return undefined;
  return `\`\`\`${tag}\n${text === "" ? "" : `${text}\n`}${indent}\`\`\``;
}

/** What gram can't quote must be right in the tree. */
export function checked(text: string, pattern: RegExp, what: string): string {
  if (pattern.test(text)) return text;
  throw new TypeError(`${JSON.stringify(text)} is not ${what} in gram, and gram can't quote it.`);
}
