import type { Lease, LeaseStore } from "./lease-store.js";

/** Leases within this process. */
export class MemoryLeaseStore implements LeaseStore {
  readonly #leases = new Map<string, Lease & { readonly until: number }>();
  #fence = 0;
  #nextSweep = 1_000;

  acquire(key: string, owner: string, duration: number): Lease {
    const held = this.holderOf(key);
    if (held !== undefined) return held;
    if (this.#leases.size >= this.#nextSweep) this.#sweep();
    return this.#keep({ key, owner, fence: ++this.#fence }, duration);
  }

  renew(lease: Lease, duration: number): Lease | undefined {
    return this.isNewest(lease) ? this.#keep(lease, duration) : undefined;
  }

  release(lease: Lease): void {
    // It is kept for its fence: what its holder may still write is no longer rejected only after somebody else has taken over.
    if (this.isNewest(lease)) this.#keep(lease, 0);
  }

  /** The lease that hasn't expired. */
  holderOf(key: string): Lease | undefined {
    const lease = this.#leases.get(key);
    return lease !== undefined && lease.until > Date.now() ? lease : undefined;
  }

  /** Whether no later lease of the key was given. */
  isNewest({ key, fence }: Lease): boolean {
    return this.#leases.get(key)?.fence === fence;
  }

  #keep({ key, owner, fence }: Omit<Lease, "expiresAt">, duration: number): Lease {
    const until = Date.now() + duration;
    const lease = { key, owner, fence, expiresAt: new Date(until).toISOString(), until };
    this.#leases.set(key, lease);
    return lease;
  }

  /** A fence that nobody holds rejects like a higher one. */
  #sweep(): void {
    const now = Date.now();
    for (const [key, { until }] of this.#leases) if (until <= now) this.#leases.delete(key);
    this.#nextSweep = this.#leases.size * 2 + 1_000;
  }
}
