import { withoutHidden } from "./without-hidden.js";

/** What stands in a text in place of the bytes of a file: `[image/png, 12.3 KB]`, `[report.pdf: application/pdf, 1.2 MB]`. */
export function bytesNote(file: { readonly mediaType: string; readonly filename?: string | undefined }, size: number): string {
  const name = file.filename === undefined ? undefined : plainName(file.filename);
  return `[${name === undefined ? "" : `${name}: `}${plainName(file.mediaType)}, ${sizeText(size)}]`;
}

const longestName = 100;

/** A name on one line, without what could end a note. */
export const plainName = (name: string): string =>
  withoutHidden(name)
    .replace(/[\s[\]]+/g, " ")
    .trim()
    .slice(0, longestName)
    .toWellFormed();

/** The number of bytes that a base64 text holds. */
export const sizeOfBase64 = (data: string): number =>
  Math.floor((data.length * 3) / 4) - (data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0);

/** A size for people and models: `12.3 KB`. */
export function sizeText(bytes: number): string {
  if (bytes >= 1_000_000) return `${Number((bytes / 1_000_000).toFixed(2))} MB`;
  return bytes >= 1_000 ? `${Number((bytes / 1_000).toFixed(1))} KB` : `${bytes} bytes`;
}
