/** The reason of a run's signal where the wall time of its budget is used up. */
export class WallTimeReached extends Error {
  override readonly name = "WallTimeReached";

  constructor(milliseconds: number) {
    super(`The run took the ${milliseconds} ms of its budget. Raise wallTime, or resume the run with a fresh budget.`);
  }
}

/** The longest delay that a timer takes; it fires at once for anything longer. */
const longestTimer = 2 ** 31 - 1;

/** The caller's signal, or one that is aborted after `milliseconds` as well. `end` stops the clock. */
export function limitWallTime(
  signal: AbortSignal | undefined,
  milliseconds: number | undefined,
): { readonly signal: AbortSignal | undefined; readonly end: () => void } {
  if (milliseconds === undefined || milliseconds > longestTimer) return { signal, end: nothing };
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new WallTimeReached(milliseconds)), milliseconds);
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    end: () => clearTimeout(timer),
  };
}

const nothing = (): void => undefined;
