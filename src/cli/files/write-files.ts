import { existsSync, lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { CommandError, UsageError } from "../exit-codes.js";
import type { Host } from "../host.js";

/** Texts by their paths in a folder. */
export type Files = Readonly<Record<string, string>>;

/**
 * Writes all files, or none: throws `UsageError` if one is there already, and takes back what it wrote if one can't be written. Ctrl-C waits
 * until it is done.
 */
export function writeFiles(folder: string, files: Files, host: Host): void {
  const paths = Object.keys(files);
  const present = paths.filter((path) => existsSync(join(folder, path)));
  if (present.length > 0) {
    throw new UsageError(`${present.join(", ")} would be written over in ${folder}. Choose an empty folder, or move what is there.`);
  }
  const written: string[] = [];
  const folders: string[] = [];
  uninterrupted(host, () => {
    try {
      for (const path of paths) {
        const file = join(folder, path);
        makeFolder(dirname(file), folders);
        written.push(file);
        writeFileSync(file, files[path] ?? "", { flag: "wx" });
      }
    } catch (error) {
      for (const file of written) rmSync(file, { force: true });
      for (const made of folders.reverse()) removeIfEmpty(made);
      throw new CommandError(`The files couldn't be written, and none is left: ${(error as Error).message}`, undefined, { cause: error });
    }
  });
}

/** Throws `UsageError` if a file can't be written because its folder isn't there: before the work whose result it gets. */
export function refuseMissingFolder(name: string, { directory }: Host): void {
  const folder = dirname(resolve(directory, name));
  if (!existsSync(folder)) throw new UsageError(`${name} can't be written: there is no folder ${folder}. Make it first.`);
}

/** Writes a file, also over one that is there, which stays as it is if the new one can't be written. */
export function writeFile(name: string, text: string, host: Host): void {
  const file = resolve(host.directory, name);
  // What isn't a plain file, such as /dev/stdout or a link, must stay what it is.
  const isReplaced = !existsSync(file) || lstatSync(file).isFile();
  const part = isReplaced ? `${file}.part` : file;
  uninterrupted(host, () => {
    try {
      writeFileSync(part, text);
      if (isReplaced) renameSync(part, file);
    } catch (error) {
      if (isReplaced) rmSync(part, { force: true });
      throw new CommandError(`${name} can't be written: ${(error as Error).message}`, undefined, { cause: error });
    }
  });
}

/** Work that doesn't give up the thread is done before a signal is looked at. Without a listener, a signal ends the process at once. */
function uninterrupted(host: Host, work: () => void): void {
  const restore = host.onInterrupt(() => undefined);
  try {
    work();
  } finally {
    restore();
  }
}

/** Makes a folder and those above it, and adds those that were missing to `made`, the outermost first. */
function makeFolder(folder: string, made: string[]): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder), made);
  mkdirSync(folder);
  made.push(folder);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Someone else has put something there.
  }
}
