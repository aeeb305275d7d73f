/**
 * A text of a JSON value that doesn't depend on the order of keys, so that equal values have equal texts. Members that are `undefined` are
 * left out, as in `JSON.stringify`. `enter` gets each value and each key before it is written, and may throw.
 */
export function canonicalText(value: unknown, enter: (value: unknown, depth: number) => void = unchecked, depth = 0): string {
  enter(value, depth);
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return `[${value.map((item) => canonicalText(item, enter, depth + 1)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const record = value as Readonly<Record<string, unknown>>;
  const members: string[] = [];
  for (const key of Object.keys(record).sort()) {
    if (record[key] === undefined) continue;
    enter(key, depth + 1);
    members.push(`${JSON.stringify(key)}:${canonicalText(record[key], enter, depth + 1)}`);
  }
  return `{${members.join(",")}}`;
}

/** For what was JSON text before: it ends. */
const unchecked = (): void => undefined;
