import { startDeadline } from "../../timing/index.js";
import { follow, longestTimer, watchOf } from "../../tool/internal.js";

/** The reason of a run's signal if the wall time of its budget is used up. */
export class WallTimeReached extends Error {
  override readonly name = "WallTimeReached";

  constructor(milliseconds: number) {
    super(`The run took the ${milliseconds} ms of its budget. Raise wallTime, or resume the run with a fresh budget.`);
  }
}

/** What ends a run from outside. */
export interface RunSignal {
  readonly signal: AbortSignal | undefined;
  /** To be called when the run has ended. */
  readonly end: () => void;
}

/** The caller's signal, or one that is aborted after `milliseconds` as well. */
export function limitWallTime(caller: AbortSignal | undefined, milliseconds: number | undefined): RunSignal {
  if (milliseconds === undefined || milliseconds > longestTimer) return { signal: caller, end: () => undefined };
  const controller = new AbortController();
  const unfollow = follow(caller, controller);
  const cancel = startDeadline(milliseconds, () => controller.abort(new WallTimeReached(milliseconds)));
  return {
    signal: controller.signal,
    end: () => {
      cancel();
      unfollow();
    },
  };
}

/** One listener on the signal for the whole run: each wait for a function, a model or a tool would add and remove its own. */
export async function withPresence<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  const watch = watchOf(signal);
  const presence = { cancel: () => undefined };
  watch.add(presence);
  try {
    return await work();
  } finally {
    watch.remove(presence);
  }
}
