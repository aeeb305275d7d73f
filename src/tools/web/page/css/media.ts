/** The window in which a page is looked at, in CSS pixels: a common one. */
const windowSize = { width: 1_280, height: 800 };

/** Features that the window has not. What isn't listed counts as had. */
const lacking =
  /prefers-color-scheme:dark|prefers-reduced|prefers-contrast:(?:more|less)|orientation:portrait|hover:none|pointer:(?:coarse|none)|forced-colors:active|inverted-colors:inverted|scripting:none|display-mode:(?!browser)|update:none|monochrome(?!:0)|grid(?!:0)/;

/** Whether a media query list holds for the screen of a common computer. What isn't known holds, so that what it hides is hidden. */
export const mediaHolds = (list: string): boolean => list.trim() === "" || list.toLowerCase().split(",").some(queryHolds);

function queryHolds(query: string): boolean {
  const negated = /^\s*not\s/.test(query);
  const plain = query.replace(/^\s*(?:not|only)\s/, " ");
  const type = /^\s*([a-z]+)\b/.exec(plain)?.[1];
  const typeHolds = type === undefined || type === "all" || type === "screen";
  const holds = typeHolds && plain.split(/\band\b/).every((part) => part.split(/\bor\b/).some(featureHolds));
  return negated ? !holds : holds;
}

function featureHolds(text: string): boolean {
  const feature = text.replace(/[\s()]/g, "");
  if (feature.startsWith("not")) return !featureHolds(feature.slice(3));
  if (lacking.test(feature)) return false;
  const bound = /^(min|max)-(?:device-)?(width|height):([\d.]+)(px|r?em)?$/.exec(feature);
  if (bound !== null) {
    const [, kind, side, number, unit] = bound;
    return compare(windowSize[side as "width" | "height"], kind === "min" ? ">=" : "<=", pixels(number, unit));
  }
  const range = /^(?:([\d.]+)(px|r?em)?([<>]=?))?(width|height)(?:([<>]=?)([\d.]+)(px|r?em)?)?$/.exec(feature);
  if (range === null) return true;
  const [, low, lowUnit, lowOperator, side, highOperator, high, highUnit] = range;
  const size = windowSize[side as "width" | "height"];
  return (
    (lowOperator === undefined || compare(pixels(low, lowUnit), lowOperator, size)) &&
    (highOperator === undefined || compare(size, highOperator, pixels(high, highUnit)))
  );
}

const pixels = (number = "0", unit = "px"): number => Number(number) * (unit === "px" ? 1 : 16);

function compare(left: number, operator: string, right: number): boolean {
  if (left === right) return operator.endsWith("=");
  return operator.startsWith("<") ? left < right : left > right;
}
