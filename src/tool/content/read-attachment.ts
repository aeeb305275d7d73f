import { bytesNote, plainName, sizeOfBase64, sizeText } from "../../redaction/internal.js";
import { fail, type Result, succeed } from "../../schema/index.js";
import type { Attachment, FilePart, ImagePart } from "./content-part.js";
import { imageSizeOf } from "./image-size.js";
import { mediaTypeOfBytes } from "./media-type.js";

/** A part as a tool returned it, which may be anything in plain JavaScript. */
export interface GivenPart {
  readonly type: string;
  readonly mediaType: string;
  readonly data: string;
  readonly filename?: string;
}

// What every provider takes: 5 MB of base64 (Claude API), 3.75 MB and 4.5 MB of bytes (Bedrock Converse).
const largestImage = 3_750_000;
const largestPdf = 4_500_000;
/** Pixels, by the Claude API. */
const longestSide = 8_000;

/** The images that models read. */
const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const textType = /^text\/|^application\/(.+\+)?(json|xml|yaml)$|^application\/(x-)?(ndjson|yaml|javascript)$/;

const aliases: ReadonlyMap<string, string> = new Map([
  ["image/jpg", "image/jpeg"],
  ["image/pjpeg", "image/jpeg"],
  ["image/x-png", "image/png"],
  ["application/x-pdf", "application/pdf"],
]);

/** `Image/JPG; q=1` is `image/jpeg`. */
export function essenceOfMediaType(mediaType: string): string {
  const essence = mediaType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return aliases.get(essence) ?? essence;
}

/** Whether models read files of the type, as images or as PDFs. */
export const isShownToModels = (mediaType: string): boolean => {
  const essence = essenceOfMediaType(mediaType);
  return imageTypes.includes(essence) || essence === "application/pdf";
};

/**
 * A part as models get it: an image or a PDF, or the text of a file that holds text. Fails with what is wrong with it and what to
 * return instead, as a sentence that begins with its note.
 */
export function readAttachment(part: GivenPart): Result<Attachment | string, string> {
  const mediaType = essenceOfMediaType(part.mediaType);
  const bytes = bytesOf(part.data);
  const note = bytesNote({ mediaType, filename: part.filename }, bytes?.length ?? 0);
  if (bytes === undefined) return fail(`${note} isn't base64. Return the bytes, or their base64.`);
  if (bytes.length === 0) return fail(`${note} is empty.`);
  if (part.type !== "image" && textType.test(mediaType)) return textOf(bytes, note);
  const isImage = mediaType.startsWith("image/");
  if (part.type === "image" && !isImage) return fail(`${note} is no image. Return it with file(data, mediaType).`);
  if (!isShownToModels(mediaType)) {
    return fail(`${note} is of a type that models don't read. Return a PNG, JPEG, GIF, WebP or PDF, a text, or its path or URL.`);
  }
  const largest = isImage ? largestImage : largestPdf;
  if (bytes.length > largest) return fail(`${note} is too large. At most ${sizeText(largest)} can be shown: make it smaller before.`);
  const actual = mediaTypeOfBytes(bytes);
  if (actual === undefined) return fail(`${note} is damaged: its bytes aren't those of ${mediaType}.`);
  if (actual !== mediaType) return fail(`${note} is ${actual} by its bytes. Return it with that media type.`);
  const fault = isImage ? imageFault(bytes, mediaType) : pdfFault(bytes);
  if (fault !== undefined) return fail(`${note} ${fault}`);
  const data = bytes.toString("base64");
  if (isImage) return succeed({ type: "image", mediaType, data });
  const filename = part.filename === undefined ? undefined : plainName(part.filename);
  return succeed({ type: "file", mediaType, ...(filename !== undefined && { filename }), data });
}

const damaged = "is damaged or incomplete.";

function imageFault(bytes: Buffer, mediaType: string): string | undefined {
  const size = imageSizeOf(bytes, mediaType);
  if (size === undefined) return damaged;
  const { width, height } = size;
  if (Math.max(width, height) <= longestSide) return undefined;
  return `has ${width} x ${height} pixels. At most ${longestSide} on a side can be shown: make it smaller before.`;
}

/** ISO 32000, "File trailer": it ends with this comment. */
const pdfFault = (bytes: Buffer): string | undefined => (bytes.lastIndexOf("%%EOF") === -1 ? damaged : undefined);

/** What stands in a text in place of an image or a file: `[image/png, 12.3 KB]`. */
export const noteOn = (part: ImagePart | FilePart): string =>
  part.data === undefined ? `[${part.mediaType}]` : bytesNote({ ...part, filename: nameIn(part) }, sizeOfBase64(part.data));

/** A text cut after the notes of attachments, with each of these behind its note: the order in which a model reads them. */
export function splitAtNotes(text: string, attachments: readonly Attachment[]): readonly (string | Attachment)[] {
  const pieces: (string | Attachment)[] = [];
  let start = 0;
  for (const attachment of attachments) {
    const note = noteOn(attachment);
    const place = lineOf(text, note, start);
    // A text that was changed may have lost the note: then the file comes last.
    const end = place === -1 ? text.length : place + note.length;
    const before = text.slice(start, end).trim();
    if (before !== "") pieces.push(before);
    pieces.push(attachment);
    start = end;
  }
  const rest = text.slice(start).trim();
  return rest === "" ? pieces : [...pieces, rest];
}

/** A text with the notes of its attachments, in their order. Those that it lacks are added at the end. */
export function withNotes(text: string, attachments: readonly Attachment[]): string {
  let start = 0;
  const lacking: string[] = [];
  for (const note of attachments.map(noteOn)) {
    const place = lineOf(text, note, start);
    if (place === -1) lacking.push(note);
    else start = place + note.length;
  }
  return lacking.length === 0 ? text : [text, ...lacking].join("\n");
}

/** Where a line of the text begins that is the note; -1 if none is. Within JSON, a note isn't a place to cut the text. */
function lineOf(text: string, note: string, start: number): number {
  for (let place = text.indexOf(note, start); place !== -1; place = text.indexOf(note, place + 1)) {
    const end = place + note.length;
    if ((place === 0 || text[place - 1] === "\n") && (end === text.length || text[end] === "\n")) return place;
  }
  return -1;
}

const nameIn = (part: ImagePart | FilePart): string | undefined => (part.type === "file" ? part.filename : undefined);

/** The name at the end of a URL's path; `undefined` if there is none. */
export function fileNameInUrl(url: string): string | undefined {
  const name = url.split(/[?#]/, 1)[0]?.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(name) || undefined;
  } catch {
    return name;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function textOf(bytes: Buffer, note: string): Result<string, string> {
  try {
    return succeed(`${note}\n${utf8.decode(bytes)}`);
  } catch {
    return fail(`${note} isn't UTF-8 text. Return it as text, or return its path or URL.`);
  }
}

/** The bytes of a base64 text, also of one with line breaks or in base64url; `undefined` if it is none. */
function bytesOf(data: string): Buffer | undefined {
  const bytes = Buffer.from(data, "base64");
  const written = bytes.toString("base64");
  if (written === data) return bytes;
  const plain = data.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  return withoutPadding(written) === withoutPadding(plain) ? bytes : undefined;
}

/** Base64 ends with at most two of them. */
const withoutPadding = (text: string): string => (text.endsWith("==") ? text.slice(0, -2) : text.endsWith("=") ? text.slice(0, -1) : text);
