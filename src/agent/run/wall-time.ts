import { longestTimer } from "../../tool/internal.js";

/** The reason of a run's signal where the wall time of its budget is used up. */
export class WallTimeReached extends Error {
  override readonly name = "WallTimeReached";

  constructor(milliseconds: number) {
    super(`The run took the ${milliseconds} ms of its budget. Raise wallTime, or resume the run with a fresh budget.`);
  }
}

/** The caller's signal, or one that is aborted `milliseconds` after `begin` as well. What `begin` gives stops the clock. */
export function limitWallTime(
  signal: AbortSignal | undefined,
  milliseconds: number | undefined,
): { readonly signal: AbortSignal | undefined; readonly begin: () => () => void } {
  if (milliseconds === undefined || milliseconds > longestTimer) return { signal, begin: () => nothing };
  const controller = new AbortController();
  return {
    signal: signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]),
    begin: () => {
      const timer = setTimeout(() => controller.abort(new WallTimeReached(milliseconds)), milliseconds);
      return () => clearTimeout(timer);
    },
  };
}

const nothing = (): void => undefined;
