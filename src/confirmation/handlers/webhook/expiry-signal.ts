import { longestTimer, watchOf } from "../../../tool/internal.js";
import type { Confirmation } from "../../confirmation.js";

/** A signal that is aborted when the confirmation expires, or with the run's. `end` stops the clock. */
export function expirySignal(
  { expiresAt }: Confirmation,
  abortSignal: AbortSignal | undefined,
): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  const left = Date.parse(expiresAt) - Date.now();
  const timer = left > longestTimer ? undefined : setTimeout(stop, left);
  const run = abortSignal && watchOf(abortSignal);
  const waiting = { cancel: stop };
  if (abortSignal?.aborted === true) stop();
  else run?.add(waiting);
  const end = (): void => {
    clearTimeout(timer);
    run?.remove(waiting);
  };
  return { signal: controller.signal, end };
}
