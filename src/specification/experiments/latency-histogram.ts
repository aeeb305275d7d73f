/** Neighbouring buckets differ by this factor: what is read back is within one percent of what was measured. */
const growth = 1.02;
const logOfGrowth = Math.log(growth);

/** Durations below a microsecond are one. */
const least = 0.001;

/** Durations, counted in buckets of equal relative width: their number of kinds is bounded, however many are added. */
export class LatencyHistogram {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Milliseconds. */
  add(duration: number): void {
    const bucket = Math.round(Math.log(Math.max(duration, least)) / logOfGrowth);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
  }

  /** The least duration, in milliseconds, that so large a share of all don't exceed. `share`: above 0, up to 1. */
  percentile(share: number): number {
    let missing = Math.ceil(share * this.#count);
    for (const bucket of [...this.#buckets.keys()].sort((left, right) => left - right)) {
      missing -= this.#buckets.get(bucket) ?? 0;
      if (missing <= 0) return growth ** bucket;
    }
    return Number.NaN;
  }
}
