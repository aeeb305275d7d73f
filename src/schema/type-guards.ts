/** An object with members, as JSON has them; a list isn't one. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Anything with members: a record, a list or an instance of a class. */
export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** `Array.isArray` doesn't narrow a union with a readonly list. */
export const isList = <Item>(value: Item | readonly Item[]): value is readonly Item[] => Array.isArray(value);

/** The kind of a wrong value for an error message, without the value, which may be a secret. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
