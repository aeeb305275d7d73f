import { isObject, subschemaKeywords } from "../../schema/internal.js";

/**
 * The first difference of two schemas: its path, such as `properties.age.type`, and the two values. A value is `undefined` if it is absent.
 */
export interface SchemaDifference {
  readonly path: string;
  readonly left: unknown;
  readonly right: unknown;
}

/**
 * The first place where two schemas differ; `undefined` if they say the same. The order of keys and of `required` doesn't
 * matter, nor whether objects are closed: schemas of type signatures leave `additionalProperties` out, classes say `false`.
 */
export function schemaDifference(left: unknown, right: unknown): SchemaDifference | undefined {
  const difference = differenceOf(left, right);
  return difference?.path === "" ? { ...difference, path: "its root" } : difference;
}

function differenceOf(left: unknown, right: unknown): SchemaDifference | undefined {
  // Schemas below the root may be true and false; from outside they may be anything.
  return isObject(left) && isObject(right) ? firstDifference(left, right, keywordDifference) : valueDifference(left, right);
}

/** Compares members one by one; the path is put together on the way back, which most comparisons never take. */
function firstDifference(
  left: object,
  right: object,
  compare: (one: unknown, other: unknown, key: string) => SchemaDifference | undefined,
): SchemaDifference | undefined {
  const keys = Object.keys(left);
  const otherKeys = Object.keys(right);
  // Lists of values, because a look-up by a name that changes takes several times as long.
  const values: readonly unknown[] = Object.values(left);
  const otherValues: readonly unknown[] = Object.values(right);
  let shared = 0;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    // Mostly they stand in the same order.
    const isInPlace = key === otherKeys[index];
    const isShared = isInPlace || Object.hasOwn(right, key);
    if (isShared) shared += 1;
    const other = isInPlace ? otherValues[index] : isShared ? (right as Readonly<Record<string, unknown>>)[key] : undefined;
    const difference = compare(values[index], other, key);
    if (difference !== undefined) return within(key, difference);
  }
  if (shared === otherKeys.length) return undefined;
  for (const [index, key] of otherKeys.entries()) {
    const difference = Object.hasOwn(left, key) ? undefined : compare(undefined, otherValues[index], key);
    if (difference !== undefined) return within(key, difference);
  }
  return undefined;
}

function keywordDifference(left: unknown, right: unknown, keyword: string): SchemaDifference | undefined {
  if (left === right) return undefined;
  if (keyword === "additionalProperties" && !isObject(left) && !isObject(right)) return undefined;
  if (keyword === "required") return requiredDifference(left, right);
  if (keyword === "properties") return firstDifference(left ?? {}, right ?? {}, differenceOf);
  if (isObject(left) && isObject(right)) {
    const kind = subschemaKeywords.get(keyword);
    const isOne = kind === "one" || (kind === "oneOrList" && !Array.isArray(left));
    if (kind !== undefined) return isOne ? differenceOf(left, right) : firstDifference(left, right, differenceOf);
  }
  return valueDifference(left, right);
}

const within = (key: string, { path, left, right }: SchemaDifference): SchemaDifference => ({
  path: path === "" ? key : `${key}.${path}`,
  left,
  right,
});

function valueDifference(left: unknown, right: unknown): SchemaDifference | undefined {
  if (left === right) return undefined;
  const alike = isObject(left) && isObject(right) && Array.isArray(left) === Array.isArray(right);
  return alike ? firstDifference(left, right, valueDifference) : { path: "", left, right };
}

/** Nothing required may be written as an empty list or not at all. */
function requiredDifference(left: unknown = [], right: unknown = []): SchemaDifference | undefined {
  if (!Array.isArray(left) || !Array.isArray(right)) return valueDifference(left, right);
  const same = left.length === right.length && left.every((name) => right.includes(name));
  return same ? undefined : { path: "", left, right };
}
