import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import * as fileSystem from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { explain, fileError, systemCode } from "./file-error.js";
import { carefully, type FileRoot, type OpenFolder } from "./file-root.js";
import { isProtected } from "./path-rules.js";
import { unlessAborted } from "./unless-aborted.js";

/** Each is held open until the file is written. */
const mostNewFolders = 50;

/** Writes a file of the root, wholly or not at all, and makes the folders on the way to it. */
export async function writeWhole(root: FileRoot, path: string, bytes: Buffer, signal: AbortSignal): Promise<void> {
  if (/[\\/]$/.test(path)) throw fileError("Path of a directory", path, "Add the name of the file.");
  const { existing, missing } = await root.locate(path, signal);
  if (root.isTop(existing) && missing.length === 0) throw explain("EISDIR", path);
  refuseProtected(root, join(existing, ...missing), path);
  if (missing.length > mostNewFolders + 1) {
    throw fileError("Too many new directories", path, `A write makes at most ${mostNewFolders}. Use a shorter path.`);
  }
  const made: string[] = [];
  const folders = [await root.openFolder(missing.length === 0 ? dirname(existing) : existing, path, signal)];
  try {
    // A link may have replaced the folder since it was located: the real path of the open folder counts.
    const refuseIn = async (folder: OpenFolder, name: string) => refuseProtected(root, join(await folder.realPath(), name), path);
    for (const name of missing.slice(0, -1)) {
      const folder = lastOf(folders);
      const place = join(folder.path, name);
      await refuseIn(folder, name);
      if (await makeFolder(place, signal)) made.push(place);
      folders.push(await root.openFolder(place, path, signal));
    }
    const folder = lastOf(folders);
    const name = missing.at(-1) ?? basename(existing);
    await replace(folder.path, name, path, bytes, signal, () => refuseIn(folder, name));
  } catch (error) {
    for (const place of made.reverse()) await fileSystem.rmdir(place).catch(() => undefined);
    throw error;
  } finally {
    for (const folder of folders) await folder.close();
  }
}

function refuseProtected(root: FileRoot, place: string, path: string): void {
  if (!isProtected(root.below(place))) return;
  throw fileError("Permission denied", path, "Files in .git and files named .env are never written. Ask the user to change them.");
}

const lastOf = (folders: readonly OpenFolder[]): OpenFolder => folders[folders.length - 1] as OpenFolder;

/** Returns `false` if another call has made it meanwhile. */
async function makeFolder(place: string, signal: AbortSignal): Promise<boolean> {
  try {
    await unlessAborted(signal, fileSystem).mkdir(place);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * The new text is written to a second file, which then takes the name. Readers see the old text or the new one. A full disk or a cancelled
 * call leaves the old one. The write never goes through a link or a second name of the same file.
 */
async function replace(
  folder: string,
  name: string,
  path: string,
  bytes: Buffer,
  signal: AbortSignal,
  check: () => Promise<void>,
): Promise<void> {
  await check();
  const target = join(folder, name);
  const before = await statusBefore(target, signal);
  if (before?.isFile() === false) throw explain("ENXIO", path);
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  const handle = await unlessAborted(signal, fileSystem).open(temporary, "wx");
  try {
    try {
      await unlessAborted(signal, handle).writeFile(bytes);
      if (before !== undefined) await unlessAborted(signal, handle).chmod(before.mode & 0o777);
      await unlessAborted(signal, handle).sync();
    } finally {
      await handle.close();
    }
    await check();
    await unlessAborted(signal, fileSystem).rename(temporary, target);
  } catch (error) {
    await fileSystem.unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/**
 * The file that will be replaced, if there is one. It is opened, although its content isn't needed: replacing a name asks no
 * permission of the file itself, and a file that may not be changed must keep what it holds. A directory, a link or a pipe is refused here.
 */
async function statusBefore(target: string, signal: AbortSignal): Promise<Stats | undefined> {
  try {
    const handle = await unlessAborted(signal, fileSystem).open(target, constants.O_WRONLY | carefully);
    try {
      return await unlessAborted(signal, handle).stat();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
