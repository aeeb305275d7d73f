/** A rate is counted over `Retry-After`, but at least over this many milliseconds. */
const shortestWindow = 1_000;
/** How many calls are remembered. Higher rates look the same. */
const longestMemory = 1_024;
/** How much slower the retries come than the calls that the provider took: others may be asking it as well. */
const caution = 1.15;
/** The most windows over which those that wait are spread, however few calls were taken so far. */
const mostWindows = 12;

/** The factor by which the rate drops if a retry is rejected as well. */
const slowdown = 0.9;

type Sleep = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;

/** A call that a provider turned away by its rate limit. */
export interface TurnedAway {
  /** What `begin` returned for it. */
  readonly begun: number;
  /** 1 for the first call. */
  readonly attempt: number;
  /** Milliseconds that the provider asked to wait. */
  readonly retryAfter: number | undefined;
  /** Milliseconds to the next attempt, if no other run waits. */
  readonly wait: number;
  /** Milliseconds for which no run begins another call; 0 if the error is no sign of a rate limit that passes. */
  readonly pause: number;
}

/**
 * The turns of runs that a provider turned away by its rate limit. Chance alone doesn't part them well: with three attempts each,
 * some would meet a full window three times. So they come back one after another, at the rate at which the provider took calls
 * before. If a retry is turned away too, all wait as long as it does. A run that waits alone has its turn at once.
 *
 * Calls that other runs would begin meanwhile wait behind them: the provider would turn them away as well, or in their place those that have
 * fewer attempts left.
 */
export class RetryTurns {
  /** When the calls began that were not turned away, by `performance.now()`. */
  readonly #begun: number[] = [];
  #window = shortestWindow;
  /** Calls that the provider took within the last window. */
  #taken = 0;
  /** Calls that wait for a turn, and those of them that were turned away. */
  #waiting = 0;
  #waitingAgain = 0;
  #nextTurn = 0;
  #pausedUntil = 0;
  /** Until then, no run begins a call, by `performance.now()`. */
  #closedUntil = 0;
  /** Milliseconds of the longest pause that led to it. */
  #closedFor = 0;
  /** Milliseconds of all pauses together: by them the turns move that were given before. */
  #paused = 0;

  /** A call begins; returns when. */
  begin(): number {
    const now = performance.now();
    if (this.#begun.push(now) > longestMemory) this.#begun.splice(0, longestMemory / 2);
    return now;
  }

  /** Waits before a call that a run begins, if the provider turns calls away now. */
  arrive(longest: number, sleep: Sleep, signal: AbortSignal | undefined): Promise<void> | undefined {
    const rest = this.#closedUntil - performance.now();
    // Lengthened by chance: those that wait together must not come back together.
    if (rest > 0) return this.#wait(rest + (this.#closedFor * Math.random()) / 2, longest, sleep, signal);
    return this.#waitingAgain > 0 ? this.#wait(0, this.#window, sleep, signal) : undefined;
  }

  turnedAway({ begun, attempt, retryAfter = 0, wait, pause }: TurnedAway): void {
    const now = performance.now();
    if (now + pause > this.#closedUntil) [this.#closedUntil, this.#closedFor] = [now + pause, pause];
    const index = this.#begun.lastIndexOf(begun);
    if (index !== -1) this.#begun.splice(index, 1);
    this.#window = Math.max(retryAfter, shortestWindow);
    const start = begun - this.#window;
    this.#taken = this.#begun.findLastIndex((time) => time <= begun) - this.#begun.findLastIndex((time) => time < start);
    if (attempt === 1) return;
    this.#taken *= slowdown;
    if (now < this.#pausedUntil) return;
    this.#pausedUntil = now + wait;
    this.#paused += wait;
    this.#nextTurn = Math.max(now, this.#nextTurn) + wait;
  }

  /** Waits `delay` milliseconds with a call that was turned away, and then for its turn, but `longest` in all. Rejects as `sleep` does when the signal is aborted. */
  async wait(delay: number, longest: number, sleep: Sleep, signal: AbortSignal | undefined): Promise<void> {
    this.#waitingAgain += 1;
    try {
      await this.#wait(delay, longest, sleep, signal);
    } finally {
      this.#waitingAgain -= 1;
    }
  }

  async #wait(delay: number, longest: number, sleep: Sleep, signal: AbortSignal | undefined): Promise<void> {
    this.#waiting += 1;
    try {
      await sleep(delay, signal);
      let left = longest - delay;
      for (let rest = this.#takeTurn(), paused = 0; rest > 0 && left > 0; rest = this.#paused - paused) {
        paused = this.#paused;
        // A turn that is too far away is taken at any time before the end.
        await sleep(rest <= left ? rest : left * Math.random(), signal);
        left -= rest;
      }
    } finally {
      this.#waiting -= 1;
    }
  }

  /** Milliseconds until the turn. */
  #takeTurn(): number {
    const now = performance.now();
    const turn = this.#waiting === 1 ? now : Math.max(now, this.#nextTurn);
    this.#nextTurn = turn + (caution * this.#window) / Math.max(this.#taken, this.#waiting / mostWindows);
    return turn - now;
  }
}

const byName = new Map<string, RetryTurns>();
const byObject = new WeakMap<object, RetryTurns>();

/** The turns that all runs share that ask the same model: one object, or one name. */
export function turnsOf(model: string | object): RetryTurns {
  let turns = typeof model === "string" ? byName.get(model) : byObject.get(model);
  if (turns !== undefined) return turns;
  turns = new RetryTurns();
  if (typeof model === "string") byName.set(model, turns);
  else byObject.set(model, turns);
  return turns;
}
