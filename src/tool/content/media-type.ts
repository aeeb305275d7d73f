import { extname } from "node:path";

const byExtension: ReadonlyMap<string, string> = new Map([
  [".png", "image/png"],
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".gif", "image/gif"],
  [".webp", "image/webp"],
  [".pdf", "application/pdf"],
  [".txt", "text/plain"],
  [".csv", "text/csv"],
  [".html", "text/html"],
  [".md", "text/markdown"],
  [".json", "application/json"],
]);

/** The extensions of the table, for messages. */
export const knownExtensions: readonly string[] = [...byExtension.keys()];

/** The media type that a name promises by its extension. */
export const mediaTypeOfName = (name: string): string | undefined => byExtension.get(extname(name).toLowerCase());

/** The media type of a file by how it begins (the magic numbers of each format's specification); undefined for texts. */
export function mediaTypeOfBytes(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (start.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (start.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(start)) return "image/gif";
  if (/^RIFF.{4}WEBP/s.test(start)) return "image/webp";
  if (start.startsWith("%PDF-")) return "application/pdf";
  return undefined;
}
