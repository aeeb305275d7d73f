import { LeaseHeldError, type Storage } from "../../storage/index.js";
import { HeldLease, leaseDurationOf } from "../../storage/internal.js";
import { RuntimeError } from "../runtime-error.js";
import { whenFree } from "../when-free.js";

/** Shows that something lives, as long as it renews a lease. */
export class SignOfLife {
  readonly #storage: Storage;
  readonly #key: string;
  readonly #what: string;
  #lease: HeldLease | undefined;

  constructor(storage: Storage, kind: "worker" | "version", name: string) {
    this.#storage = storage;
    this.#key = `${kind} ${name}`;
    this.#what = `The ${kind} "${name}"`;
  }

  /** Gives the sign, unless another process gives it. To be repeated: a process that hangs loses its lease. */
  async give(): Promise<boolean> {
    if (this.#lease !== undefined && !this.#lease.lost.aborted) return true;
    try {
      await this.claim();
      return true;
    } catch (error) {
      if (error instanceof LeaseHeldError) return false;
      throw error;
    }
  }

  /** Throws `LeaseHeldError` if another process gives the sign. */
  async claim(): Promise<void> {
    this.#lease = await HeldLease.acquire(this.#storage, this.#key, this.#what);
  }

  async end(): Promise<void> {
    await this.#lease?.release();
  }
}

/** Whether a sign of life is given, by this process or another one. */
export async function isAlive(storage: Storage, kind: "worker" | "version", name: string): Promise<boolean> {
  const sign = new SignOfLife(storage, kind, name);
  const isFree = await sign.give();
  await sign.end();
  return !isFree;
}

/** Waits for the sign of a process that has just ended. Throws `RuntimeError` if another one lives with the id. */
export async function claimWorkerId(storage: Storage, executorId: string): Promise<SignOfLife> {
  const sign = new SignOfLife(storage, "worker", executorId);
  try {
    await whenFree(() => sign.claim(), 1.5 * leaseDurationOf(storage));
    return sign;
  } catch (error) {
    if (!(error instanceof LeaseHeldError)) throw error;
    throw new RuntimeError(
      "in_use",
      `createWorker: another process works with the executorId "${executorId}". Give each process an id of its own, or leave it out.`,
    );
  }
}
