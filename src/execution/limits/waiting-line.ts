import { watchOf } from "../../tool/internal.js";

/** Those who wait for the same thing, first come first served. */
export class WaitingLine {
  readonly #waiting: (() => void)[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Waits at the end of the line. `false` if the signal is aborted first; `left` is called then. */
  stand(signal: AbortSignal | undefined, left: () => void): Promise<boolean> {
    if (signal?.aborted === true) {
      left();
      return Promise.resolve(false);
    }
    return new Promise((resolve) => {
      const watch = signal === undefined ? undefined : watchOf(signal);
      const begin = (): void => {
        watch?.remove(waiting);
        resolve(true);
      };
      const waiting = {
        cancel: (): void => {
          this.#waiting.splice(this.#waiting.indexOf(begin), 1);
          watch?.remove(waiting);
          resolve(false);
          left();
        },
      };
      this.#waiting.push(begin);
      watch?.add(waiting);
    });
  }

  /** Lets the first one go on. */
  next(): void {
    this.#waiting.shift()?.();
  }
}
