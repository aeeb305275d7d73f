import { canonicalText } from "./canonical-text.js";
import { type CountWork, uncounted } from "./work-budget.js";

/** A text that two JSON values share exactly when they are equal. */
export const equalityText = (value: unknown, count: CountWork = uncounted): string =>
  canonicalText(value, (part) => count(typeof part === "string" ? 6 + part.length / 8 : 16));

/** Whether two JSON values are equal. It takes no longer than the smaller of them is large. */
export function isEqual(left: unknown, right: unknown, count: CountWork = uncounted): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  count(8);
  if (Array.isArray(left)) {
    if (!Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => isEqual(item, right[index], count));
  }
  if (Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== countKeys(right, keys.length)) return false;
  return keys.every((key) => {
    count(4);
    if (!Object.hasOwn(right, key)) return false;
    return isEqual((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key], count);
  });
}

/** Own keys, counted no further than one beyond what is expected. */
function countKeys(object: object, expected: number): number {
  let counted = 0;
  for (const key in object) {
    if (!Object.hasOwn(object, key)) continue;
    if (++counted > expected) break;
  }
  return counted;
}
