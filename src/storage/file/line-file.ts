import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { explainedWrite, syncDirectory } from "./durable-files.js";

const newline = 0x0a;
const tailBytes = 65_536;

/**
 * A file of lines that only grows. A line that was appended survives a crash. What a crash or a full disk leaves of a line isn't a line:
 * the next append overwrites it.
 */
export class LineFile {
  path: string;
  /** Bytes of its lines; `undefined` if there is no file yet. */
  #size: number | undefined;
  /** Whether there may be bytes after the last line. */
  #hasRest: boolean;

  private constructor(path: string, size: number | undefined) {
    this.path = path;
    this.#size = size;
    this.#hasRest = size !== undefined;
  }

  /** A file that doesn't exist yet, or whose content doesn't matter. */
  static create(path: string): LineFile {
    return new LineFile(path, undefined);
  }

  /** Opens a file, and reads its last line alone: `undefined` if it has none. Rejects if there is no file. */
  static async open(path: string): Promise<{ readonly file: LineFile; readonly lastLine: string | undefined }> {
    const handle = await open(path, "r");
    try {
      const { end, line } = await lastLineOf(handle);
      return { file: new LineFile(path, end), lastLine: line };
    } finally {
      await handle.close();
    }
  }

  /** Adds a line, which holds no line break. If it rejects, the line isn't part of the file. */
  async append(line: string): Promise<void> {
    const isNew = this.#size === undefined;
    const size = this.#size ?? 0;
    const bytes = Buffer.from(`${line}\n`);
    try {
      const handle = await open(this.path, isNew ? "w" : constants.O_WRONLY, 0o600);
      try {
        if (this.#hasRest) await handle.truncate(size);
        this.#hasRest = true;
        await writeAll(handle, bytes, size);
        await handle.datasync();
      } finally {
        await handle.close();
      }
      if (isNew) await syncDirectory(dirname(this.path));
    } catch (error) {
      if (isNew) await rm(this.path, { force: true });
      throw explainedWrite(error, this.path);
    }
    this.#size = size + bytes.length;
    this.#hasRest = false;
  }

  /** All lines. */
  async lines(): Promise<readonly string[]> {
    const size = this.#size ?? 0;
    if (size === 0) return [];
    const handle = await open(this.path, "r");
    try {
      const bytes = Buffer.alloc(size);
      const text = bytes.toString("utf8", 0, await readAll(handle, bytes, 0));
      return text.split("\n").slice(0, -1);
    } finally {
      await handle.close();
    }
  }
}

/** The end of the last whole line, and its text. It is looked for from the end of the file: a journal may be long. */
async function lastLineOf(handle: FileHandle): Promise<{ readonly end: number; readonly line: string | undefined }> {
  const { size } = await handle.stat();
  for (let length = tailBytes; ; length *= 2) {
    const start = Math.max(0, size - length);
    const bytes = Buffer.alloc(size - start);
    const read = bytes.subarray(0, await readAll(handle, bytes, start));
    const last = read.lastIndexOf(newline);
    const before = last <= 0 ? -1 : read.lastIndexOf(newline, last - 1);
    if (start > 0 && before === -1) continue;
    return { end: start + last + 1, line: last === -1 ? undefined : read.toString("utf8", before + 1, last) };
  }
}

/** A file system may read and write less than it was asked to. */
async function readAll(handle: FileHandle, bytes: Buffer, start: number): Promise<number> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await handle.read(bytes, done, bytes.length - done, start + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return done;
}

async function writeAll(handle: FileHandle, bytes: Buffer, start: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) done += (await handle.write(bytes, done, bytes.length - done, start + done)).bytesWritten;
}
