/** Milliseconds. */
const firstDelay = 1_000;
const longestDelay = 60_000;

/**
 * The pause after a failure of a server: none after the first, then a second, and twice as long after each further failure. A call that
 * works resets it.
 */
export class Backoff {
  readonly #now: () => number;
  #failures = 0;
  #readyAt = 0;

  /** `now` gives milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** In a row. */
  get failures(): number {
    return this.#failures;
  }

  /** Milliseconds until the next try. */
  get remaining(): number {
    return Math.max(0, this.#readyAt - this.#now());
  }

  failed(): void {
    this.#failures += 1;
    const delay = this.#failures === 1 ? 0 : Math.min(longestDelay, firstDelay * 2 ** (this.#failures - 2));
    this.#readyAt = this.#now() + delay;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#readyAt = 0;
  }
}
