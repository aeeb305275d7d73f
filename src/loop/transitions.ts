import type { ToolCall } from "../models/index.js";
import { gateOf, isDecided } from "./gate.js";
import type { Advance, LoopEffect } from "./loop-event.js";
import type { LoopState, LoopStep } from "./loop-state.js";
import type { RunOutcome } from "./run-outcome.js";

/**
 * A copy of the state with changes. The members are written out: spreading a state into a literal that changes it
 * takes Node 20 microseconds, several times a step.
 */
export const change = (state: LoopState, changes: Partial<LoopState>): LoopState =>
  Object.assign(
    {
      status: state.status,
      step: state.step,
      limits: state.limits,
      spent: state.spent,
      usage: state.usage,
      current: state.current,
      failures: state.failures,
      repairs: state.repairs,
      outcome: state.outcome,
    },
    changes,
  );

/** A copy of the step with other results. */
export function withResults(step: LoopStep, results: LoopStep["results"]): LoopStep {
  const { text, finishReason, usage, calls, gates, allowedTools, providerCalls, sources } = step;
  const changed = { text, finishReason, usage, calls, results };
  return gates === undefined && allowedTools === undefined && providerCalls === undefined && sources === undefined
    ? changed
    : Object.assign({}, step, changed);
}

export const unchanged = (state: LoopState): Advance => ({ state, effects: [] });

export const finish = (state: LoopState, outcome: RunOutcome, before: readonly LoopEffect[]): Advance => ({
  state: change(state, { status: "finished", outcome }),
  effects: [...before, { type: "finish", outcome }],
});

export const isClosed = ({ results }: LoopStep): boolean => !results.includes(null);

export const openCalls = ({ calls, results }: LoopStep): readonly ToolCall[] => calls.filter((_, index) => results[index] === null);

/** The open calls that wait for no decision. */
export const startableCalls = (step: LoopStep): readonly ToolCall[] =>
  openCalls(step).filter(({ id }) => {
    const gate = gateOf(step.gates, id);
    return gate === undefined || isDecided(gate);
  });
