import type { Confirmation } from "./confirmation.js";
import type { Decision } from "./decision.js";
import { DecisionError } from "./decision-error.js";
import { isExpired } from "./fingerprint.js";
import { isQuestion } from "./question.js";

/** Throws `DecisionError` if an approval or an answer comes after its time: the call wouldn't run. A denial is never late. */
export function refuseLate(decisions: readonly Decision[], open: readonly Confirmation[]): void {
  const late = open.find(
    (confirmation) =>
      isExpired(confirmation) && decisions.some(({ callId, decision }) => callId === confirmation.callId && decision !== "deny"),
  );
  if (late === undefined) return;
  if (isQuestion(late)) {
    throw new DecisionError(
      "expired",
      `The call "${late.callId}" (${late.tool}) could be answered until ${late.expiresAt}. Resume the run without the answer to ask again, or deny the call.`,
    );
  }
  throw new DecisionError(
    "expired",
    `The call "${late.callId}" (${late.tool}) could be approved until ${late.expiresAt}, and has not run. Deny it, and ask the agent again if it is still wanted.`,
  );
}
