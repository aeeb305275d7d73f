import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sha256 } from "../../platform/index.js";
import { StorageError } from "../storage-errors.js";

/**
 * A file name for an id. The hash makes it: ids are untrusted, may be long, differ only by case or by characters that a file system
 * treats as equal. The words are for people who look into the directory.
 */
export function fileNameOf(id: string, extension: string): string {
  // JSON text keeps lone surrogates apart, which UTF-8 would all write alike.
  const hash = sha256(JSON.stringify(id));
  const words = id
    .slice(0, 40)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return `${words}-${hash}${extension}`;
}

/** The text of a file, or `undefined` if there is none. */
export async function readText(file: string): Promise<string | undefined> {
  return orUndefined(readFile(file, "utf8"));
}

/** What the promise gives, or `undefined` if the file or directory doesn't exist. */
export async function orUndefined<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Replaces a file as a whole. It and its name survive a crash once this returns. Readable for the owner of the process alone. */
export async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { mode: 0o600, flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw explainedWrite(error, file);
  }
  await syncDirectory(dirname(file));
}

const noSpace: ReadonlySet<string | undefined> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/** The error of a write for which there was no space, with the file and what to do; any other as it is. */
export function explainedWrite(error: unknown, file: string): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (!noSpace.has(code)) return error;
  return new StorageError(
    "unavailable",
    `${file} can't be written: ${message}. Nothing was stored. Free some space, then repeat the call.`,
    {
      cause: error,
    },
  );
}

/** Makes names in a directory survive a crash. Windows can't open a directory, and doesn't need it. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Removes the temporary files of writers that were killed: they hold private texts. `age`: only files that are older, in milliseconds. */
export async function removeLeftovers(directory: string, age = 0): Promise<void> {
  const names = (await orUndefined(readdir(directory))) ?? [];
  const leftovers = names.filter((name) => name.endsWith(".tmp")).map((name) => join(directory, name));
  for (const file of leftovers) {
    const written = age === 0 ? 0 : ((await orUndefined(stat(file)))?.mtimeMs ?? 0);
    if (written <= Date.now() - age) await rm(file, { force: true });
  }
}
