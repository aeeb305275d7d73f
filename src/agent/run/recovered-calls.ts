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

/** What is known of a run that may have been cut off. */
interface CutOff {
  readonly loop: LoopState;
  /** Calls that its record says had begun; `undefined` without a record. */
  readonly begun: readonly string[] | undefined;
  /** Whether the model was offered a tool of this name; a name that it made up never ran. */
  readonly wasOffered: (name: string) => boolean;
}

/**
 * The calls that may have begun before the process ended. Without a record, calls that mustn't be done twice count as begun. So do calls
 * of tools that the run doesn't have any more: a record has no mark of calls that were harmless to repeat.
 */
export function maybeBegun({ loop, begun, wasOffered }: CutOff, { names, classes, agents }: AttachedTools): readonly string[] {
  const { outcome, current } = loop;
  if (outcome !== null || current === null) return begun ?? [];
  const more = startableCalls(current).flatMap(({ id, name }) => {
    const own = names.toTool(name);
    const tool = classes.find(({ definition }) => definition.name === own);
    if (tool === undefined) return wasOffered(name) ? [id] : [];
    if (begun !== undefined || isHarmlessToRepeat(tool.definition)) return [];
    return agents.some(({ definition }) => definition.name === own) ? [] : [id];
  });
  return [...new Set([...(begun ?? []), ...more])];
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
