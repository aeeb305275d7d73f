import { isUtf8 } from "node:buffer";
import { basename } from "node:path";
import { Integer } from "../../schema/index.js";
import { type Attachment, optional, required, returns, Tool, type ToolContext, type ToolResponse, tool } from "../../tool/index.js";
import { jsonWith, mediaTypeOfBytes, readAttachment } from "../../tool/internal.js";
import { withoutHidden } from "../../redaction/internal.js";
import { fileCalls } from "./file-calls.js";
import { explain, explained, fileError } from "./file-error.js";
import type { FileRoot, OpenFile } from "./file-root.js";
import type { FileToolClass } from "./file-tool-class.js";
import { unlessAborted } from "./unless-aborted.js";

export class FileContent {
  @required(String)
  content!: string;

  @required(Integer, "Bytes")
  size!: number;

  @optional(String, "What the content leaves out")
  note?: string;
}

/** A model that writes the file anew should know. */
const leftOut = "The file holds invisible characters, which are left out here. Writing this content would remove them.";

/** A call of `read_file`. */
export interface ReadFileCall extends Tool {
  path: string;
  call(context: ToolContext): Promise<FileContent | ShownFile | (ToolResponse & { readonly kind: "failure" })>;
}

/** An image or a PDF, beside what the output schema describes. */
type ShownFile = ToolResponse<"json", FileContent>;

/** Makes the tool `read_file` for one root. */
export function readFileTool(root: FileRoot, maxBytes: number): FileToolClass<ReadFileCall> {
  @tool({
    identifier: "read_file",
    description:
      "Reads a text file, an image or a PDF. Use when you need to know what a file holds. Paths are relative to the top directory.",
    category: "read",
    consequenceLevel: "low",
    effect: "none",
  })
  @returns(FileContent)
  class ReadFileTool extends Tool {
    @required(String, "File path to read")
    path!: string;

    async call({ abortSignal }: ToolContext): Promise<FileContent | ShownFile> {
      try {
        return await this.#read(abortSignal);
      } catch (error) {
        throw explained(error, this.path);
      }
    }

    async #read(signal: AbortSignal): Promise<FileContent | ShownFile> {
      const { existing, missing } = await root.locate(this.path, signal);
      if (missing.length > 0) throw explain("ENOENT", this.path);
      const file = await root.openFile(existing, this.path, signal);
      try {
        const bytes = await readBytes(file, this.path, maxBytes, signal);
        const shown = shownFile(bytes, this.path);
        if (shown !== undefined) return jsonWith({ content: "The file is attached to this result.", size: bytes.length }, [shown]);
        const text = decodeText(bytes, this.path);
        const content = withoutHidden(text);
        return { content, size: bytes.length, ...(content === text ? {} : { note: leftOut }) };
      } finally {
        await fileCalls.close(file.descriptor);
      }
    }
  }
  return ReadFileTool;
}

/** Counts what it reads: files that the system makes up, such as those of /proc, say that their size is 0. */
async function readBytes({ descriptor, status }: OpenFile, path: string, maxBytes: number, signal: AbortSignal): Promise<Buffer> {
  if (status.isDirectory()) throw explain("EISDIR", path);
  if (!status.isFile()) throw explain("ENXIO", path);
  const tooLarge = () => fileError("File too large", path, `At most ${maxBytes} bytes can be read. Use a smaller file.`);
  if (status.size > maxBytes) throw tooLarge();
  let buffer = Buffer.allocUnsafe(status.size + 1);
  for (let filled = 0; ; ) {
    const { bytesRead } = await unlessAborted(signal, fileCalls).read(descriptor, buffer, filled, buffer.length - filled, null);
    filled += bytesRead;
    if (filled > maxBytes) throw tooLarge();
    if (bytesRead === 0 || (filled === status.size && filled > 0)) return buffer.subarray(0, filled);
    if (filled === buffer.length) buffer = Buffer.concat([buffer], Math.min(buffer.length * 2 + 4_096, maxBytes + 1));
  }
}

/** The file as an image or a PDF, if its first bytes say that it is one; `undefined` for a text that begins like one. */
function shownFile(bytes: Buffer, path: string): Attachment | undefined {
  const mediaType = mediaTypeOfBytes(bytes);
  if (mediaType === undefined) return undefined;
  const type = mediaType.startsWith("image/") ? "image" : "file";
  const read = readAttachment({ type, mediaType, data: bytes.toString("base64"), filename: basename(path) });
  if (read.ok) return typeof read.value === "string" ? undefined : read.value;
  if (isUtf8(bytes) && !bytes.includes(0)) return undefined;
  throw fileError("The file can't be shown", path, read.error);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeText(bytes: Buffer, path: string): string {
  try {
    if (!bytes.includes(0)) return utf8.decode(bytes);
  } catch (error) {
    throw notText(path, error);
  }
  throw notText(path);
}

const notText = (path: string, cause?: unknown): Error =>
  fileError("Not a text file", path, "It is binary, or not UTF-8. Use a file that holds text, an image or a PDF, or tell the user.", cause);
