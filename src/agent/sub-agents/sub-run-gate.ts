import type { Decision } from "../../confirmation/index.js";
import { idInCall } from "../../confirmation/internal.js";
import type { Gate, RunState } from "../../loop/index.js";
import { waitingCalls } from "../../loop/internal.js";
import type { Resumption } from "./resumption.js";
import type { SubRunPaused } from "./sub-run-paused.js";

/** The gate of a call whose sub-agent waits: its confirmations are asked as those of the calling run. */
export const gateOfSubRun = (callId: string, runId: string, { state, confirmations }: SubRunPaused): Gate => ({
  confirmations: confirmations.map((confirmation) => ({
    ...confirmation,
    id: idInCall(confirmation.id, callId),
    runId,
    callId: `${callId}/${confirmation.callId}`,
  })),
  decisions: [],
  subRun: state,
});

/** The gate of a call whose sub-agent was interrupted: nothing is asked, and the call goes on with what was done. */
export const gateOfLeftRun = (state: RunState): Gate => ({ confirmations: [], decisions: [], subRun: state });

/** The sub-agent's run, with the decisions of the calling run as it knows its calls. */
export function resumptionOf(callId: string, state: RunState, decisions: readonly Decision[]): Resumption {
  const open = waitingCalls(state);
  const own = decisions.flatMap((decision) => {
    const confirmation = open.find((one) => `${callId}/${one.callId}` === decision.callId);
    return confirmation === undefined ? [] : [{ ...decision, callId: confirmation.callId, confirmationId: confirmation.id }];
  });
  return { state, decisions: own };
}
