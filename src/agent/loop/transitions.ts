import type { ToolCall } from "../../models/index.js";
import type { Advance, LoopEffect } from "./loop-event.js";
import type { LoopState, LoopStep } from "./loop-state.js";
import type { RunOutcome } from "./outcome.js";

export const unchanged = (state: LoopState): Advance => ({ state, effects: [] });

export const finish = (state: LoopState, outcome: RunOutcome, before: readonly LoopEffect[]): Advance => ({
  state: { ...state, status: "finished", outcome },
  effects: [...before, { type: "finish", outcome }],
});

export const isClosed = ({ results }: LoopStep): boolean => !results.includes(null);

export const openCalls = ({ calls, results }: LoopStep): readonly ToolCall[] => calls.filter((_, index) => results[index] === null);
