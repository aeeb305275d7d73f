import { openConfirmations } from "../confirmation/check-decisions.js";
import type { Decision } from "../confirmation/decision.js";
import type { Gate } from "../loop/index.js";
import type { RunState } from "../run-state.js";
import type { SubRunPaused } from "./sub-run-paused.js";

/** The gate of a call whose sub-agent waits: its confirmations are asked as those of the calling run. */
export const gateOfSubRun = (callId: string, runId: string, { state, confirmations }: SubRunPaused): Gate => ({
  confirmations: confirmations.map((confirmation) => ({ ...confirmation, runId, callId: `${callId}/${confirmation.callId}` })),
  decisions: [],
  subRun: state,
});

/** The decisions of the calling run as the sub-agent's run knows its calls. */
export function decisionsForSubRun(callId: string, decisions: readonly Decision[], { loop }: RunState): readonly Decision[] {
  const open = openConfirmations(loop);
  return decisions.flatMap((decision) => {
    const confirmation = open.find((one) => `${callId}/${one.callId}` === decision.callId);
    return confirmation === undefined ? [] : [{ ...decision, callId: confirmation.callId }];
  });
}
