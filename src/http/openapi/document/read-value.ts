import { isRecord } from "../../../schema/internal.js";

// Readers for values of a document, whose types are unknown. A value of another type counts as absent.

export type Foreign = Readonly<Record<string, unknown>>;

export const textOf = (value: unknown): string | undefined => (typeof value === "string" && value.trim() !== "" ? value : undefined);

export const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];

/** An own member: `constructor` and the like are no members of every object. */
export const memberOf = (value: unknown, name: string): unknown =>
  isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/** Percent-encoding undone, if it is one. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
