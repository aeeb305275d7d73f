import { afterWaitingInput, type Cancel, latenessOf } from "../../timing/index.js";
import { longestTimer } from "../../tool/internal.js";

/** Something that ends at a time unless it is removed before. Carries the links of the list that it is in. */
export interface Expiring {
  /** By `performance.now()`, which no change of the clock disturbs. */
  expiresAt: number;
  nextExpiring: Expiring | undefined;
  previousExpiring: Expiring | undefined;
  expire(): void;
}

/**
 * The deadlines of all running calls, behind one timer: a call that ends in time costs two list operations
 * and no timer of its own. The timer keeps the process alive while a call is pending, so that a hung tool
 * times out, and no longer.
 */
class Deadlines {
  #first: Expiring | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Set while a late timer lets waiting input be read. */
  #cancelWait: Cancel | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;
  /** The `setTimeout` that made the timer. A test's fake timers replace it, and the old timer never fires for them. */
  #clock: typeof setTimeout | undefined;

  /** Starts the deadline. `timeout` in milliseconds; 0, Infinity and more than a timer can hold mean none. */
  add(entry: Expiring, timeout: number): void {
    const now = performance.now();
    entry.expiresAt = timeout > 0 && timeout <= longestTimer ? now + timeout : Number.POSITIVE_INFINITY;
    if (entry.expiresAt === Number.POSITIVE_INFINITY) return;
    if (this.#first === undefined) this.#timer?.ref();
    else this.#first.previousExpiring = entry;
    entry.nextExpiring = this.#first;
    this.#first = entry;
    if (entry.expiresAt < this.#wakesAt || this.#clock !== setTimeout) this.#wakeAt(entry.expiresAt, now);
  }

  /** Ends the deadline. Does nothing if it has passed or never began. */
  remove(entry: Expiring): void {
    const { previousExpiring: previous, nextExpiring: next } = entry;
    if (previous !== undefined) previous.nextExpiring = next;
    else if (this.#first === entry) this.#first = next;
    else return;
    if (next !== undefined) next.previousExpiring = previous;
    entry.nextExpiring = undefined;
    entry.previousExpiring = undefined;
    if (this.#first === undefined) this.#timer?.unref();
  }

  #wakeAt(time: number, now: number): void {
    clearTimeout(this.#timer);
    this.#cancelWait?.();
    this.#cancelWait = undefined;
    this.#wakesAt = time;
    this.#clock = setTimeout;
    // `now + 60_000 - now` can be a hair above 60,000, and a test's fake clock that moves 60,000 on would not reach what is rounded up.
    this.#timer = setTimeout(this.#wake, Math.max(1, Math.round(time - now)));
  }

  readonly #wake = (): void => {
    this.#timer = undefined;
    // The mocked timers of node:test leave `performance.now()` as it is: when the timer fires, its time has come.
    const now = Math.max(performance.now(), this.#wakesAt);
    const late = latenessOf(this.#wakesAt, now);
    // `#wakesAt` stays in the past meanwhile, so no deadline that is added starts the timer anew.
    if (late > 0) this.#cancelWait = afterWaitingInput(late, () => this.#expireUntil(now));
    else this.#expireUntil(now);
  };

  /** What is due later has a lateness of its own, also if its time is over by now. */
  #expireUntil(time: number): void {
    this.#cancelWait = undefined;
    this.#wakesAt = Number.POSITIVE_INFINITY;
    const due: Expiring[] = [];
    let earliest = Number.POSITIVE_INFINITY;
    for (let entry = this.#first; entry !== undefined; entry = entry.nextExpiring) {
      if (entry.expiresAt <= time) due.push(entry);
      else if (entry.expiresAt < earliest) earliest = entry.expiresAt;
    }
    if (earliest < Number.POSITIVE_INFINITY) this.#wakeAt(earliest, Math.max(performance.now(), time));
    // Collected first: `expire` runs code of the tool, which may start and end other calls.
    for (const entry of due.sort((one, other) => one.expiresAt - other.expiresAt)) {
      this.remove(entry);
      entry.expire();
    }
  }
}

export const deadlines = new Deadlines();
