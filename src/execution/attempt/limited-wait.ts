import { ToolTimeoutError } from "../../tool/index.js";
import { type Cancellable, watchOf } from "../../tool/internal.js";
import { deadlines, type Expiring } from "./deadlines.js";

/** The limits of a wait: a tool's timeout in milliseconds, and its run's signal. */
export interface WaitLimits {
  /** The tool's name. */
  readonly name: string;
  readonly timeout: number;
  readonly abortSignal: AbortSignal | undefined;
}

/** Waits for code of a tool no longer than its timeout, and only while its run isn't cancelled. */
export class LimitedWait implements Expiring, Cancellable {
  /** How the wait ended early. */
  stopped: "timed out" | "cancelled" | "crashed" | undefined = undefined;
  /** A `ToolTimeoutError`, or the reason with which the run was cancelled. */
  stopReason: unknown = undefined;
  expiresAt = Number.POSITIVE_INFINITY;
  nextExpiring: Expiring | undefined = undefined;
  previousExpiring: Expiring | undefined = undefined;
  protected pending: PromiseLike<unknown> | undefined = undefined;
  readonly #limits: WaitLimits;
  #release: ((reason: unknown) => void) | undefined = undefined;

  constructor(limits: WaitLimits) {
    this.#limits = limits;
  }

  /** Milliseconds that the code has to start, beside its timeout. */
  protected get startTime(): number {
    return 0;
  }

  /** Begins the timeout once more: the code has started. */
  protected restart(): void {
    if (this.stopped !== undefined) return;
    deadlines.remove(this);
    deadlines.add(this, this.#limits.timeout);
  }

  /** The value of the promise. Throws the reason if the wait is stopped first. */
  wait<Value>(pending: PromiseLike<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.pending = pending;
      this.#release = reject;
      pending.then(resolve, reject);
      deadlines.add(this, this.#limits.timeout + this.startTime);
      const signal = this.#limits.abortSignal;
      if (signal === undefined) return;
      if (signal.aborted) this.stop("cancelled", signal.reason);
      else watchOf(signal).add(this);
    });
  }

  /** Removes the deadline and the watch over the run's signal, if there are any. */
  end(): void {
    if (this.pending === undefined) return;
    deadlines.remove(this);
    const signal = this.#limits.abortSignal;
    if (signal !== undefined) watchOf(signal).remove(this);
  }

  expire(): void {
    this.stop("timed out", new ToolTimeoutError(this.#limits.name, this.#limits.timeout));
  }

  cancel(reason: unknown): void {
    this.stop("cancelled", reason);
  }

  protected stop(how: "timed out" | "cancelled", reason: unknown): void {
    this.stopped = how;
    this.stopReason = reason;
    this.#release?.(reason);
  }
}
