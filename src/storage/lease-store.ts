/** The right to carry on one run, or one conversation, for a time. */
export interface Lease {
  /** What it is for. */
  readonly key: string;
  /** Who holds it. */
  readonly owner: string;
  /**
   * Higher than that of every earlier lease of this key. A journal compares it with each write, in the same transaction: what a holder
   * writes after somebody else took over is rejected.
   */
  readonly fence: number;
  /** When it ends unless it is renewed, by the store's clock: ISO 8601. */
  readonly expiresAt: string;
}

/** Who gets a lease if several ask. All times are by the store's clock, so that the clocks of workers don't matter. */
export interface LeaseStore {
  /**
   * Returns a new lease if the key is free or the holder's lease has expired; otherwise returns the lease of the holder, whose `owner`
   * differs.
   * Each call needs an `owner` of its own. `duration`: milliseconds.
   */
  acquire(key: string, owner: string, duration: number): Lease | Promise<Lease>;
  /**
   * Extends the lease from now on; `undefined` if it was given back or somebody else took over. A lease that expired a short time ago is
   * extended, unless another holder took it over.
   */
  renew(lease: Lease, duration: number): Lease | undefined | Promise<Lease | undefined>;
  /** Gives the lease back: it can't be renewed, and nothing can be written with it. Does nothing if somebody else took over. */
  release(lease: Lease): void | Promise<void>;
}

/** Somebody else holds the lease: the run, or the conversation, is carried on elsewhere. See docs/errors.md. */
export class LeaseHeldError extends Error {
  override readonly name = "LeaseHeldError";
  /** What the lease is for. */
  readonly key: string;
  /** When it can be taken over unless its holder renews it: ISO 8601. */
  readonly expiresAt: string;

  constructor({ key, expiresAt }: Pick<Lease, "key" | "expiresAt">, what = `"${key}"`) {
    super(
      `${what} is in use by another process or request until ${expiresAt}, or longer if that renews its lease. Wait for it to end, or try again later.`,
    );
    this.key = key;
    this.expiresAt = expiresAt;
  }
}

/** The lease was lost: it expired, and somebody else took over. What was to be written was rejected. See docs/errors.md. */
export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
  /** What the lease is for. */
  readonly key: string;

  constructor(key: string, options?: { readonly cause?: unknown }) {
    super(`The lease of "${key}" was lost: another process took over, and what this one writes is rejected. Stop working on it.`, options);
    this.key = key;
  }
}
