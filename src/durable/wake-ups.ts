/** Wakes those who wait for news of a run. */
export class WakeUps {
  readonly #waiting = new Map<string, Set<() => void>>();

  wake(runId: string): void {
    const waiting = this.#waiting.get(runId);
    this.#waiting.delete(runId);
    for (const wake of waiting ?? []) wake();
  }

  wakeAll(): void {
    for (const runId of [...this.#waiting.keys()]) this.wake(runId);
  }

  /** Waits for news, at most for so many milliseconds, or until the signal is aborted. */
  wait(runId: string, milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(runId) ?? new Set();
      this.#waiting.set(runId, waiting);
      const timer = setTimeout(() => wake(), milliseconds);
      const wake = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", wake);
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiting.get(runId) === waiting) this.#waiting.delete(runId);
        resolve();
      };
      waiting.add(wake);
      signal?.addEventListener("abort", wake);
      if (signal?.aborted === true) wake();
    });
  }
}
