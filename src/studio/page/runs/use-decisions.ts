import { useState } from "preact/hooks";
import type { RunDetail, WaitingCall } from "../../api.js";
import { forgetDraft } from "../shared/decision-drafts.js";
import { ask, messageOf } from "../shared/request.js";
import type { SentDecision } from "../shared/waiting-card.js";

/** Sends decisions about calls of stored runs. `revision` counts them, so that what is shown is read again. */
export function useDecisions() {
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [revision, setRevision] = useState(0);
  const [decidedHere, setDecidedHere] = useState<ReadonlySet<string>>(new Set());
  const decide = async ({ runId, callId, id }: WaitingCall, decision: SentDecision): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      const decisions = [{ ...decision, callId, confirmationId: id }];
      await ask<RunDetail>(`/api/runs/${encodeURIComponent(runId)}/decisions`, { decisions });
      setDecidedHere((before) => new Set([...before, id]));
      forgetDraft(id);
    } catch (error) {
      setRefused(messageOf(error));
    } finally {
      setBusy(false);
      setRevision((before) => before + 1);
      // The buttons are disabled, and the focus goes with them.
      document.getElementById("main")?.focus({ preventScroll: true });
    }
  };
  return { isBusy, refused, revision, decidedHere, decide: (call: WaitingCall, decision: SentDecision) => void decide(call, decision) };
}
