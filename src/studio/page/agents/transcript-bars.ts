import type { Bar } from "../shared/bar.js";
import { isExpired } from "../shared/is-expired.js";
import type { Transcript } from "./transcript.js";

/** Milliseconds between a decision and its call that are worth a bar. */
const shortestWait = 100;

/** The bars of a transcript: model calls, tool calls, and what still waits. */
export function barsOf({ steps, entries }: Transcript): readonly Bar[] {
  const calls = entries.filter((entry) => entry.kind === "call");
  const bars: readonly Bar[] = [
    ...steps.map(
      (step, index): Bar => ({
        ...{ key: `step ${index}`, label: `step ${step.step}, ${step.model ?? "model"}`, kind: "model", start: step.start, end: step.end },
        failed: step.error !== undefined,
      }),
    ),
    ...calls.flatMap(({ callId, tool, state, start, end, wait, waiting, decided }, index): readonly Bar[] => {
      const key = `${callId} ${index}`;
      const call: Bar = { key: `call ${key}`, label: tool, kind: "call", start, end, failed: state === "failed" };
      if (wait === undefined) return [call];
      const isLate = wait.until !== undefined && (wait.end ?? Number.NEGATIVE_INFINITY) > wait.until;
      const label = `${tool}, waits${isLate || (waiting !== undefined && isExpired(waiting)) ? ", too late to approve" : ""}`;
      const waited: Bar = { key: `wait ${key}`, label, kind: "wait", start: wait.start, end: wait.end ?? end };
      // What waits hasn't begun, and what was denied never does.
      const isBegun = state !== "waiting" && state !== "decided" && decided?.decision !== "deny" && call.start >= wait.start;
      if (!isBegun && state !== "decided") return [waited];
      const decidedAt = wait.end ?? wait.start;
      const untaken: Bar = {
        ...{ key: `untaken ${key}`, label: `${tool}, decided`, kind: "wait", start: decidedAt },
        end: isBegun ? call.start : undefined,
      };
      // A process that runs in the meantime takes it up at once.
      const isLeft = !isBegun || call.start - decidedAt >= shortestWait;
      return [waited, ...(isLeft ? [untaken] : []), ...(isBegun ? [call] : [])];
    }),
  ];
  return [...bars].sort((one, other) => one.start - other.start);
}
