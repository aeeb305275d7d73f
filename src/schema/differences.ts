import { isObject } from "./type-guards.js";

/** A place at which a JSON value isn't what was expected; `undefined` if one side has nothing there. */
export interface Difference {
  /** `items[1].price`; empty for the value as a whole. */
  readonly path: string;
  readonly expected: unknown;
  readonly found: unknown;
}

/** Every place at which two JSON values differ, as deep as possible. The order of keys doesn't count. */
export function differencesOf(expected: unknown, found: unknown, path = ""): readonly Difference[] {
  if (Object.is(expected, found)) return [];
  if (!isObject(expected) || !isObject(found) || Array.isArray(expected) !== Array.isArray(found)) return [{ path, expected, found }];
  const keys = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...keys].flatMap((key) => differencesOf(member(expected, key), member(found, key), joinPath(path, key, Array.isArray(found))));
}

const member = (value: Readonly<Record<string, unknown>>, key: string): unknown => (Object.hasOwn(value, key) ? value[key] : undefined);

/** The path of a member: `items[1]`, `items[1].price`. */
export const joinPath = (path: string, key: string, isIndex: boolean): string =>
  isIndex ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
