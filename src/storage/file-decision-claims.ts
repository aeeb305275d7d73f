import { access, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { claimGrace, type DecisionClaims } from "./decision-claims.js";
import { explainedWrite, orUndefined } from "./file/durable-files.js";

const extension = ".decided";

/**
 * Records decisions in a directory that several processes share, as one file each. The directory is created if necessary. The files of
 * expired decisions are removed a day later. See docs/04-confirmation.md.
 */
export class FileDecisionClaims implements DecisionClaims {
  readonly #directory: string;
  #nextSweep = 0;
  #claims = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Claims all of these ids, or none. */
  async claim(ids: readonly string[], expiresAt?: string): Promise<boolean> {
    const made: string[] = [];
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    if (this.#claims++ >= this.#nextSweep) await this.#removeExpired();
    try {
      for (const id of ids) {
        const path = this.#pathOf(id);
        const file = await open(path, "wx");
        made.push(path);
        await file.writeFile(expiresAt ?? "").finally(() => file.close());
      }
      return true;
    } catch (error) {
      await Promise.all(made.map((path) => rm(path, { force: true })));
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw explainedWrite(error, this.#directory);
    }
  }

  async has(id: string): Promise<boolean> {
    // In a directory that can't be read nothing can be claimed either: `claim` says why.
    return access(this.#pathOf(id)).then(
      () => true,
      () => false,
    );
  }

  async #removeExpired(): Promise<void> {
    const names = (await readdir(this.#directory)).filter((name) => name.endsWith(extension));
    this.#nextSweep = this.#claims + names.length + 1_000;
    const limit = Date.now() - claimGrace;
    for (const name of names) {
      const path = join(this.#directory, name);
      // Most are younger, and needn't be read.
      if (((await orUndefined(stat(path)))?.mtimeMs ?? limit) >= limit) continue;
      const expiry = Date.parse((await orUndefined(readFile(path, "utf8"))) ?? "");
      if (expiry < limit) await rm(path, { force: true });
    }
  }

  #pathOf(id: string): string {
    if (/^[0-9a-f]{64}$/.test(id)) return join(this.#directory, `${id}${extension}`);
    throw new TypeError(`"${id}" isn't the id of a decision.`);
  }
}
