import { fileError } from "./file-error.js";

/**
 * One key for names that look the same to people. They differ by Unicode's normal form (macOS writes letters and accents apart) or by
 * the kind of space (a screenshot of macOS has a narrow one before PM).
 */
export const lookAlikeKey = (name: string): string => name.normalize("NFC").replace(/\p{Zs}/gu, " ");

/** The name in a folder that looks like the one that isn't there; `undefined` if none does. Throws a `FileError` for several. */
export function lookAlikeOf(name: string, names: readonly string[], path: string): string | undefined {
  const key = lookAlikeKey(name);
  const alike = names.filter((other) => other !== name && lookAlikeKey(other) === key);
  if (alike.length <= 1) return alike[0];
  const shown = alike.map((other) => escaped(other)).join(", ");
  throw fileError(
    "Ambiguous name",
    path,
    `${alike.length} names look like it: ${shown}. They differ only by Unicode form or kind of space. Use one of them with its exact characters.`,
  );
}

/** As JSON text with all that isn't plain ASCII escaped: the names look the same otherwise. */
const escaped = (name: string): string =>
  JSON.stringify(name).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
