/** Something that ends when its run is cancelled. */
export interface Cancellable {
  cancel(reason: unknown): void;
}

/**
 * One listener on a run's signal for all that waits on it: Node warns of a leak from the eleventh listener on,
 * and one run may make a hundred calls at once. The listener is there only while something waits.
 */
class SignalWatch {
  readonly #signal: AbortSignal;
  readonly #waiting = new Set<Cancellable>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  add(waiting: Cancellable): void {
    if (this.#waiting.size === 0) this.#signal.addEventListener("abort", this);
    this.#waiting.add(waiting);
  }

  remove(waiting: Cancellable): void {
    if (this.#waiting.delete(waiting) && this.#waiting.size === 0) this.#signal.removeEventListener("abort", this);
  }

  handleEvent(): void {
    for (const waiting of [...this.#waiting]) waiting.cancel(this.#signal.reason);
  }
}

const watches = new WeakMap<AbortSignal, SignalWatch>();

/** The watch over a signal, shared by all runs that have it. */
export function watchOf(signal: AbortSignal): SignalWatch {
  let watch = watches.get(signal);
  if (watch === undefined) watches.set(signal, (watch = new SignalWatch(signal)));
  return watch;
}
