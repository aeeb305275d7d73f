import { isRecord } from "../schema/internal.js";
import { type Decision, longestDecider, unknownMemberOf } from "./decision.js";
import { answerValue } from "./answer-value.js";
import { isQuestion } from "./question.js";
import type { Confirmation } from "./confirmation.js";
import { DecisionError } from "./decision-error.js";

/** Throws `DecisionError` for what is no decision: what somebody else's code made, or came over a network. */
export function checkDecision(decision: Decision): void {
  if (!["approve", "deny", "approve_edited", "answer"].includes(decision?.decision)) {
    throw new DecisionError(
      "unknown",
      `A decision is made by approve(callId), deny(callId, reason), approveEdited(callId, arguments) or answer(callId, value), got ${JSON.stringify(decision)}.`,
    );
  }
  const unknown = unknownMemberOf({ ...decision });
  if (unknown !== undefined) throw new DecisionError("unknown", unknown);
  checkDecider(decision);
  if (decision.decision === "answer") answerValue(decision.callId, decision.value);
  if (decision.decision === "approve_edited" && !isRecord(decision.arguments)) {
    throw invalidEdit(decision.callId, `they must be an object of the tool's parameters, got ${JSON.stringify(decision.arguments)}`);
  }
}

function checkDecider({ callId, decidedBy }: Decision): void {
  // What came over a network has any type.
  const given: unknown = decidedBy;
  if (given === undefined || (typeof given === "string" && given.trim() !== "" && given.length <= longestDecider)) return;
  const got = typeof given === "string" ? `one of ${given.length} characters` : JSON.stringify(given);
  throw new DecisionError(
    "unknown",
    `decidedBy of the decision about the call "${callId}" must be a text of 1 to ${longestDecider} characters, got ${got}. Give a name or an id of the person.`,
  );
}

export const invalidEdit = (callId: string, faults: string): DecisionError =>
  new DecisionError(
    "invalid_arguments",
    `The edited arguments of the call "${callId}" don't fit: ${faults}. Nothing has run; correct them, and decide again.`,
  );

/** Throws `DecisionError` for an answer to a call that waits for an approval, and for an approval of one that waits for an answer. */
export function checkKind({ callId, decision }: Decision, waiting: Pick<Confirmation, "tool">): void {
  if (decision === "deny" || (decision === "answer") === isQuestion(waiting)) return;
  const fix = isQuestion(waiting)
    ? "waits for an answer: answer(question, value), or deny(question, reason)"
    : "waits for an approval: approve(confirmation), approveEdited(confirmation, arguments) or deny(confirmation, reason)";
  throw new DecisionError("other_kind", `The call "${callId}" (${waiting.tool}) ${fix}. Nothing has run.`);
}
