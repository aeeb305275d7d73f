import { useState } from "preact/hooks";
import type { WaitingCall } from "../../api.js";
import { type SteadyCall, steadyCalls } from "./steady-calls.js";

/** The calls that wait, each in the place where it was shown first, until the view is left or `clear` is called. */
export function useSteady(waiting: readonly WaitingCall[] | undefined): {
  readonly shown: readonly SteadyCall[];
  readonly clear: () => void;
} {
  const [state, setState] = useState<{ readonly waiting?: typeof waiting; readonly shown: readonly SteadyCall[] }>({ shown: [] });
  let { shown } = state;
  if (waiting !== undefined && waiting !== state.waiting) {
    shown = steadyCalls(shown, waiting);
    setState({ waiting, shown });
  }
  return { shown, clear: () => setState({ waiting, shown: steadyCalls([], waiting ?? []) }) };
}
