import { WaitingLine } from "./waiting-line.js";

/** How many may begin in any period of so many milliseconds. */
export interface Rate {
  readonly calls: number;
  readonly period: number;
}

/** What began lately, of one key. */
class RateWindow {
  readonly line = new WaitingLine();
  readonly #rate: Rate;
  /** By `performance.now()`. */
  readonly #begun: number[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(rate: Rate) {
    this.#rate = rate;
  }

  /** Milliseconds until one more may begin. */
  wait(): number {
    const now = performance.now();
    const { calls, period } = this.#rate;
    while (this.#begun[0] !== undefined && this.#begun[0] + period <= now) this.#begun.shift();
    const oldest = this.#begun[this.#begun.length - calls];
    return oldest === undefined ? 0 : oldest + period - now;
  }

  /** Whether nothing of it must be remembered. */
  get isIdle(): boolean {
    return this.line.isEmpty && this.wait() === 0 && this.#begun.length === 0;
  }

  begin(): void {
    this.#begun.push(performance.now());
  }

  stand(signal: AbortSignal | undefined): Promise<boolean> {
    const admitted = this.line.stand(signal, () => this.#look());
    this.#look();
    return admitted;
  }

  /** Lets go on who may, and looks again when the next one may. */
  #look(): void {
    clearTimeout(this.#timer);
    while (!this.line.isEmpty) {
      const wait = this.wait();
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#look(), Math.ceil(wait));
        return;
      }
      this.begin();
      this.line.next();
    }
  }
}

/** Counts what begins in this process, by key: so many in any period. What is over the limit waits in order. */
export class RateWindows {
  readonly #windows = new Map<string, RateWindow>();
  /** How many keys there are when the idle ones are forgotten. */
  #forgetAt = leastKeys;

  /** Milliseconds until one more of the key may begin, if none waits. */
  waitOf(key: string): number {
    return this.#windows.get(key)?.wait() ?? 0;
  }

  /** Begins one more of the key, once it may. `false` if the signal is aborted first: then none has begun. One key has one rate. */
  begin(key: string, rate: Rate, signal: AbortSignal | undefined): boolean | Promise<boolean> {
    let window = this.#windows.get(key);
    if (window === undefined) {
      this.#forgetIdle();
      window = new RateWindow(rate);
      this.#windows.set(key, window);
    }
    if (!window.line.isEmpty || window.wait() > 0) return window.stand(signal);
    window.begin();
    return true;
  }

  #forgetIdle(): void {
    if (this.#windows.size < this.#forgetAt) return;
    for (const [key, window] of this.#windows) if (window.isIdle) this.#windows.delete(key);
    this.#forgetAt = Math.max(leastKeys, 2 * this.#windows.size);
  }
}

/** Fewer keys aren't worth a look. */
const leastKeys = 1_000;
