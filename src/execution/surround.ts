import type { ToolAttemptEvent, ToolListener } from "../tool/index.js";
import { warnOfListener } from "./notify.js";

/**
 * Begins a tool's code inside the `around` of every listener that has one, the first outermost. Gives what `begin` gave
 * and throws what it threw, whatever the listeners do: one that throws, or never begins, becomes a process warning.
 */
export function surround(listeners: readonly ToolListener[], event: ToolAttemptEvent, begin: () => unknown): unknown {
  let outcome: { readonly returned: unknown } | { readonly thrown: unknown } | undefined;
  const innermost = (): void => {
    try {
      outcome = { returned: begin() };
    } catch (error) {
      outcome = { thrown: error };
    }
  };
  listeners.reduceRight((inner, listener) => () => enter(listener, event, inner), innermost)();
  // `innermost` has run by now, which the compiler doesn't follow.
  const settled = outcome as unknown as { readonly returned: unknown } | { readonly thrown: unknown };
  if ("thrown" in settled) throw settled.thrown;
  return settled.returned;
}

function enter(listener: ToolListener, event: ToolAttemptEvent, inner: () => void): void {
  let begun = false;
  const run = (): void => {
    if (begun) return;
    begun = true;
    inner();
  };
  try {
    // A listener of plain JavaScript may be an async function.
    const returned: unknown = listener.around?.(event, run);
    if (returned instanceof Promise) returned.catch((error: unknown) => warnOfListener("around", error));
    if (!begun) throw new Error("it returned before it called run, so that the tool runs outside of it.");
  } catch (error) {
    warnOfListener("around", error);
  }
  run();
}
