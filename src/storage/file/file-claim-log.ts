import { join } from "node:path";
import { claimGrace, type DecisionClaims } from "../decision-claims.js";
import { StorageError } from "../storage-errors.js";
import type { DirectoryLock } from "./directory-lock.js";
import { orUndefined, replaceFile } from "./durable-files.js";
import { LineFile } from "./line-file.js";
import { Turns } from "./turns.js";

interface Claim {
  readonly ids: readonly string[];
  readonly expiresAt: string;
}

/** Used decisions in one file: a line for each claim, so that all of its ids are claimed or none. Expired ones are removed. */
export class FileClaimLog implements DecisionClaims {
  readonly #path: string;
  readonly #lock: DirectoryLock;
  readonly #turns = new Turns();
  /** When each id expires. */
  readonly #claimed = new Map<string, number>();
  #file: LineFile;
  #lines = 0;

  private constructor(path: string, lock: DirectoryLock, file: LineFile) {
    this.#path = path;
    this.#lock = lock;
    this.#file = file;
  }

  static async open(directory: string, lock: DirectoryLock): Promise<FileClaimLog> {
    const path = join(directory, "claims.jsonl");
    const opened = await orUndefined(LineFile.open(path));
    const log = new FileClaimLog(path, lock, opened?.file ?? LineFile.create(path));
    for (const line of await log.#file.lines()) log.#remember(claimIn(line, path, ++log.#lines));
    await log.#removeExpired();
    return log;
  }

  claim(ids: readonly string[], expiresAt: string): Promise<boolean> {
    return this.#turns.take("claims", async () => {
      if (ids.some((id) => this.#claimed.has(id))) return false;
      await this.#lock.check();
      if (this.#lines >= 2 * this.#claimed.size + 1_000) await this.#removeExpired();
      const claim: Claim = { ids, expiresAt };
      await this.#file.append(JSON.stringify(claim));
      this.#lines++;
      this.#remember(claim);
      return true;
    });
  }

  has(id: string): boolean {
    return this.#claimed.has(id);
  }

  idle(): Promise<void> {
    return this.#turns.idle();
  }

  #remember({ ids, expiresAt }: Claim): void {
    const expiry = Date.parse(expiresAt);
    for (const id of ids) this.#claimed.set(id, expiry);
  }

  async #removeExpired(): Promise<void> {
    const limit = Date.now() - claimGrace;
    const expired = [...this.#claimed].filter(([, expiry]) => expiry < limit);
    if (expired.length === 0) return;
    for (const [id] of expired) this.#claimed.delete(id);
    const lines = [...this.#claimed].map(([id, expiry]) => JSON.stringify({ ids: [id], expiresAt: isoOf(expiry) }));
    await replaceFile(this.#path, lines.map((line) => `${line}\n`).join(""));
    this.#file = (await LineFile.open(this.#path)).file;
    this.#lines = lines.length;
  }
}

/** A claim without a readable expiry is kept for ever. */
const isoOf = (expiry: number): string => (Number.isNaN(expiry) ? "" : new Date(expiry).toISOString());

function claimIn(line: string, path: string, number: number): Claim {
  try {
    const claim = JSON.parse(line) as Claim;
    if (Array.isArray(claim.ids)) return claim;
  } catch {
    // Below.
  }
  throw new StorageError(
    "broken",
    `${path}, line ${number}: damaged. It was left as it is. Restore the file, or remove the line: its decision could then be used twice.`,
  );
}
