import { open } from "node:fs/promises";
import { join } from "node:path";

/**
 * Remembers which confirmations were decided, so that no decision is used twice: not by a second click, nor where a
 * stored state is resumed again. `claim` is true for the first who asks, and false ever after. Where several processes
 * may resume one run, give them one that they share (a unique key in a database, `FileDecisionClaims`).
 */
export interface DecisionClaims {
  claim(confirmationId: string, expiresAt: string): boolean | Promise<boolean>;
}

/** Holds for this process. An expired confirmation is forgotten: it can't be approved any more. */
export class MemoryDecisionClaims implements DecisionClaims {
  readonly #claimed = new Map<string, number>();
  #nextSweep = 1_000;

  claim(confirmationId: string, expiresAt: string): boolean {
    if (this.#claimed.has(confirmationId)) return false;
    this.#claimed.set(confirmationId, Date.parse(expiresAt));
    if (this.#claimed.size >= this.#nextSweep) this.#sweep();
    return true;
  }

  #sweep(): void {
    const now = Date.now();
    for (const [id, expiry] of this.#claimed) if (expiry < now) this.#claimed.delete(id);
    this.#nextSweep = this.#claimed.size * 2 + 1_000;
  }
}

/** Holds for all processes that share a directory, which must exist: one empty file for each decision. */
export class FileDecisionClaims implements DecisionClaims {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async claim(confirmationId: string): Promise<boolean> {
    if (!/^[0-9a-f]{64}$/.test(confirmationId)) throw new TypeError(`"${confirmationId}" is no id of a confirmation.`);
    try {
      await (await open(join(this.#directory, `${confirmationId}.decided`), "wx")).close();
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw error;
    }
  }
}

/** Where the application gives none. */
export const processClaims: DecisionClaims = new MemoryDecisionClaims();
