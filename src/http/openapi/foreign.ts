/** Readers for values of documents, about which nothing is known: what isn't of the kind asked for counts as absent. */

export type Foreign = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Foreign => typeof value === "object" && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string | undefined => (typeof value === "string" && value.trim() !== "" ? value : undefined);

export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

/** An own member: `constructor` and the like are no members of every object. */
export const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Percent-encoding undone, where it is one. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
