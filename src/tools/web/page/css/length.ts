import { calculate } from "../../../calculator/calculate.js";

/** CSS pixels of a unit; of the window's units, in a window of 1,280 by 800. */
const pixels: Readonly<Record<string, number>> = {
  ...{ "": 1, px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 37.8, mm: 3.78, q: 0.945, rem: 16, rlh: 19 },
  ...{ vw: 12.8, vh: 8, vmin: 8, vmax: 12.8, vi: 12.8, vb: 8, svw: 12.8, svh: 8, lvw: 12.8, lvh: 8, dvw: 12.8, dvh: 8 },
};

const relative: Readonly<Record<string, number>> = { em: 1, ex: 0.5, ch: 0.5, ic: 1, cap: 0.7, lh: 1.2 };

/** What the units of a length depend on, in CSS pixels. */
export interface LengthBase {
  readonly fontSize: number;
  /** What 100 % is. */
  readonly whole: number;
}

const quantity = /((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]+|%)?/g;

/** No length of use is longer. */
const longest = 200;

/** A length in CSS pixels, also if it is calculated; `undefined` for what is none. */
export function lengthOf(value: string | undefined, { fontSize, whole }: LengthBase): number | undefined {
  if (value === undefined || value.length > longest || !/^[-+.\d]|^(?:calc|min|max|clamp)\(/.test(value)) return undefined;
  const inPixels = value.replace(quantity, (_, number: string, unit = "") => {
    const size = unit === "%" ? whole / 100 : Object.hasOwn(relative, unit) ? (relative[unit] as number) * fontSize : pixels[unit];
    return size === undefined ? "?" : `(${(Number(number) * size).toFixed(6)})`;
  });
  const plain = /^([-+]?)\((\d+\.\d+)\)$/.exec(inPixels);
  if (plain !== null) return Number(`${plain[1]}${plain[2]}`);
  try {
    return calculate(inPixels.replace(/\bcalc\(/g, "(").replace(/^clamp\(([^,]+),([^,]+),([^,]+)\)$/, "max($1, min($2, $3))"));
  } catch {
    return undefined;
  }
}
