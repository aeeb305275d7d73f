/** A timer that is later than this was held up by code that kept the event loop busy. Milliseconds. */
const tolerance = 10;

/**
 * The most milliseconds after a late timer in which answers that have arrived are read. Those that are large or packed take several
 * passes of the event loop, and work in other threads.
 */
const longestGrace = 1_000;

/** Passes of the event loop that read input, in case the grace is over late as well. */
const passes = 2;

/** Takes back what was to be called. */
export type Cancel = () => void;

/** By how many milliseconds a timer that was due at `due` wakes late; 0 if it is in time. By `performance.now()`. */
export function latenessOf(due: number, now: number): number {
  const late = now - due;
  return late > tolerance ? late : 0;
}

/**
 * Calls back when the input has been read that waits at the sockets. Timers come before input in the event loop: after code that
 * kept it busy for seconds, a deadline would end what had its answer in time. `late`: for how many milliseconds it was busy.
 */
export function afterWaitingInput(late: number, callback: () => void): Cancel {
  let left = passes;
  let immediate: NodeJS.Immediate | undefined;
  const next = (): void => {
    left -= 1;
    if (left < 0) callback();
    else immediate = setImmediate(next);
  };
  const timer = setTimeout(next, Math.min(late, longestGrace));
  return () => {
    clearTimeout(timer);
    clearImmediate(immediate);
  };
}

/** Calls `expire` after `milliseconds`, unless it is cancelled before. A late deadline lets waiting input be read first. */
export function startDeadline(milliseconds: number, expire: () => void): Cancel {
  // Timers take nothing below 1; what is over already isn't late.
  const due = performance.now() + Math.max(milliseconds, 1);
  let cancelWait: Cancel | undefined;
  const timer = setTimeout(() => {
    const late = latenessOf(due, performance.now());
    if (late > 0) cancelWait = afterWaitingInput(late, expire);
    else expire();
  }, milliseconds);
  return () => {
    clearTimeout(timer);
    cancelWait?.();
  };
}
