import { access, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { DecisionClaims } from "./decision-claims.js";

/**
 * Records decisions in a directory that several processes share, as one empty file each. The directory is created if necessary. See
 * docs/04-confirmation.md.
 */
export class FileDecisionClaims implements DecisionClaims {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Claims all of these ids, or none. */
  async claim(ids: readonly string[]): Promise<boolean> {
    const made: string[] = [];
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    try {
      for (const id of ids) {
        const path = this.#pathOf(id);
        await (await open(path, "wx")).close();
        made.push(path);
      }
      return true;
    } catch (error) {
      await Promise.all(made.map((path) => unlink(path)));
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    }
  }

  async has(id: string): Promise<boolean> {
    // In a directory that can't be read nothing can be claimed either: `claim` says why.
    return access(this.#pathOf(id)).then(
      () => true,
      () => false,
    );
  }

  #pathOf(id: string): string {
    if (/^[0-9a-f]{64}$/.test(id)) return join(this.#directory, `${id}.decided`);
    throw new TypeError(`"${id}" is no id of a decision.`);
  }
}
