import { black, type Color, colorOf, isSame, upon, white } from "./color.js";
import { farAway, isOutOfSight } from "./out-of-sight.js";
import { lengthOf } from "./length.js";

/** What an element passes on to those in it, of all that decides whether its text is seen. */
export interface ComputedStyle {
  readonly visible: boolean;
  /** CSS pixels. */
  readonly fontSize: number;
  readonly color: Color;
  /** What is behind its text; `undefined` if that is a picture. */
  readonly background: Color | undefined;
  /** The background shows through the letters, however transparent they are. */
  readonly lettersShowBackground: boolean;
  readonly opacity: number;
  readonly indented: boolean;
  /** Custom properties (`--name`). */
  readonly custom: ReadonlyMap<string, string>;
}

export const initialStyle: ComputedStyle = {
  visible: true,
  fontSize: 16,
  color: black,
  background: white,
  lettersShowBackground: false,
  opacity: 1,
  indented: false,
  custom: new Map(),
};

/** No text of a smaller size is read, in CSS pixels. */
const smallestFont = 3;

/** Nothing that covers less is seen. */
const leastOpacity = 0.06;

/** Whether a text in an element of this style isn't seen. */
export const hidesText = ({ visible, fontSize, color, background, lettersShowBackground, indented }: ComputedStyle): boolean =>
  !visible || fontSize < smallestFont || indented || (!lettersShowBackground && isSame(color, background));

/**
 * The style of an element in one of the style `parent`, by what is declared for it; `undefined` if nothing of the element is seen,
 * whatever is in it.
 */
export function computeStyle(parent: ComputedStyle, declared: ReadonlyMap<string, string>): ComputedStyle | undefined {
  if (declared.size === 0) return parent;
  const custom = customOf(parent.custom, declared);
  const values = expanded(declared, custom);
  const fontSize = fontSizeOf(values.get("font-size"), parent.fontSize);
  const ownOpacity = numberOf(values.get("opacity") ?? "1");
  const opacity = parent.opacity * (ownOpacity ?? 1);
  if (opacity < leastOpacity || isOutOfSight(values, fontSize)) return undefined;
  const visibility = values.get("visibility");
  const indent = values.get("text-indent");
  const color = colorIn(values.get("-webkit-text-fill-color") ?? values.get("color"), parent.color);
  return {
    visible: visibility === undefined || visibility === "inherit" ? parent.visible : visibility !== "hidden" && visibility !== "collapse",
    fontSize,
    color,
    opacity,
    custom,
    indented: indent === undefined || indent === "inherit" ? parent.indented : isIndentedAway(indent, fontSize),
    ...backgroundOf(values, parent, color),
  };
}

function customOf(inherited: ReadonlyMap<string, string>, declared: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  let own: Map<string, string> | undefined;
  for (const [property, value] of declared) if (property.startsWith("--")) (own ??= new Map(inherited)).set(property, value);
  return own ?? inherited;
}

/** Longer values are none of these properties. */
const longestValue = 500;

/** Values with their variables replaced, and shorthands as what they stand for. */
function expanded(declared: ReadonlyMap<string, string>, custom: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [property, written] of declared) {
    if (property.startsWith("--")) continue;
    const value = withVariables(written, custom);
    if (property === "font") {
      const size =
        /(?:^|\s)((?:[\d.]+)(?:[a-z]+|%)?|(?:xx?-)?(?:small|large)|medium|smaller|larger|(?:calc|min|max|clamp)\([\s\S]*?\))\s*(?:\/|\s)/.exec(
          value,
        );
      if (size?.[1] !== undefined) values.set("font-size", size[1]);
    } else if (property === "background") {
      values.set("background-image", value);
      values.set("background-color", partsOf(value).find((part) => part !== "none" && part !== "text" && isColor(part)) ?? "transparent");
      if (/\btext\b/.test(value)) values.set("background-clip", "text");
    } else if (property === "margin" || property === "inset" || property === "padding") setSides(values, property, partsOf(value));
    else if (property === "inset-inline" || property === "inset-block") {
      const [start = "auto", end = start] = partsOf(value);
      values.set(property === "inset-inline" ? "left" : "top", start);
      values.set(property === "inset-inline" ? "right" : "bottom", end);
    } else if (property === "overflow") for (const side of ["overflow-x", "overflow-y"]) values.set(side, value);
    else values.set(physical[property] ?? property, value);
  }
  return values;
}

const isColor = (text: string): boolean => {
  const color = colorOf(text);
  return (
    color !== undefined &&
    (typeof color !== "string" ||
      color.includes("(") ||
      !/^(?:repeat|scroll|fixed|local|center|left|right|top|bottom|cover|contain|auto|border-box|padding-box|content-box|initial|inherit|unset)/.test(
        color,
      ))
  );
};

