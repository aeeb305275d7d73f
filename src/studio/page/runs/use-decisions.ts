import { useState } from "preact/hooks";
import type { RunDetail, WaitingCall } from "../../api.js";
import { ask, messageOf } from "../shared/request.js";
import type { SentDecision } from "../shared/waiting-card.js";

/** Sends decisions about calls of stored runs. `revision` counts them, so that what is shown is read again. */
export function useDecisions() {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [revision, setRevision] = useState(0);
  const decide = async ({ runId, callId, id }: WaitingCall, decision: SentDecision): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      const decisions = [{ ...decision, callId, confirmationId: id }];
      await ask<RunDetail>(`/api/runs/${encodeURIComponent(runId)}/decisions`, { decisions });
    } catch (error) {
      setRefused(messageOf(error));
    } finally {
      setBusy(false);
      setRevision((before) => before + 1);
      // The buttons go, and the focus with them.
      document.getElementById("main")?.focus({ preventScroll: true });
    }
  };
  return { isBusy, refused, revision, decide: (call: WaitingCall, decision: SentDecision) => void decide(call, decision) };
}
