/** How long work keeps the event loop before it lets others run, in milliseconds. */
const longestTurn = 20;

/** Work that is done step by step: a generator yields wherever it may be interrupted. */
export type Steps<Result> = Generator<undefined, Result>;

/** Does work in turns, between which the event loop serves others. Throws what the work throws, or the signal's reason. */
export async function inTurns<Result>(work: Steps<Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    signal?.throwIfAborted();
    const end = performance.now() + longestTurn;
    do {
      const step = work.next();
      if (step.done) return step.value;
    } while (performance.now() < end);
    await new Promise(setImmediate);
  }
}
