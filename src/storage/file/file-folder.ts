import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { orUndefined, readText, replaceFile } from "./durable-files.js";

/** The images and files of one conversation, each in a file of its own that has the name of its digest. */
export class FileFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(digest: string): Promise<string | undefined> {
    return readText(join(this.#path, digest));
  }

  /** Writes those that aren't there yet. */
  async add(files: ReadonlyMap<string, string>): Promise<void> {
    if (files.size === 0) return;
    await mkdir(this.#path, { recursive: true, mode: 0o700 });
    const known = new Set(await this.#names());
    for (const [digest, data] of files) if (!known.has(digest)) await replaceFile(join(this.#path, digest), data);
  }

  /** Removes those that the conversation doesn't have any more, and what a writer that was killed has left. */
  async keepOnly(files: ReadonlyMap<string, string>): Promise<void> {
    const others = (await this.#names()).filter((name) => !files.has(name));
    for (const name of others) await rm(join(this.#path, name), { force: true });
  }

  async remove(): Promise<void> {
    await rm(this.#path, { recursive: true, force: true });
  }

  async #names(): Promise<readonly string[]> {
    return (await orUndefined(readdir(this.#path))) ?? [];
  }
}
