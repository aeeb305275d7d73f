import { lengthOf } from "./length.js";

/** Farther than this to the left or above, in CSS pixels, is outside of the window. */
export const farAway = 500;

type Values = ReadonlyMap<string, string>;

/** Beyond this to the right, in CSS pixels, is outside of every window. */
const beyond = 5_000;

/** A box of this size holds no letter, in CSS pixels. */
const smallestBox = 2;

/** Whether nothing of an element is seen, nor of what is in it: not displayed, moved out of the window, cut to nothing. */
export function isOutOfSight(values: Values, fontSize: number): boolean {
  if (values.get("display") === "none" || values.get("content-visibility") === "hidden") return true;
  const pixelsOf = (property: string): number | undefined => lengthOf(values.get(property), { fontSize, whole: 1_000 });
  return (
    isMovedAway(values, pixelsOf) ||
    isTransformedAway(values, fontSize) ||
    isClipped(values) ||
    isCutToNothing(values, pixelsOf) ||
    /opacity\(\s*(?:0+(?:\.0*)?|\.0+|0*\.0[0-5]\d*|[0-5](?:\.\d*)?%)\s*\)/.test(values.get("filter") ?? "")
  );
}

function isMovedAway(values: Values, pixelsOf: (property: string) => number | undefined): boolean {
  if ((pixelsOf("margin-left") ?? 0) <= -farAway || (pixelsOf("margin-top") ?? 0) <= -farAway) return true;
  const position = values.get("position");
  if (position === undefined || position === "static") return false;
  const sides = ["left", "top", "right", "bottom"].map(pixelsOf);
  return sides.some((side) => side !== undefined && side <= -farAway) || (sides[0] ?? 0) >= beyond;
}

function isTransformedAway(values: Values, fontSize: number): boolean {
  const transform = values.get("transform") ?? "";
  const isFar = (text: string): boolean => {
    const length = lengthOf(text.trim(), { fontSize, whole: farAway });
    return length !== undefined && (length <= -farAway || length >= beyond);
  };
  const moves = [...transform.matchAll(/translate[xy3d]*\(([^()]*)\)/g)].flatMap(([, lengths = ""]) => lengths.split(","));
  if ([...moves, ...(values.get("translate") ?? "").split(/\s+/)].some(isFar)) return true;
  const scales = [...transform.matchAll(/scale[xy3d]*\(([^()]*)\)/g)].flatMap(([, factors = ""]) => factors.split(","));
  if (
    [...scales, ...(values.get("scale") ?? "").split(/\s+/)].some(
      (factor) => /^\s*[-+]?[\d.]/.test(factor) && Math.abs(Number.parseFloat(factor)) < 0.05,
    )
  )
    return true;
  return /rotate[xy]\(\s*-?(?:90|270)deg\s*\)|matrix\(\s*0(?:\.0*)?\s*,\s*0(?:\.0*)?\s*,/.test(transform);
}

function isClipped(values: Values): boolean {
  const rectangle = /^rect\(([^()]*)\)/.exec(values.get("clip") ?? "")?.[1]?.trim();
  if (rectangle !== undefined) {
    const [top = 0, right = 0, bottom = 0, left = 0] = rectangle.split(/[\s,]+/).map(Number.parseFloat);
    if (bottom - top <= smallestBox || right - left <= smallestBox) return true;
  }
  const shape = values.get("clip-path") ?? "";
  const [, kind, inside = ""] = /^([a-z]+)\(([^()]*)\)/.exec(shape) ?? [];
  const numbers = inside.split(/(?<!\s)\s+round\s/)[0]?.match(/-?[\d.]+%?/g) ?? [];
  switch (kind) {
    case "inset": {
      const [top = "0", right = top, bottom = top, left = right] = numbers;
      return (
        [top, right, bottom, left].some((side) => !side.endsWith("%") && Number.parseFloat(side) >= farAway) ||
        percent(top, bottom) ||
        percent(left, right)
      );
    }
    case "circle":
    case "ellipse":
      return /^\s*0(?:\.0*)?(?:px|%|[a-z]+)?(?:\s|$)/.test(inside);
    case "polygon": {
      const points = inside.split(",").map((point) => point.trim().split(/\s+/).map(Number.parseFloat));
      return [0, 1].some((axis) => new Set(points.map((point) => point[axis] ?? 0)).size === 1);
    }
    case "rect": {
      const [top = 0, right = 0, bottom = 0, left = 0] = numbers.map(Number.parseFloat);
      return bottom - top <= smallestBox || right - left <= smallestBox;
    }
    case "xywh":
      return numbers.slice(2, 4).some((size) => Number.parseFloat(size) <= smallestBox);
    default:
      return false;
  }
}

const percent = (one: string, other: string): boolean =>
  one.endsWith("%") && other.endsWith("%") && Number.parseFloat(one) + Number.parseFloat(other) >= 99;

function isCutToNothing(values: Values, pixelsOf: (property: string) => number | undefined): boolean {
  const cuts = (axis: "x" | "y"): boolean => /hidden|clip|scroll|auto/.test(values.get(`overflow-${axis}`) ?? "");
  const isTiny = (...properties: readonly string[]): boolean =>
    properties.some((property) => {
      const size = pixelsOf(property);
      return size !== undefined && size <= smallestBox;
    });
  // A box without height that is padded below keeps the shape of what lies in it, such as a video.
  const isPadded = (pixelsOf("padding-bottom") ?? 0) > smallestBox;
  return (cuts("x") && isTiny("width", "max-width")) || (cuts("y") && !isPadded && isTiny("height", "max-height"));
}
