import { watchOf } from "../../tool/internal.js";
import type { Rate } from "./rate-windows.js";

/** The turns that several processes share: a call takes its turn there after that among the calls of its own process. */
export interface SharedLimits {
  /** Takes one of the places of a limit; `undefined` if none is free now. Returns the function that gives it back, which never rejects. */
  takePlace(limit: string, most: number): Promise<(() => void) | undefined>;
  /** Begins one more call, if it may. Returns the milliseconds until one more may begin, 0 if it has begun. */
  begin(limit: string, rate: Rate): Promise<number>;
}

let shared: SharedLimits | undefined;

/** Lets all tool calls of this process share their limits with those of other processes, until the returned function is called. */
export function shareLimits(limits: SharedLimits): () => void {
  shared = limits;
  return () => {
    if (shared === limits) shared = undefined;
  };
}

export const sharedLimits = (): SharedLimits | undefined => shared;

/** Waits, lengthened by chance. `false` if the signal is aborted first. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted === true) return Promise.resolve(false);
  return new Promise((resolve) => {
    const watch = signal && watchOf(signal);
    const end = (isOver: boolean): void => {
      clearTimeout(timer);
      watch?.remove(waiting);
      resolve(isOver);
    };
    const waiting = { cancel: () => end(false) };
    const timer = setTimeout(() => end(true), milliseconds * (1 + Math.random() / 4));
    watch?.add(waiting);
  });
}
