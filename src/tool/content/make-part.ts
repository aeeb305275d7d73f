import type { Attachment } from "./content-part.js";

// Registered, so that parts of another copy of the package are known too.
const madePart = Symbol.for("toolwright.madePart");

/** A part that a tool made. Its mark distinguishes it from data of the same form, however few bytes it has. */
class MadePart {
  readonly type: "image" | "file";
  readonly mediaType: string;
  readonly filename?: string;
  readonly data: string;

  constructor(type: MadePart["type"], maker: string, given: unknown, mediaType: unknown, filename: unknown) {
    if (typeof mediaType !== "string" || !/^[\w.+-]+\/[\w.+-]+/.test(mediaType)) {
      throw new TypeError(`${maker}: the second argument is the media type, such as "image/png", got ${shown(mediaType)}.`);
    }
    if (filename !== undefined && typeof filename !== "string") {
      throw new TypeError(`${maker}: the third argument is the name of the file, got ${shown(filename)}.`);
    }
    this.type = type;
    this.mediaType = mediaType;
    if (filename !== undefined) this.filename = filename;
    this.data = base64Of(given, maker);
  }

  get [madePart](): true {
    return true;
  }
}

/**
 * Makes an image for a tool's result: `return image(await chart.toBuffer(), "image/png")`, or with texts:
 * `return ["Sales by month:", image(png, "image/png")]`.
 *
 * `data` has the bytes, or their base64. The media type is `image/png`, `image/jpeg`, `image/gif` or `image/webp`. Each model gets the
 * image in the form that its provider takes. An image over 3.75 MB, a damaged one or one of another type becomes a failed result.
 * Throws `TypeError` for arguments of other types. See docs/02-tools.md.
 */
export const image = (data: Uint8Array | ArrayBuffer | string, mediaType: string): Attachment & { readonly type: "image" } =>
  new MadePart("image", "image", data, mediaType, undefined) as Attachment & { readonly type: "image" };

/**
 * Makes a file for a tool's result: `return file(await report.toPdf(), "application/pdf", "report.pdf")`.
 *
 * `data` has the bytes, or their base64. A model reads PDFs (up to 4.5 MB) as files, and texts (`text/csv`, `application/json`) as text.
 * Another type, or a damaged file, becomes a failed result. Throws `TypeError` for arguments of other types. See docs/02-tools.md.
 */
export const file = (
  data: Uint8Array | ArrayBuffer | string,
  mediaType: string,
  filename?: string,
): Attachment & { readonly type: "file" } =>
  new MadePart("file", "file", data, mediaType, filename) as Attachment & { readonly type: "file" };

export const isMadePart = (value: object): boolean => (value as Readonly<Record<symbol, unknown>>)[madePart] === true;

function base64Of(data: unknown, maker: string): string {
  if (typeof data === "string") {
    if (!data.startsWith("data:")) return data;
    throw new TypeError(`${maker}: the data is a data: URL. Pass the base64 after its comma.`);
  }
  if (ArrayBuffer.isView(data)) return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
  // By its tag: one of another realm, as in jest, is no instance.
  if (Object.prototype.toString.call(data) === "[object ArrayBuffer]") return Buffer.from(data as ArrayBuffer).toString("base64");
  throw new TypeError(`${maker}: the data is a Uint8Array, an ArrayBuffer or a base64 text, got ${shown(data)}. Is it awaited?`);
}

const shown = (value: unknown): string =>
  value === null ? "null" : typeof value === "string" ? JSON.stringify(value.slice(0, 60)) : typeof value;
