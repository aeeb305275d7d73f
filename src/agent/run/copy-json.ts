/** A copy of a JSON value: the tool that gets the original may change it. */
export function copyJson(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = (value as Readonly<Record<string, unknown>>)[key];
    copy[key] = typeof member === "object" ? copyJson(member) : member;
  }
  return copy;
}
