import type { StoredEvent } from "../../api.js";

/** The times of a run's events since its first one: in milliseconds, or in the order of the record if that has no times. */
export class RunClock {
  #origin: number | undefined;
  #count = 0;
  #latest = 0;

  get isTimed(): boolean {
    return this.#count === 0 || this.#origin !== undefined;
  }

  /** What isn't recorded happened after what was. */
  timesOf({ at, startedAt }: StoredEvent): readonly [at: number, startedAt: number | undefined] {
    this.#count += 1;
    if (this.#count === 1) this.#origin = at;
    const origin = this.#origin;
    if (origin === undefined) return [this.#count, undefined];
    this.#latest = Math.max(this.#latest, (at ?? 0) - origin);
    // Clocks of several processes may differ.
    return [this.#latest, startedAt === undefined ? undefined : Math.max(0, startedAt - origin)];
  }
}
