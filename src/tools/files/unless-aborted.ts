/**
 * Checks the signal before each access to the file system: `await unlessAborted(signal, handle).stat()` throws the signal's
 * reason if the call was cancelled.
 */
export function unlessAborted<Target>(signal: AbortSignal, target: Target): Target {
  signal.throwIfAborted();
  return target;
}
