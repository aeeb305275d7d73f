/** The promise's result, or the signal's reason as soon as it is aborted, whatever the promise does then. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const release = (): void => reject(signal.reason);
    signal.addEventListener("abort", release, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", release));
  });
}
