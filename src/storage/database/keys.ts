import { sha256 } from "../../platform/index.js";

const longestKey = 200;

/**
 * A text as databases keep it apart from any other: they reject a zero character, and write all lone surrogates alike. Such texts are kept
 * as JSON: its quotes mark them.
 */
export const storableText = (text: string): string =>
  text.isWellFormed() && !text.includes("\0") && !text.startsWith('"') ? text : JSON.stringify(text);

/** What `storableText` was made of. */
export const originalText = (stored: string): string => (stored.startsWith('"') ? (JSON.parse(stored) as string) : stored);

/** A primary key for a text of any length: indexes have a limit. */
export function keyOf(text: string): string {
  const stored = storableText(text);
  if (stored.length <= longestKey) return stored;
  // No surrogate pair is cut in half.
  return `${stored.slice(0, 40).toWellFormed()}… ${sha256(stored)}`;
}
