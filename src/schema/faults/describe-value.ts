import type { JsonType } from "../json-schema.js";

/** Longer values are cut in messages. */
const maxShown = 40;

/** Longer lists of allowed values or names are cut in messages. */
const maxListed = 50;

/** Longer names, values and patterns are cut, because such a schema is not for reading. */
const maxOption = 500;

/** `string "x"`, `number 3.5`, `an array`: what a value is, for "got ...". */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case "string":
      return `string ${shorten(JSON.stringify(value.slice(0, maxShown + 1)))}`;
    case "number":
      return Number.isFinite(value) ? `number ${value}` : String(value);
    case "boolean":
      return `boolean ${value}`;
    case "bigint":
      return `bigint ${shorten(String(value))}`;
    case "object":
      return value === null ? "null" : Array.isArray(value) ? "an array" : describeObject(value);
    default:
      return value === undefined ? "undefined" : `a ${typeof value}`;
  }
}

function describeObject(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (typeof prototype !== "object" || prototype === null || Object.getPrototypeOf(prototype) === null) return "an object";
  const { constructor } = prototype;
  return typeof constructor === "function" && constructor.name !== "" ? `an instance of ${constructor.name}` : "an object";
}

/** ` got "kelvin"` is worth its room only if the value is short. */
export function got(value: unknown): string {
  if (typeof value === "object" && value !== null) return "";
  if (typeof value === "string" && value.length > maxShown) return "";
  const shown = describeValue(value);
  return shown.length <= maxShown ? `, got ${shown.replace(/^string |^number |^boolean /, "")}` : "";
}

const shorten = (text: string, length = maxShown): string => (text.length > length ? `${text.slice(0, length)}...` : text);

/** A pattern, as far as somebody reads it. */
export const describePattern = (source: string): string => shorten(source, maxOption);

const typeNames: Readonly<Record<JsonType, string>> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  object: "an object",
  array: "an array",
  null: "null",
};

export const describeTypes = (types: readonly JsonType[]): string => types.map((type) => typeNames[type]).join(" or ");

/** Allowed values in a row: words as they are, everything else as JSON. */
export const listValues = (values: readonly unknown[]): string => list(values, describeOption);

export const listNames = (names: readonly string[]): string => list(names, (name) => name);

function list<Item>(items: readonly Item[], describe: (item: Item) => string): string {
  const shown = items
    .slice(0, maxListed)
    .map((item) => shorten(describe(item), maxOption))
    .join(", ");
  return items.length > maxListed ? `${shown}, ... (${items.length - maxListed} more)` : shown;
}

const optionLists = new WeakMap<readonly unknown[], string>();

/** The values that an `enum` allows, put into words once. */
export function listOptions(options: readonly unknown[]): string {
  let text = optionLists.get(options);
  if (text === undefined) optionLists.set(options, (text = listValues(options)));
  return text;
}

const word = /^(?!(?:true|false|null|-?[\d.]+)$)[^\s,"';][^,"';]*$/;

function describeOption(value: unknown): string {
  if (typeof value === "object" && value !== null) return describeStructure(value);
  if (typeof value !== "string") return JSON.stringify(value);
  if (value.length > maxOption) return JSON.stringify(value.slice(0, maxOption + 1));
  return word.test(value) && value.trim() === value ? value : JSON.stringify(value);
}

const structures = new WeakMap<object, string>();

/** A value of a schema as JSON, put into words once. */
function describeStructure(value: object): string {
  let text = structures.get(value);
  if (text === undefined) structures.set(value, (text = shorten(JSON.stringify(value), maxOption)));
  return text;
}

export const plural = (count: number, noun: string, nouns = `${noun}s`): string => `${count} ${count === 1 ? noun : nouns}`;

/** What a text of each known format looks like. */
const formatExamples: Readonly<Record<string, string>> = {
  "date-time": "a date and time with zone such as 2024-05-17T09:30:00Z",
  date: "a date such as 2024-05-17",
  time: "a time with zone such as 09:30:00Z",
  duration: "a duration such as PT1H30M",
  email: "an e-mail address such as ann@example.com",
  "idn-email": "an e-mail address such as ann@example.com",
  hostname: "a host name such as example.com",
  ipv4: "an IPv4 address such as 192.0.2.1",
  ipv6: "an IPv6 address such as 2001:db8::1",
  uri: "a URL with scheme such as https://example.com/page",
  url: "a URL with scheme such as https://example.com/page",
  uuid: "a UUID such as 123e4567-e89b-12d3-a456-426614174000",
  regex: "a regular expression",
  "json-pointer": "a JSON pointer such as /items/0",
};

export const describeFormat = (format: string): string => formatExamples[format] ?? `of the format ${format}`;
