import { isRecord } from "../schema/internal.js";
import { type Decision, unknownMemberOf } from "./decision.js";
import { DecisionError } from "./decision-error.js";

/** Throws `DecisionError` for what is no decision: what somebody else's code made, or came over a network. */
export function checkDecision(decision: Decision): void {
  if (!["approve", "deny", "approve_edited"].includes(decision?.decision)) {
    throw new DecisionError(
      "unknown",
      `A decision is made by approve(callId), deny(callId, reason) or approveEdited(callId, arguments), got ${JSON.stringify(decision)}.`,
    );
  }
  const unknown = unknownMemberOf({ ...decision });
  if (unknown !== undefined) throw new DecisionError("unknown", unknown);
  if (decision.decision === "approve_edited" && !isRecord(decision.arguments)) {
    throw invalidEdit(decision.callId, `they must be an object of the tool's parameters, got ${JSON.stringify(decision.arguments)}`);
  }
}

export const invalidEdit = (callId: string, faults: string): DecisionError =>
  new DecisionError(
    "invalid_arguments",
    `The edited arguments of the call "${callId}" don't fit: ${faults}. Nothing has run; correct them, and decide again.`,
  );
