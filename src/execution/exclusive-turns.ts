import { watchOf } from "../tool/internal.js";

/** Who waits for a key, first come first served. A key is in the map while a call holds it. */
const queues = new Map<string, (() => void)[]>();

/**
 * Waits for the turn of a call among those that share its key, in this process. Gives `false` where the
 * signal was aborted before the turn came: then there is nothing to give back.
 */
export function takeTurn(key: string, signal: AbortSignal | undefined): boolean | Promise<boolean> {
  const queue = queues.get(key);
  if (queue === undefined) {
    queues.set(key, []);
    return true;
  }
  if (signal?.aborted === true) return false;
  return new Promise((resolve) => {
    const watch = signal === undefined ? undefined : watchOf(signal);
    const begin = () => {
      watch?.remove(waiting);
      resolve(true);
    };
    const waiting = {
      cancel: () => {
        queue.splice(queue.indexOf(begin), 1);
        watch?.remove(waiting);
        resolve(false);
      },
    };
    queue.push(begin);
    watch?.add(waiting);
  });
}

/** Gives the key to the next call that waits for it. */
export function endTurn(key: string): void {
  const next = queues.get(key)?.shift();
  if (next === undefined) queues.delete(key);
  else next();
}
