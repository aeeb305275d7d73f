import type { Lease, LeaseStore } from "./lease-store.js";

/** Leases within this process. Its clock is `performance.now()`, which no user can set back. */
export class MemoryLeaseStore implements LeaseStore {
  readonly #leases = new Map<string, { readonly lease: Lease; readonly until: number }>();
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
    if (this.isNewest(lease)) this.#leases.delete(lease.key);
  }

  /** The lease that hasn't expired. */
  holderOf(key: string): Lease | undefined {
    const given = this.#leases.get(key);
    return given !== undefined && given.until > performance.now() ? given.lease : undefined;
  }

  /** Whether no later lease of the key was given. */
  isNewest({ key, fence }: Pick<Lease, "key" | "fence">): boolean {
    return this.#leases.get(key)?.lease.fence === fence;
  }

  #keep({ key, owner, fence }: Omit<Lease, "expiresAt">, duration: number): Lease {
    const lease = { key, owner, fence, expiresAt: new Date(Date.now() + duration).toISOString() };
    this.#leases.set(key, { lease, until: performance.now() + duration });
    return lease;
  }

  /** A fence without a holder rejects like a higher one. */
  #sweep(): void {
    const now = performance.now();
    for (const [key, { until }] of this.#leases) if (until <= now) this.#leases.delete(key);
    this.#nextSweep = this.#leases.size * 2 + 1_000;
  }
}
