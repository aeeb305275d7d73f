import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { FilePart, ImagePart } from "../message.js";
import { checkOptionNames, knownExtensions, mediaTypeOfBytes, mediaTypeOfName, type OptionNames } from "../../tool/internal.js";

/** A path, a URL (`https:`, `data:` or `file:`), or the bytes. */
export type FileSource = string | URL | Uint8Array;

/** Options of `imagePart`. */
export interface ImagePartOptions {
  /** The media type, if it can't be detected, or is detected wrongly. */
  readonly mediaType?: string;
}

/** Options of `filePart`. */
export interface FilePartOptions extends ImagePartOptions {
  /** The name that some providers show to the model. Default: the name of the file that was read. */
  readonly filename?: string;
}

/**
 * Makes an image for a prompt, from a path, a URL or bytes.
 *
 * ```ts
 * await agent.generate([{ type: "text", text: "What is on the label?" }, await imagePart("label.png")]);
 * ```
 *
 * A path is read here; an `https:` URL is fetched by the provider. The media type comes from the first bytes (PNG, JPEG, GIF,
 * WebP), else from the extension.
 *
 * Check a path that comes from a user or a model before: the file is sent to the provider. Throws `TypeError` if the media type
 * can't be detected or isn't an image's, and the file system's error if the path can't be read. See docs/03-agents.md.
 */
export async function imagePart(source: FileSource, options: ImagePartOptions = {}): Promise<ImagePart> {
  checkOptionNames(options, { mediaType: true } satisfies OptionNames<ImagePartOptions>, "imagePart");
  const file = await load(source);
  // A provider that reads the URL sees for itself which kind of image it is.
  const fallback = file.url === undefined ? undefined : "image/*";
  const mediaType = options.mediaType ?? file.mediaType ?? fallback ?? refuse("imagePart", file, "is of no known media type");
  if (!mediaType.startsWith("image/")) refuse("imagePart", file, `is ${mediaType}, no image. Use filePart for it`);
  return file.url === undefined ? { type: "image", mediaType, data: file.data } : { type: "image", mediaType, url: file.url };
}

/**
 * Makes a file for a prompt, from a path, a URL or bytes: `await filePart("invoice.pdf")`.
 *
 * PDF and text files (txt, csv, html, md, json) are detected by their extension; otherwise pass `mediaType`. The model's
 * documentation says which types it accepts. Throws like `imagePart`. See docs/03-agents.md.
 */
export async function filePart(source: FileSource, options: FilePartOptions = {}): Promise<FilePart> {
  checkOptionNames(options, { mediaType: true, filename: true } satisfies OptionNames<FilePartOptions>, "filePart");
  const file = await load(source);
  const mediaType = options.mediaType ?? file.mediaType ?? refuse("filePart", file, "is of no known media type");
  const filename = options.filename ?? file.name;
  const named = { type: "file", mediaType, ...(filename !== undefined && { filename }) } as const;
  return file.url === undefined ? { ...named, data: file.data } : { ...named, url: file.url };
}

type LoadedFile = { readonly name?: string; readonly mediaType: string | undefined } & (
  | { readonly data: string; readonly url?: undefined }
  | { readonly url: string; readonly data?: undefined }
);

async function load(source: FileSource): Promise<LoadedFile> {
  if (source instanceof Uint8Array) return { mediaType: mediaTypeOfBytes(source), data: toBase64(source) };
  // A drive letter is no scheme.
  const isUrl = typeof source !== "string" || /^[a-z][a-z\d+.-]+:/i.test(source);
  if (!isUrl) return loadPath(source);
  const url = new URL(source);
  switch (url.protocol) {
    case "file:":
      return loadPath(fileURLToPath(url));
    case "data:":
      return readDataUrl(url);
    case "http:":
    case "https:":
      return { mediaType: mediaTypeOfName(url.pathname), url: url.href };
    default:
      throw new TypeError(`A URL of a prompt begins with https:, http:, data: or file:, not with ${url.protocol}`);
  }
}

async function loadPath(path: string): Promise<LoadedFile> {
  const bytes = await readFile(path);
  return { name: basename(path), mediaType: mediaTypeOfBytes(bytes) ?? mediaTypeOfName(path), data: toBase64(bytes) };
}

/** RFC 2397: `data:[<media type>][;base64],<data>`. */
function readDataUrl({ href }: URL): LoadedFile {
  const comma = href.indexOf(",");
  if (comma === -1) throw new TypeError("A data: URL of a prompt has no comma, so that it holds no data.");
  const [mediaType = "", ...parameters] = href.slice("data:".length, comma).split(";");
  const text = decodeURIComponent(href.slice(comma + 1));
  const bytes = Buffer.from(text, parameters.includes("base64") ? "base64" : "utf8");
  return { mediaType: mediaTypeOfBytes(bytes) ?? (mediaType || "text/plain"), data: toBase64(bytes) };
}

const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");

function refuse(maker: string, { name, url }: LoadedFile, what: string): never {
  const file = name ?? (url === undefined ? "what was given" : new URL(url).pathname);
  throw new TypeError(
    `${maker}: ${file} ${what}. Known are ${knownExtensions.join(" ")}; for others say it: ${maker}(source, { mediaType: "..." }).`,
  );
}
