import { createHash } from "node:crypto";

/**
 * The one text of a JSON value, whatever the order of its keys: equal arguments have equal texts.
 * Members that are `undefined` are left out, as in `JSON.stringify`.
 *
 * ```ts
 * canonicalJson({ b: 1, a: [true] }); // '{"a":[true],"b":1}'
 * ```
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const record = value as Readonly<Record<string, unknown>>;
  const members: string[] = [];
  for (const key of Object.keys(record).sort()) {
    if (record[key] !== undefined) members.push(`${JSON.stringify(key)}:${canonicalJson(record[key])}`);
  }
  return `{${members.join(",")}}`;
}

/** SHA-256 of the canonical text of a JSON value, as 64 hex digits. */
export const canonicalHash = (value: unknown): string => createHash("sha256").update(canonicalJson(value)).digest("hex");
