import { watchOf } from "../../tool/internal.js";

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
