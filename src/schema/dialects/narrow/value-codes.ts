import type { Restore } from "../restore.js";

/**
 * Strings that stand for values of any type: a string for itself, and `1` for the number 1. If two values would share one, the number's is
 * `1 (number)`. An empty text, which Gemini takes for no value, is written `""`.
 */
export function codeValues(values: readonly unknown[]): { readonly codes: readonly string[]; readonly restore: Restore | undefined } {
  const byCode = new Map<string, unknown>();
  for (const value of values) if (typeof value === "string" && value !== "") byCode.set(value, value);
  for (const value of values) if (typeof value !== "string" || value === "") byCode.set(freeCode(value, byCode), value);
  const isPlain = [...byCode].every(([code, value]) => code === value);
  const restore: Restore = (value) => (typeof value === "string" && byCode.has(value) ? byCode.get(value) : value);
  return { codes: [...byCode.keys()], restore: isPlain ? undefined : restore };
}

function freeCode(value: unknown, taken: ReadonlyMap<string, unknown>): string {
  let code = JSON.stringify(value);
  while (taken.has(code)) code += ` (${value === null ? "null" : typeof value})`;
  return code;
}
