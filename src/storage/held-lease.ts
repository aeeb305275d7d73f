import { randomUuid } from "../platform/index.js";
import { loggedError, warnProcess } from "../redaction/internal.js";
import { type Lease, LeaseHeldError, LeaseLostError } from "./lease-store.js";
import type { Storage } from "./storage.js";

/** Milliseconds after which a lease that isn't renewed can be taken over. */
export const leaseDurationOf = ({ leaseDuration = 30_000 }: Pick<Storage, "leaseDuration">): number => leaseDuration;

/** A lease that is renewed until it is released. */
export class HeldLease {
  readonly #leases: Storage["leases"];
  readonly #duration: number;
  readonly #loss = new AbortController();
  #lease: Lease;
  #isReleased = false;
  #timer: NodeJS.Timeout;
  /** When the lease ends by the clock of this process, which only measures the time since the last renewal. */
  #end: number;

  /** Throws `LeaseHeldError` if somebody else holds the lease. `what` names its object in the error: `The run "42"`. */
  static async acquire(source: LeaseSource, key: string, what: string): Promise<HeldLease> {
    const { leases } = source;
    const leaseDuration = leaseDurationOf(source);
    const owner = randomUuid();
    const asked = performance.now();
    const lease = await leases.acquire(key, owner, leaseDuration);
    if (lease.owner !== owner) throw new LeaseHeldError(lease, what);
    return new HeldLease(leases, lease, leaseDuration, asked + leaseDuration);
  }

  private constructor(leases: Storage["leases"], lease: Lease, duration: number, end: number) {
    this.#leases = leases;
    this.#lease = lease;
    this.#duration = duration;
    this.#end = end;
    this.#timer = this.#later();
  }

  get lease(): Lease {
    return this.#lease;
  }

  /** Aborted by a `LeaseLostError` once somebody else may have taken over. */
  get lost(): AbortSignal {
    return this.#loss.signal;
  }

  /** What failed shows that the lease was lost. */
  lose(error: LeaseLostError): void {
    this.#loss.abort(error);
    clearTimeout(this.#timer);
  }

  /** Gives the lease back. If the store fails, it warns instead of throwing: what was done under the lease is done. */
  async release(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isReleased = true;
    if (this.lost.aborted) return;
    const { key, expiresAt } = this.#lease;
    try {
      await this.#leases.release(this.#lease);
    } catch (error) {
      warnProcess(`The lease of "${key}" couldn't be given back, and ends by itself at ${expiresAt}: ${loggedError(error)}`);
    }
  }

  get #isOver(): boolean {
    return this.#isReleased || this.lost.aborted;
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => void this.#renew(), this.#duration / 3).unref();
  }

  async #renew(): Promise<void> {
    const asked = performance.now();
    let error: unknown;
    try {
      const renewed = await this.#leases.renew(this.#lease, this.#duration);
      if (this.#isOver) return;
      if (renewed === undefined) return this.lose(new LeaseLostError(this.#lease.key));
      this.#lease = renewed;
      this.#end = asked + this.#duration;
    } catch (thrown) {
      error = thrown;
    }
    if (this.#isOver) return;
    // A store that is away for a moment may answer the next time.
    if (performance.now() < this.#end) this.#timer = this.#later();
    else this.lose(new LeaseLostError(this.#lease.key, { cause: error }));
  }
}

/** Takes the lease of a key from its holder, and frees it: what the holder still writes is rejected. */
export async function seizeLease(source: LeaseSource, key: string): Promise<void> {
  const { leases } = source;
  await leases.release(await leases.acquire(key, randomUuid(), leaseDurationOf(source)));
}

type LeaseSource = Pick<Storage, "leases" | "leaseDuration">;
