/** A timer that is later than this was held up by code that kept the event loop busy. Milliseconds. */
const tolerance = 10;

/** Passes of the event loop that read input: one for what arrived, one for what reads on in pieces. */
const passes = 2;

/** Takes back what was to be called. */
export type Cancel = () => void;

/** Whether a timer that was due at `due` wakes late. By `performance.now()`. */
export const isLate = (due: number, now: number): boolean => now - due > tolerance;

/**
 * Calls back when the input has been read that waits at the sockets. Timers come before input in the event loop: after code that
 * kept it busy for seconds, a deadline would end what had its answer in time.
 */
export function afterWaitingInput(callback: () => void): Cancel {
  let left = passes;
  const next = (): void => {
    left -= 1;
    if (left < 0) callback();
    else immediate = setImmediate(next);
  };
  let immediate = setImmediate(next);
  return () => clearImmediate(immediate);
}

/** Calls `expire` after `milliseconds`, unless it is cancelled before. A late deadline lets waiting input be read first. */
export function startDeadline(milliseconds: number, expire: () => void): Cancel {
  // Timers take nothing below 1; what is over already isn't late.
  const due = performance.now() + Math.max(milliseconds, 1);
  let cancelWait: Cancel | undefined;
  const timer = setTimeout(() => {
    if (isLate(due, performance.now())) cancelWait = afterWaitingInput(expire);
    else expire();
  }, milliseconds);
  return () => {
    clearTimeout(timer);
    cancelWait?.();
  };
}
