import { confirmationAfterCrash } from "../../confirmation/internal.js";
import { type Gate, gateOf, type LoopEvent, type LoopState } from "../../loop/index.js";
import { startableCalls } from "../../loop/internal.js";
import type { AttachedTools } from "../attached-tools.js";
import { isHarmlessToRepeat } from "../../execution/internal.js";

/**
 * What becomes of calls that had begun when the process ended, because it isn't known whether they took effect. None of them runs again
 * by itself: of a call that a person approved, the person is asked again, and of the others the model reads what isn't known.
 */
export function recoveryEvents({ current }: LoopState, begun: readonly string[]): readonly LoopEvent[] {
  return begun.map((id): LoopEvent => {
    const gate = gateOf(current?.gates, id);
    if (gate === undefined || gate.subRun !== undefined) return { type: "call_finished", id, result: unknownResult };
    return { type: "call_gated", id, gate: askedAgain(gate) };
  });
}

/**
 * The calls of a state that was stored in the middle of its run which may have begun since. Those that mustn't be done twice count as
 * begun.
 */
export function maybeBegun({ outcome, current }: LoopState, { names, classes, agents }: AttachedTools): readonly string[] {
  if (outcome !== null || current === null) return [];
  return startableCalls(current).flatMap(({ id, name }) => {
    const own = names.toTool(name);
    const tool = classes.find(({ definition }) => definition.name === own);
    const isHarmless =
      tool === undefined || (isHarmlessToRepeat(tool.definition) && agents.every(({ definition }) => definition.name !== own));
    return isHarmless ? [] : [id];
  });
}

/** An approval counts for one beginning. */
function askedAgain(gate: Gate): Gate {
  return { ...gate, begun: (gate.begun ?? 0) + 1, decisions: [], confirmations: gate.confirmations.map(confirmationAfterCrash) };
}

const unknownResult = Object.freeze({
  content:
    "It isn't known whether this call took effect: it had begun when the process that ran it ended. Check with a read-only tool whether it took effect before you call the tool again.",
  errorType: "timeout",
} as const);
