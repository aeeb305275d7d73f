import { useEffect, useState } from "preact/hooks";
import type { Checked, FaultLine } from "../../api.js";
import { ask, messageOf } from "./request.js";

/** Milliseconds without a key after which arguments are checked. */
const pause = 250;

interface CheckedArguments {
  /** What the library finds in the arguments that it saw last. */
  readonly faults: readonly FaultLine[];
  /** Whether it saw these. */
  readonly isCurrent: boolean;
}

/** Asks the library about arguments as they are typed. Without a tool or arguments, there is nothing to find. */
export function useChecked(toolId: string | undefined, given: object | undefined): CheckedArguments {
  const key = JSON.stringify(given ?? null);
  const [checked, setChecked] = useState<{ readonly key: string; readonly faults: readonly FaultLine[] }>();
  const isNeeded = toolId !== undefined && given !== undefined;
  useEffect(() => {
    if (!isNeeded) return;
    const leaving = new AbortController();
    const take = (faults: readonly FaultLine[]): void => setChecked({ key, faults });
    const timer = setTimeout(() => {
      ask<Checked>(`/api/tools/${encodeURIComponent(toolId)}/check`, { arguments: given }, leaving.signal).then(
        ({ faults }) => take(faults),
        (error: unknown) => !leaving.signal.aborted && take([{ path: "", message: messageOf(error) }]),
      );
    }, pause);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key, isNeeded, toolId]);
  if (!isNeeded) return { faults: [], isCurrent: true };
  return { faults: checked?.faults ?? [], isCurrent: checked?.key === key };
}
