import { hideSecrets } from "../../redaction/index.js";
import { longestSecret } from "../../redaction/internal.js";

/** The default of the executor's `maxResultBytes`, in bytes of UTF-8. */
export const defaultMaxResultBytes = 50_000;

/** The least cap that holds the marker and something of head and tail. */
export const leastMaxResultBytes = 500;

/**
 * Replaces the middle of a text that is larger than `maxBytes` of UTF-8 by a marker. Head and tail are cut between characters; with
 * the marker they have `maxBytes` at most. Only the parts that are kept are searched for secrets.
 */
export function capText(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const total = Buffer.byteLength(text);
  if (total <= maxBytes) return text;
  const room = maxBytes - markerOf(total, total).length;
  const headRoom = Math.ceil(room * 0.75);
  const margin = longestSecret();
  const isShort = text.length <= maxBytes + 2 * margin;
  const [start, end] = isShort ? [hideSecrets(text)] : endsWithoutSecrets(text, maxBytes, margin);
  if (isShort && Buffer.byteLength(start) <= maxBytes) return start;
  const head = headOf(Buffer.from(start), headRoom);
  const tail = tailOf(Buffer.from(end ?? start), room - headRoom);
  return head + markerOf(total - Buffer.byteLength(head) - Buffer.byteLength(tail), total) + tail;
}

/** The parts that head and tail are cut from. A margin as long as a secret is dropped, because half a secret isn't recognised. */
function endsWithoutSecrets(text: string, maxBytes: number, margin: number): readonly [start: string, end?: string] {
  const length = maxBytes + margin;
  if (margin === 0) return [text.slice(0, length), text.slice(-length)];
  return [hideSecrets(text.slice(0, length)).slice(0, -margin), hideSecrets(text.slice(-length)).slice(margin)];
}

const markerOf = (left: number, total: number): string =>
  `\n[... ${left} of ${total} bytes left out here. To see them, call again with arguments that ask for less at a time. ...]\n`;

const headOf = (bytes: Buffer, room: number): string => bytes.toString("utf8", 0, characterStart(bytes, room));

/** The start is moved by up to three bytes, so that the tail is cut that much smaller. */
const tailOf = (bytes: Buffer, room: number): string => bytes.toString("utf8", characterStart(bytes, Math.max(0, bytes.length - room + 3)));

/** The first byte of the character at `index`: its other bytes begin with the bits 10. */
function characterStart(bytes: Buffer, index: number): number {
  let start = index;
  while (((bytes[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start -= 1;
  return start;
}
