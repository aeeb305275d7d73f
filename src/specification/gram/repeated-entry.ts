import type { GramProperty, GramValue } from "./tree.js";

/** The first entry of a map among the values, at any depth, whose key an earlier entry of that map has. */
export function repeatedEntry(values: readonly GramValue[]): GramProperty | undefined {
  for (const value of values) {
    const repeated = value.kind === "array" ? repeatedEntry(value.items) : value.kind === "map" ? repeatedIn(value.entries) : undefined;
    if (repeated !== undefined) return repeated;
  }
  return undefined;
}

/** The same of a record. */
export function repeatedIn(record: readonly GramProperty[]): GramProperty | undefined {
  const keys = new Set<string>();
  for (const property of record) {
    if (keys.has(property.key)) return property;
    keys.add(property.key);
  }
  return repeatedEntry(record.map(({ value }) => value));
}
