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

/**
 * A signal that the caller aborts, or the loss of the run's lease, or a timer after `milliseconds`. It is the caller's own signal if
 * nothing else can end the run.
 */
export function runSignal(caller: AbortSignal | undefined, lost: AbortSignal | undefined, milliseconds: number | undefined): RunSignal {
  const isTimed = milliseconds !== undefined && milliseconds <= longestTimer;
  if (lost === undefined && !isTimed) return { signal: caller, end: endNothing };
  const controller = new AbortController();
  const ends = [follow(caller, controller), follow(lost, controller)];
  if (isTimed) ends.push(startDeadline(milliseconds, () => controller.abort(new WallTimeReached(milliseconds))));
  return {
    signal: controller.signal,
    end: () => {
      for (const end of ends) end();
    },
  };
}

const endNothing = (): void => undefined;

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
