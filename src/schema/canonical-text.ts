/**
 * A text of a JSON value that doesn't depend on the order of keys, so that equal values have equal texts. Members that are `undefined` are
 * left out, as in `JSON.stringify`. `enter` gets each value and each key before it is written, and may throw.
 */
export function canonicalText(value: unknown, enter: (value: unknown, depth: number) => void = unchecked, depth = 0): string {
  enter(value, depth);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  let members = "";
  if (Array.isArray(value)) {
    for (const item of value) members += `${members === "" ? "" : ","}${canonicalText(item, enter, depth + 1)}`;
    return `[${members}]`;
  }
  const record = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(record).sort()) {
    if (record[key] === undefined) continue;
    enter(key, depth + 1);
    members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${canonicalText(record[key], enter, depth + 1)}`;
  }
  return `{${members}}`;
}

/** For what was JSON text before: it ends. */
const unchecked = (): void => undefined;
