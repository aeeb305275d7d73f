import type { Difference } from "../../schema/internal.js";

/** Characters of a value that are shown: a recording may hold whole documents. */
const longestShown = 160;
/** How much of what both sides share is shown before the first difference of two texts. */
const sharedShown = 40;

/** `messages[3].content: recorded "Sunny in Paris.", asked "Rainy in Paris."` */
export function describeDifference({ path, expected: recorded, found: asked }: Difference): string {
  const start = typeof recorded === "string" && typeof asked === "string" ? Math.max(0, firstDifference(recorded, asked) - sharedShown) : 0;
  return `${path}: recorded ${show(recorded, start)}, asked ${show(asked, start)}`;
}

function firstDifference(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left[index] === right[index]) index += 1;
  return index;
}

function show(value: unknown, start: number): string {
  if (value === undefined) return "nothing";
  if (typeof value !== "string") return cut(JSON.stringify(value), 0);
  return `${start > 0 ? "..." : ""}${JSON.stringify(cut(value, start))}`;
}

const cut = (text: string, start: number): string =>
  text.length - start > longestShown ? `${text.slice(start, start + longestShown)}...` : text.slice(start);
