/** Red, green and blue from 0 to 255, and how much covers what is behind, from 0 to 1. A name that isn't known stands for itself. */
export type Color = readonly [red: number, green: number, blue: number, alpha: number] | string;

export const white: Color = [255, 255, 255, 1];
export const black: Color = [0, 0, 0, 1];

const names: Readonly<Record<string, readonly number[]>> = {
  ...{ white: [255, 255, 255], black: [0, 0, 0], canvas: [255, 255, 255], canvastext: [0, 0, 0], snow: [255, 250, 250] },
  ...{ ivory: [255, 255, 240], ghostwhite: [248, 248, 255], whitesmoke: [245, 245, 245], floralwhite: [255, 250, 240] },
  ...{ mintcream: [245, 255, 250], azure: [240, 255, 255], aliceblue: [240, 248, 255], seashell: [255, 245, 238] },
  ...{ honeydew: [240, 255, 240], lavenderblush: [255, 240, 245], red: [255, 0, 0], lime: [0, 255, 0], blue: [0, 0, 255] },
  ...{ green: [0, 128, 0], yellow: [255, 255, 0], cyan: [0, 255, 255], aqua: [0, 255, 255], magenta: [255, 0, 255] },
  ...{ fuchsia: [255, 0, 255], gray: [128, 128, 128], grey: [128, 128, 128], silver: [192, 192, 192], navy: [0, 0, 128] },
  ...{ maroon: [128, 0, 0], olive: [128, 128, 0], purple: [128, 0, 128], teal: [0, 128, 128], orange: [255, 165, 0] },
};

/** Reads a color; `undefined` for a text that is none. */
export function colorOf(value: string): Color | undefined {
  if (value === "transparent") return [0, 0, 0, 0];
  const [red, green, blue] = Object.hasOwn(names, value) ? (names[value] ?? []) : [];
  if (red !== undefined && green !== undefined && blue !== undefined) return [red, green, blue, 1];
  const digits = /^#([\da-f]{3,8})$/.exec(value)?.[1];
  if (digits !== undefined) return ofDigits(digits);
  const found = /^(rgb|hsl)a?\(([^()]{1,80})\)$/.exec(value);
  if (found !== null) {
    const [first = "0", second = "0", third = "0", alpha = "1"] = (found[2] ?? "").trim().split(/[\s,/]+/);
    const covering = share(alpha, 1);
    if (found[1] === "rgb") return [share(first, 255), share(second, 255), share(third, 255), covering];
    return [...ofHue(Number.parseFloat(first), Number.parseFloat(second) / 100, Number.parseFloat(third) / 100), covering];
  }
  return /^(?:[a-z]{3,30}|[a-z-]{2,15}\([^()]{1,100}\))$/.test(value) && value !== "none" ? value : undefined;
}

const share = (text: string, whole: number): number => {
  const number = Number.parseFloat(text) || 0;
  return Math.min(whole, Math.max(0, text.endsWith("%") ? (number / 100) * whole : number));
};

function ofDigits(digits: string): Color | undefined {
  if (![3, 4, 6, 8].includes(digits.length)) return undefined;
  const width = digits.length < 5 ? 1 : 2;
  const [red = 0, green = 0, blue = 0, alpha = 255] = Array.from({ length: digits.length / width }, (_, index) => {
    const part = digits.slice(index * width, (index + 1) * width);
    return Number.parseInt(width === 1 ? part + part : part, 16);
  });
  return [red, green, blue, alpha / 255];
}

function ofHue(hue: number, saturation: number, lightness: number): readonly [number, number, number] {
  const at = (shift: number): number => {
    const turn = (shift + hue / 30) % 12;
    return 255 * (lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  };
  return [at(0), at(8), at(4)];
}

/** A color upon another; one that isn't known covers. */
export function upon(color: Color, behind: Color | undefined): Color | undefined {
  if (typeof color === "string" || color[3] === 1) return color;
  if (behind === undefined || typeof behind === "string") return color[3] < faint ? behind : undefined;
  const mixed = (index: 0 | 1 | 2): number => color[index] * color[3] + behind[index] * (1 - color[3]);
  return [mixed(0), mixed(1), mixed(2), 1];
}

/** Nothing that covers less is seen. */
const faint = 0.05;

/** Of 255: people see no text in a smaller difference. */
const leastDifference = 16;

/** Whether a text of this color is invisible against its background. The background may be unknown, such as a picture. */
export function isSame(color: Color, behind: Color | undefined): boolean {
  if (typeof color === "string") return color === behind;
  if (color[3] < faint) return true;
  const seen = upon(color, behind);
  if (seen === undefined || behind === undefined || typeof seen === "string" || typeof behind === "string") return false;
  return [0, 1, 2].every((index) => Math.abs((seen[index] as number) - (behind[index] as number)) <= leastDifference);
}
