import type { Message } from "../../models/index.js";
import { advance, type LoopEvent } from "../loop/index.js";
import { pairHistory } from "../pair-history.js";
import type { RunState } from "../run-state.js";

const content = "Not run: the conversation went on before anybody decided whether to run this call.";

/** The conversation goes on without the run, which is given up: its open calls get their results. */
export const leftOpen: Extract<LoopEvent, { readonly type: "stopped" }> = {
  type: "stopped",
  outcome: { reason: "interrupted", detail: content },
  missing: { content, errorType: "cancelled" },
};

/**
 * The history of a stored run that is given up: calls that were done keep their results, which a run holds back until all
 * of the step have theirs.
 */
export function historyLeftBy({ loop, messages }: RunState): readonly Message[] {
  const { effects } = advance(loop, leftOpen);
  return pairHistory([...messages, ...effects.flatMap((effect) => (effect.type === "append" ? effect.messages : []))]);
}