/** In a text that runs from left to right. */
const physical: Readonly<Record<string, string>> = {
  "inset-inline-start": "left",
  "inset-inline-end": "right",
  "inset-block-start": "top",
  "inset-block-end": "bottom",
  "margin-inline-start": "margin-left",
  "margin-block-start": "margin-top",
  "inline-size": "width",
  "block-size": "height",
  "max-inline-size": "max-width",
  "max-block-size": "max-height",
  "-webkit-background-clip": "background-clip",
  "-webkit-clip-path": "clip-path",
};

function setSides(
  values: Map<string, string>,
  property: string,
  [top = "0", right = top, bottom = top, left = right]: readonly string[],
): void {
  const prefix = property === "inset" ? "" : `${property}-`;
  for (const [side, value] of Object.entries({ top, right, bottom, left })) values.set(prefix + side, value);
}

/** The parts of a value between blanks, brackets kept whole. */
const partsOf = (value: string): readonly string[] => value.match(/[^\s()]*\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\s()]+/g) ?? [];

/** As many variables within variables are replaced. */
const mostRounds = 10;

function withVariables(written: string, custom: ReadonlyMap<string, string>): string {
  let value = written.length > longestValue ? written.slice(0, longestValue) : written;
  for (let round = 0; round < mostRounds && value.includes("var("); round++) {
    value = value
      .replace(
        /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)/g,
        (_, name: string, instead = "") => custom.get(name)?.slice(0, longestValue) ?? instead,
      )
      .slice(0, longestValue);
  }
  return value.trim();
}

const keywordSizes: Readonly<Record<string, number>> = {
  ...{ "xx-small": 9, "x-small": 10, small: 13, medium: 16, large: 18, "x-large": 24, "xx-large": 32, "xxx-large": 48 },
  ...{ initial: 16 },
};

function fontSizeOf(value: string | undefined, parent: number): number {
  if (value === undefined) return parent;
  if (Object.hasOwn(keywordSizes, value)) return keywordSizes[value] as number;
  if (value === "smaller" || value === "larger") return value === "smaller" ? parent / 1.2 : parent * 1.2;
  return Math.max(0, lengthOf(value, { fontSize: parent, whole: parent }) ?? parent);
}

function numberOf(value: string): number | undefined {
  const number = lengthOf(value.replace(/%$/, ""), { fontSize: 16, whole: 1 });
  return number === undefined ? undefined : value.endsWith("%") ? number / 100 : number;
}

function colorIn(value: string | undefined, inherited: Color): Color {
  if (value === undefined || value === "inherit" || value === "currentcolor" || value === "unset") return inherited;
  if (value === "initial" || value === "revert") return black;
  return colorOf(value) ?? inherited;
}

function backgroundOf(
  values: ReadonlyMap<string, string>,
  parent: ComputedStyle,
  color: Color,
): Pick<ComputedStyle, "background" | "lettersShowBackground"> {
  const declaredColor = values.get("background-color");
  const image = values.get("background-image") ?? "";
  const own =
    declaredColor === "currentcolor"
      ? color
      : declaredColor === "inherit"
        ? (parent.background ?? white)
        : colorOf(declaredColor ?? "transparent");
  const base = upon(own ?? [0, 0, 0, 0], parent.background);
  const hasImage = /url\(|gradient\(|image(?:-set)?\(|element\(/.test(image);
  const background = hasImage ? pictureColor(image) : base;
  const lettersShowBackground = values.get("background-clip") === "text" && hasImage;
  return { background, lettersShowBackground: lettersShowBackground || (parent.lettersShowBackground && color === parent.color) };
}

/** The color of a gradient that has one color alone. */
function pictureColor(image: string): Color | undefined {
  if (image.includes("url(") || !image.includes("gradient(")) return undefined;
  const colors = [...image.matchAll(/#[\da-f]{3,8}\b|(?:rgb|hsl)a?\([^()]*\)|\b[a-z]{3,20}\b(?![(-])/g)].flatMap(([text]) => {
    const color = colorOf(text);
    return color === undefined || typeof color === "string" ? [] : [color];
  });
  const [first] = colors;
  return first !== undefined && colors.every((color) => isSame(color, first)) ? first : undefined;
}

const isIndentedAway = (value: string, fontSize: number): boolean => {
  const indent = lengthOf(value.split(/\s+/)[0], { fontSize, whole: 1_000 });
  return indent !== undefined && Math.abs(indent) >= farAway;
};
