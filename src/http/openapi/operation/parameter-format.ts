import { isRecord } from "../../../schema/internal.js";
import { shownValue } from "../document/import-work.js";
import { Refusal } from "./operation-refusal.js";

export type ParameterPlace = "path" | "query" | "header" | "cookie";

/** The styles of OpenAPI 3 ("Style Values"), and the tabs of OpenAPI 2.0's `collectionFormat: tsv`. */
export type ParameterStyle = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "tabDelimited" | "deepObject";

/** How a value is written into its place. */
export interface ParameterFormat {
  readonly style: ParameterStyle;
  /** Each item or member stands for itself: `id=1&id=2` rather than `id=1,2`. */
  readonly explode: boolean;
  /** Characters such as `/` and `:` stay as they are. */
  readonly allowReserved: boolean;
  /** The value is written as JSON, whatever it is. */
  readonly json: boolean;
}

const stylesOf: Readonly<Record<ParameterPlace, readonly ParameterStyle[]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

const defaultStyle: Readonly<Record<ParameterPlace, ParameterStyle>> = { path: "simple", query: "form", header: "simple", cookie: "form" };

/** OpenAPI 3, "Parameter Object" and "Encoding Object". Throws `Refusal` for a style that isn't one of the place's. */
export function readFormat(place: ParameterPlace, written: unknown, owner: string): ParameterFormat {
  const { style = defaultStyle[place], explode, allowReserved } = isRecord(written) ? written : {};
  const known = stylesOf[place].find((name) => name === style);
  if (known === undefined) {
    throw new Refusal(`${owner} has the style ${shownValue(style)}; in the ${place} there is ${stylesOf[place].join(", ")}.`);
  }
  const explodes = typeof explode === "boolean" ? explode : known === "form";
  return { style: known, explode: explodes, allowReserved: place === "query" && allowReserved === true, json: false };
}

/** A parameter that says its type by `content`. */
export const jsonFormat = (place: ParameterPlace): ParameterFormat => ({
  style: defaultStyle[place],
  explode: false,
  allowReserved: false,
  json: true,
});

const collectionStyles: Readonly<Record<string, ParameterStyle>> = {
  csv: "form",
  ssv: "spaceDelimited",
  tsv: "tabDelimited",
  pipes: "pipeDelimited",
  multi: "form",
};

/** OpenAPI 2.0, "Parameter Object": `collectionFormat`, commas by default. */
export function readCollectionFormat(place: ParameterPlace, written: unknown, owner: string): ParameterFormat {
  const said = isRecord(written) && written.collectionFormat !== undefined ? written.collectionFormat : "csv";
  const style = typeof said === "string" && Object.hasOwn(collectionStyles, said) ? collectionStyles[said] : undefined;
  if (style === undefined)
    throw new Refusal(`${owner} has the collectionFormat ${shownValue(said)}; there is csv, ssv, tsv, pipes, multi.`);
  const inPlace = style === "form" ? defaultStyle[place] : style;
  return { style: inPlace, explode: said === "multi", allowReserved: false, json: false };
}
