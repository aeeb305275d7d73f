import type { Confirmation, Decision } from "../../confirmation/index.js";
import { shield } from "../../execution/internal.js";
import type { LoopState, RunOutcome } from "../../loop/index.js";
import { runEvent, type RunParts } from "./run-parts.js";

interface AnnouncedRun {
  readonly state: LoopState;
  readonly givenUp: readonly Confirmation[];
  readonly decisions: readonly Decision[];
}

/** Carries out a run, and reports its start and its end to the listeners. */
export async function announceRun(parts: RunParts, run: AnnouncedRun, carryOut: () => Promise<RunOutcome>): Promise<RunOutcome> {
  const { listeners, resumptions } = parts;
  const event = runEvent(parts);
  const started = {
    ...event,
    resumed: resumptions > 0,
    ...(run.givenUp.length > 0 && { givenUp: run.givenUp }),
    ...(run.decisions.length > 0 && { decisions: run.decisions }),
  };
  for (const listener of listeners) shield(() => listener.runStarted?.(started));
  try {
    return await carryOut();
  } finally {
    const { outcome, usage, step: steps } = run.state;
    for (const listener of listeners)
      shield(() => listener.runFinished?.({ ...event, ...(outcome !== null && { outcome }), usage, steps }));
  }
}
