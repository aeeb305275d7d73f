import { constants, existsSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { ToolDefinitionError } from "../../tool/index.js";
import { fileCalls } from "./file-calls.js";
import { explain, fileError, outsideError, systemCode } from "./file-error.js";
import { lookAlikeKey, lookAlikeOf } from "./look-alike.js";
import { checkDepth, checkPathText } from "./path-rules.js";
import { unlessAborted } from "./unless-aborted.js";

/** The target of a path: the real path of its nearest existing ancestor, or of itself, and the names below that don't exist. */
export interface FileLocation {
  readonly existing: string;
  readonly missing: readonly string[];
}

/** A file of the root, held open. */
export interface OpenFile {
  readonly descriptor: number;
  readonly status: Stats;
}

/** A directory of the root, held open. What is opened below `path` is its own, whatever becomes of the folders above it. */
export interface OpenFolder {
  readonly path: string;
  /** The real path of the directory now. Throws a `FileError` if it is outside the root. */
  realPath(): Promise<string>;
  close(): Promise<void>;
}

/** On Linux, this folder shows the real path of each open file, and a path may begin at an open directory. */
const descriptors = "/proc/self/fd";
const seesDescriptors = process.platform === "linux" && existsSync(descriptors);

/** Linux's `O_PATH`, which Node doesn't name: opens the place, not its content, so that it needs no permission and wakes no device. */
const pathOnly = 0x200000;

/** Never follow a link in the last place, and never wait for the writer of a pipe. Windows has neither flag. */
export const carefully = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * The directory that file tools may use. A path is resolved by its text first, then by what really is on the disk, and what
 * was opened is checked once more, because a link may have replaced it meanwhile. Hard links look like
 * files.
 */
export class FileRoot {
  /** As the application gave it, for absolute paths that users write. */
  readonly #given: string;
  readonly #real: string;

  /** Throws `ToolDefinitionError` if there is no such directory, or the process may not open it. */
  constructor(path: string) {
    // An empty path would mean the directory in which the process happens to run.
    if (typeof path !== "string" || path.trim() === "") {
      throw new ToolDefinitionError(
        `rootedAt: the directory's path is ${path === "" ? "empty" : JSON.stringify(path)}. Is its setting missing?`,
      );
    }
    this.#given = resolve(path);
    try {
      this.#real = realpathSync.native(this.#given);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const isMissing = code === "ENOENT" || code === "ENOTDIR";
      throw new ToolDefinitionError(
        isMissing
          ? `rootedAt: there is no directory ${this.#given}. Make it before its tools.`
          : `rootedAt: ${this.#given} can't be opened: ${message}. Let this process's user read it and all directories above it.`,
        { cause: error },
      );
    }
    if (!statSync(this.#real).isDirectory()) {
      throw new ToolDefinitionError(`rootedAt: ${this.#given} is a file. Give the directory that the tools may use.`);
    }
  }

  /** The path below the root by its text alone, links not looked at: `dirlink/../a.txt` is `a.txt`. */
  #place(path: string): string {
    checkPathText(path);
    // Two texts with broken characters would name one file, whose real name is this one.
    const absolute = resolve(this.#given, path.toWellFormed());
    for (const root of [this.#given, this.#real]) {
      if (!isWithin(root, absolute)) continue;
      const below = relative(root, absolute);
      checkDepth(below, path);
      return join(this.#real, below);
    }
    throw outsideError(path);
  }

  /**
   * Finds the real target of a path. A missing name leads to the existing name that looks like it, so that no twin is written
   * beside it. Throws a `FileError` for a path that leads out of the root, or nowhere, and for a name that several look like.
   */
  async locate(path: string, signal: AbortSignal): Promise<FileLocation> {
    let location = await this.#nearest(this.#place(path), path, signal);
    // Each round finds a name of the path; a name that is gone again ends the search.
    for (let rounds = location.missing.length; rounds > 0; rounds -= 1) {
      const [name = "", ...below] = location.missing;
      const alike = location.missing.length === 0 ? undefined : await this.#lookAlike(location.existing, name, path, signal);
      if (alike === undefined) return location;
      location = await this.#nearest(join(location.existing, alike, ...below), path, signal);
    }
    return location;
  }

  async #lookAlike(folder: string, name: string, path: string, signal: AbortSignal): Promise<string | undefined> {
    let open: OpenFolder;
    try {
      open = await this.openFolder(folder, path, signal);
    } catch (error) {
      // A file, or a folder that is closed to us: the code that uses the path reports it.
      if (signal.aborted) throw error;
      return undefined;
    }
    try {
      return lookAlikeOf(name, await unlessAborted(signal, fileCalls).readdir(open.path), path);
    } finally {
      await open.close();
    }
  }

  /** The target of a place in the root, by its exact name. */
  async #nearest(start: string, path: string, signal: AbortSignal): Promise<FileLocation> {
    const missing: string[] = [];
    for (let place = start; ; place = dirname(place)) {
      const existing = await this.#realPath(place, path, signal);
      if (existing !== undefined) {
        if (!isWithin(this.#real, existing)) throw outsideError(path);
        return { existing, missing };
      }
      if (place === this.#real) throw fileError("Directory is gone", path, "Tell the user that the tools' top directory was removed.");
      missing.unshift(basename(place));
    }
  }

  /** `undefined` for what doesn't exist. A link that leads to nothing exists: written to, its target would be made. */
  async #realPath(place: string, path: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      return await unlessAborted(signal, fileCalls).realpath(place);
    } catch (error) {
      if (systemCode(error) !== "ENOENT") throw error;
    }
    try {
      await unlessAborted(signal, fileCalls).lstat(place);
    } catch (error) {
      if (systemCode(error) === "ENOENT") return undefined;
      throw error;
    }
    throw explain("ELOOP", path);
  }

  /** The path of a located file below the root, for rules about names. */
  below(path: string): string {
    return relative(this.#real, path);
  }

  isTop(path: string): boolean {
    return path === this.#real;
  }

  /**
   * Opens a located file for reading, if it is still in the root, and returns its status. A pipe or a device is opened, but
   * never read here. The caller closes it.
   */
  async openFile(place: string, path: string, signal: AbortSignal): Promise<OpenFile> {
    const descriptor = await unlessAborted(signal, fileCalls).open(place, constants.O_RDONLY | carefully);
    try {
      const [holds, status] = await Promise.all([this.#holds(descriptor, place, signal), fileCalls.fstat(descriptor)]);
      if (!holds) throw outsideError(path);
      return { descriptor, status };
    } catch (error) {
      await fileCalls.close(descriptor);
      throw error;
    }
  }

  /** Opens a located directory, if it is still in the root. */
  async openFolder(place: string, path: string, signal: AbortSignal): Promise<OpenFolder> {
    const folder = await this.#hold(place, path, signal);
    try {
      await folder.realPath();
      return folder;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  async #hold(place: string, path: string, signal: AbortSignal): Promise<OpenFolder> {
    const within = (real: string): string => {
      if (!isWithin(this.#real, real)) throw outsideError(path);
      return real;
    };
    if (!seesDescriptors) {
      const realPath = async (): Promise<string> => within(await unlessAborted(signal, fileCalls).realpath(place));
      const real = await realPath();
      if (!(await unlessAborted(signal, fileCalls).lstat(real)).isDirectory()) throw explain("ENOTDIR", path);
      return { path: real, realPath, close: async () => undefined };
    }
    const descriptor = await unlessAborted(signal, fileCalls).open(place, constants.O_RDONLY | constants.O_DIRECTORY | carefully);
    const opened = `${descriptors}/${descriptor}`;
    return {
      path: opened,
      realPath: async () => within(await unlessAborted(signal, fileCalls).readlink(opened)),
      close: () => fileCalls.close(descriptor),
    };
  }

  /** Whether what was opened lies in the root: between a check and an opening, anybody may change the path. */
  async #holds(descriptor: number, place: string, signal: AbortSignal): Promise<boolean> {
    if (seesDescriptors) return isWithin(this.#real, await unlessAborted(signal, fileCalls).readlink(`${descriptors}/${descriptor}`));
    const real = await unlessAborted(signal, fileCalls).realpath(place);
    const named = await unlessAborted(signal, fileCalls).lstat(real, { bigint: true });
    const opened = await unlessAborted(signal, fileCalls).fstat(descriptor, { bigint: true });
    return isWithin(this.#real, real) && named.dev === opened.dev && named.ino === opened.ino;
  }

  /** What a link of the disk leads to, if that lies in the root; `undefined` if it doesn't, or if the link leads nowhere. */
  async statusBehind(link: string, signal: AbortSignal): Promise<Stats | undefined> {
    try {
      return await this.#statusBehind(link, signal);
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return undefined;
    }
  }

  async #statusBehind(link: string, signal: AbortSignal): Promise<Stats | undefined> {
    if (!seesDescriptors) {
      const real = await unlessAborted(signal, fileCalls).realpath(link);
      return isWithin(this.#real, real) ? await unlessAborted(signal, fileCalls).lstat(real) : undefined;
    }
    // What was opened is judged, because the link may be exchanged between two questions.
    const descriptor = await unlessAborted(signal, fileCalls).open(link, pathOnly);
    try {
      return (await this.#holds(descriptor, link, signal)) ? await unlessAborted(signal, fileCalls).fstat(descriptor) : undefined;
    } finally {
      await fileCalls.close(descriptor);
    }
  }

  /**
   * One key for all texts that name one file: dots, links, look-alikes, and the letters' case, which some file systems ignore. A path
   * that will be refused gets a key as well.
   */
  keyOf(path: string): string {
    try {
      return `file:${lookAlikeKey(canonical(this.#place(path))).toLowerCase()}`;
    } catch {
      return `file:${path}`;
    }
  }
}

/** The real path, also of what doesn't exist yet. Synchronous, because a call's place in the queue is taken at once. */
function canonical(place: string): string {
  try {
    return realpathSync.native(place);
  } catch {
    const parent = dirname(place);
    return parent === place ? place : join(canonical(parent), basename(place));
  }
}

/** `..hidden` and `...` are legal names, and `/root-evil` is not below `/root`. */
function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
