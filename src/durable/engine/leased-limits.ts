import type { Rate, SharedLimits } from "../../execution/internal.js";
import { randomUuid } from "../../platform/index.js";
import { LeaseHeldError, type Lease, type Storage } from "../../storage/index.js";
import { HeldLease } from "../../storage/internal.js";

/** The limits of tool calls that all workers of a storage share. Each place of a limit is a lease, so that those of a worker that dies become free. */
export class LeasedLimits implements SharedLimits {
  readonly #storage: Storage;
  /** The places that calls of this process hold, with the end of those that are given back now: the storage needn't be asked for them. */
  readonly #held = new Map<string, Promise<void> | undefined>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  async takePlace(limit: string, most: number): Promise<(() => void) | undefined> {
    for (const key of keysOf("place", limit, most)) {
      if (this.#held.has(key)) {
        const end = this.#held.get(key);
        if (end === undefined) continue;
        await end;
        if (this.#held.has(key)) continue;
      }
      this.#held.set(key, undefined);
      try {
        const lease = await HeldLease.acquire(this.#storage, key, key);
        return () => {
          const end = lease.release().then(() => void this.#held.delete(key));
          this.#held.set(key, end);
        };
      } catch (error) {
        this.#held.delete(key);
        if (!(error instanceof LeaseHeldError)) throw error;
      }
    }
    return undefined;
  }

  async begin(limit: string, { calls, period }: Rate): Promise<number> {
    const { leases } = this.#storage;
    let wait = period;
    for (const key of keysOf("rate", limit, calls)) {
      const owner = randomUuid();
      const lease = await leases.acquire(key, owner, period);
      if (lease.owner === owner) {
        this.#forget(lease, period);
        return 0;
      }
      wait = Math.min(wait, Math.max(1, Date.parse(lease.expiresAt) - Date.now()));
    }
    return wait;
  }

  /** A lease that has ended is of no use, and would stay in the storage. */
  #forget(lease: Lease, period: number): void {
    setTimeout(() => {
      Promise.resolve(this.#storage.leases.release(lease)).catch(() => undefined);
    }, period).unref();
  }
}

/** The keys of the places, from any of them on: those that look at the same time don't all ask for the first. */
function* keysOf(kind: string, limit: string, count: number): Generator<string> {
  const first = Math.floor(Math.random() * count);
  for (let index = 0; index < count; index += 1) yield `${kind} ${(first + index) % count} of ${limit}`;
}
