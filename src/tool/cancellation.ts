import { isPromiseLike } from "./is-promise-like.js";

/** Something that ends when a signal is aborted. */
export interface Cancellable {
  cancel(reason: unknown): void;
}

/**
 * One listener on a signal for all that waits on it. Node warns of a leak from the eleventh listener on, but one run may
 * make a hundred calls at once, and a server may give one signal to all its runs. The listener is there only while
 * something waits.
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

/** Kept at the signal itself: most signals are made for one call, and an entry of a WeakMap costs more than all else here. */
const watchKey = Symbol("toolwright.watch");

/** The watch over a signal, shared by all that wait on it. An aborted signal fires no event, so check it first. */
export function watchOf(signal: AbortSignal & { [watchKey]?: SignalWatch }): SignalWatch {
  signal[watchKey] ??= new SignalWatch(signal);
  return signal[watchKey];
}

/** The promise's result, or the signal's reason as soon as it is aborted, whatever the promise does then. */
export function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const waiting = { cancel: reject };
    const watch = watchOf(signal);
    // The code that made the promise may have aborted the signal meanwhile.
    if (signal.aborted) reject(signal.reason);
    else watch.add(waiting);
    promise.then(
      (value) => {
        watch.remove(waiting);
        resolve(value);
      },
      (error: unknown) => {
        watch.remove(waiting);
        reject(error);
      },
    );
  });
}

/**
 * Waits for code of the application only until the signal is aborted: then it throws the signal's reason. A late answer,
 * and a late error, change nothing. What is no promise comes back at once.
 */
export function untilAborted<Value>(waiting: Value | PromiseLike<Value>, signal: AbortSignal | undefined): Value | PromiseLike<Value> {
  return signal === undefined || !isPromiseLike(waiting) ? waiting : orAborted(Promise.resolve(waiting), signal);
}

/** As `untilAborted`, with `undefined` for a signal that was aborted first. */
export function unlessAborted<Value>(
  ask: () => Value | PromiseLike<Value>,
  signal: AbortSignal | undefined,
): Value | PromiseLike<Value | undefined> {
  return signal === undefined ? ask() : askUnlessAborted(ask, signal);
}

async function askUnlessAborted<Value>(ask: () => Value | PromiseLike<Value>, signal: AbortSignal): Promise<Value | undefined> {
  try {
    return await untilAborted(ask(), signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

/**
 * Aborts the controller with the signal, until the returned function is called. On Node 20 and 22, what AbortSignal.any makes
 * stays with a signal that lives as long as the process.
 */
export function follow(signal: AbortSignal | undefined, controller: AbortController): () => void {
  if (signal === undefined) return nothing;
  if (signal.aborted) {
    controller.abort(signal.reason);
    return nothing;
  }
  const watch = watchOf(signal);
  const following = { cancel: (reason: unknown) => controller.abort(reason) };
  watch.add(following);
  return () => watch.remove(following);
}

const nothing = (): void => undefined;

/** The longest delay that a timer of the platform takes, in milliseconds; it fires at once for anything longer. */
export const longestTimer = 2 ** 31 - 1;
