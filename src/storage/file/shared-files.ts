import { mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { orUndefined, readText, replaceFile, syncDirectory } from "./durable-files.js";
import { Turns } from "./turns.js";

const dataName = "data";

/**
 * Images and files that several runs have. Each is stored once, in a folder named by its digest, beside an empty file for each run that
 * has it. The last run that is removed takes the folder with it.
 */
export class SharedFiles {
  readonly #path: string;
  /** Adding to a folder and removing it take turns. */
  readonly #turns = new Turns();

  constructor(path: string) {
    this.#path = path;
  }

  read(digest: string): Promise<string | undefined> {
    return readText(join(this.#path, digest, dataName));
  }

  /** `owner`: a file name for the run. */
  async add(owner: string, files: ReadonlyMap<string, string>): Promise<void> {
    for (const [digest, data] of files) await this.#turns.take(digest, () => this.#addOne(owner, digest, data));
  }

  /** Removes the files that no other run has. */
  async remove(owner: string, digests: readonly string[]): Promise<void> {
    for (const digest of digests) await this.#turns.take(digest, () => this.#removeOne(owner, digest));
  }

  /** The digests of all files. */
  async digests(): Promise<readonly string[]> {
    return (await orUndefined(readdir(this.#path))) ?? [];
  }

  async #addOne(owner: string, digest: string, data: string): Promise<void> {
    const folder = join(this.#path, digest);
    const names = await orUndefined(readdir(folder));
    if (names === undefined) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      for (const directory of [this.#path, dirname(this.#path)]) await syncDirectory(directory);
    }
    if (names?.includes(owner) !== true) await replaceFile(join(folder, owner), "");
    if (names?.includes(dataName) !== true) await replaceFile(join(folder, dataName), data);
  }

  async #removeOne(owner: string, digest: string): Promise<void> {
    const folder = join(this.#path, digest);
    await rm(join(folder, owner), { force: true });
    const names = (await orUndefined(readdir(folder))) ?? [];
    if (names.every((name) => name === dataName)) await rm(folder, { recursive: true, force: true });
  }
}
