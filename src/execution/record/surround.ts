import { warnOfListener } from "./notify.js";

/** Code of a listener around something: it calls `run` once, before it returns. */
export type Around = (run: () => void) => unknown;

/**
 * Calls `begin` inside the code of listeners, the first outermost. Returns what `begin` returns and throws what it throws, whatever
 * the listeners do: a listener that throws, or never begins, becomes a process warning. `name` is that of the listeners' method.
 */
export function surround<Begun>(name: string, arounds: readonly Around[], begin: () => Begun): Begun {
  if (arounds.length === 0) return begin();
  let outcome: { readonly returned: Begun } | { readonly thrown: unknown } | undefined;
  const innermost = (): void => {
    try {
      outcome = { returned: begin() };
    } catch (error) {
      outcome = { thrown: error };
    }
  };
  arounds.reduceRight<() => void>((inner, around) => () => enter(name, around, inner), innermost)();
  // `innermost` has run by now, which the compiler doesn't follow.
  const settled = outcome as unknown as { readonly returned: Begun } | { readonly thrown: unknown };
  if ("thrown" in settled) throw settled.thrown;
  return settled.returned;
}

function enter(name: string, around: Around, inner: () => void): void {
  let begun = false;
  const run = (): void => {
    if (begun) return;
    begun = true;
    inner();
  };
  try {
    // A listener of plain JavaScript may be an async function.
    const returned: unknown = around(run);
    if (returned instanceof Promise) returned.catch((error: unknown) => warnOfListener(name, error));
    if (!begun) throw new Error("it returned before it called run, so that what it is around runs outside of it.");
  } catch (error) {
    warnOfListener(name, error);
  }
  run();
}
