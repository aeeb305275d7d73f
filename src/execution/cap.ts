import { hideSecrets } from "../tool/index.js";

/** Bytes of UTF-8 that a result's text may have, unless the executor is told otherwise. */
export const defaultMaxResultBytes = 50_000;

/** The least cap that holds the marker and something of head and tail. */
export const leastMaxResultBytes = 500;

/**
 * Cuts the middle out of a text that is larger than `maxBytes` of UTF-8, and says so in its place. Head and tail
 * are cut between characters; with the marker they fill `maxBytes` at most.
 */
export function capText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  // Before the cut: of a secret that is cut in two, no half would be known again.
  const bytes = Buffer.from(hideSecrets(text));
  const room = maxBytes - markerOf(bytes.length, bytes.length).length;
  const headEnd = characterStart(bytes, Math.ceil(room * 0.75));
  const tailStart = characterStart(bytes, bytes.length - (room - headEnd) + 3);
  const marker = markerOf(tailStart - headEnd, bytes.length);
  return bytes.toString("utf8", 0, headEnd) + marker + bytes.toString("utf8", tailStart);
}

const markerOf = (left: number, total: number): string =>
  `\n[... ${left} of ${total} bytes left out here. To see them, call again with arguments that ask for less at a time. ...]\n`;

/** The start of the character that `index` is in: the bytes that continue one begin with the bits 10. */
function characterStart(bytes: Buffer, index: number): number {
  let start = index;
  while (((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start -= 1;
  return start;
}
