import { isRecord } from "../../../schema/internal.js";
import type { ParameterFormat } from "../operation/parameter-format.js";

/** A name and a value as they stand in a query, a form or a cookie: both percent-encoded. */
export type Pair = readonly [name: string, value: string];

type Encode = (text: string) => string;

/** Lone halves of surrogate pairs can't be encoded. Both names of ES2024 are in every supported Node; the compiler's library is older. */
const wellFormed = (text: string): string => (text as string & { toWellFormed(): string }).toWellFormed();

export const encode: Encode = (text) => encodeURIComponent(wellFormed(text));

/** What a query may hold as it is. `&`, `;`, `+` and `#` would end the value or mean another: they are encoded all the same. */
const encodeReserved: Encode = (text) => encode(text).replace(/%(2F|3A|3F|40|24|2C|3D)/g, (escape) => decodeURIComponent(escape));

const asWritten: Encode = (text) => text;

/** A value that isn't a list or an object of simple values has no form but JSON. */
export function textOfValue(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}

/** What was given: members that are absent aren't written. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const itemsOf = (value: readonly unknown[], encodeText: Encode): readonly string[] =>
  value.filter(isGiven).map((item) => encodeText(textOfValue(item)));

const membersOf = (value: Readonly<Record<string, unknown>>, encodeText: Encode): readonly Pair[] =>
  Object.entries(value)
    .filter(([, member]) => isGiven(member))
    .map(([name, member]) => [encodeText(name), encodeText(textOfValue(member))]);

/** Name and value one after the other, or joined by `=`. */
const listed = (members: readonly Pair[], explode: boolean): readonly string[] =>
  explode ? members.map((pair) => pair.join("=")) : members.flat();

/** The text that stands in a path for `{name}`, percent-encoded (OpenAPI 3, "Style Examples"). */
export function writeInPath(name: string, value: unknown, format: ParameterFormat): string {
  const { style, explode } = format;
  if (style === "matrix") return writeMatrix(name, value, format);
  const parts = partsOf(value, format, encode);
  return style === "label" ? `.${parts.join(explode ? "." : ",")}` : parts.join(delimiter(format, encode));
}

function writeMatrix(name: string, value: unknown, format: ParameterFormat): string {
  const own = encode(name);
  const parts = partsOf(value, format, encode);
  if (!format.explode || format.json || typeof value !== "object" || value === null) return `;${own}=${parts.join(",")}`;
  return parts.map((part) => (Array.isArray(value) ? `;${own}=${part}` : `;${part}`)).join("");
}

/** The value of a header. Headers have no encoding. */
export const writeInHeader = (value: unknown, format: ParameterFormat): string =>
  partsOf(value, format, asWritten).join(delimiter(format, asWritten));

function partsOf(value: unknown, { explode, json }: ParameterFormat, encodeText: Encode): readonly string[] {
  if (json) return [encodeText(JSON.stringify(value))];
  if (Array.isArray(value)) return itemsOf(value, encodeText);
  return isRecord(value) ? listed(membersOf(value, encodeText), explode) : [encodeText(textOfValue(value))];
}

const delimiters: Readonly<Partial<Record<ParameterFormat["style"], string>>> = {
  spaceDelimited: " ",
  pipeDelimited: "|",
  tabDelimited: "\t",
};

/** What stands between the parts. Commas stay as they are everywhere; those of a value are encoded. */
function delimiter({ style }: ParameterFormat, encodeText: Encode): string {
  const written = delimiters[style];
  return written === undefined ? "," : encodeText(written);
}

/** What a value becomes in a query, a form or the cookies: no pair for an empty list or object. */
export function writePairs(name: string, value: unknown, format: ParameterFormat): readonly Pair[] {
  const encodeText = format.allowReserved ? encodeReserved : encode;
  const own = encode(name);
  if (format.json) return [[own, encodeText(JSON.stringify(value))]];
  if (typeof value !== "object" || value === null) return [[own, encodeText(textOfValue(value))]];
  if (format.style === "deepObject") return writeDeep(own, value, encodeText);
  if (format.explode)
    return Array.isArray(value)
      ? itemsOf(value, encodeText).map((item) => [own, item])
      : membersOf(value as Readonly<Record<string, unknown>>, encodeText);
  const parts = partsOf(value, format, encodeText);
  return parts.length === 0 ? [] : [[own, parts.join(delimiter(format, encode))]];
}

/** `filter[color]=red`. OpenAPI doesn't define deeper levels; they are written as most servers read them: `filter[size][min]=1`, `tag[0]=a`. */
function writeDeep(name: string, value: object, encodeText: Encode): readonly Pair[] {
  return Object.entries(value)
    .filter(([, member]) => isGiven(member))
    .flatMap(([key, member]: [string, unknown]) => {
      const inner = `${name}%5B${encode(key)}%5D`;
      return typeof member === "object" && member !== null
        ? writeDeep(inner, member, encodeText)
        : [[inner, encodeText(textOfValue(member))] as const];
    });
}
