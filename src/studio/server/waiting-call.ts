import type { Confirmation, Question } from "../../confirmation/index.js";
import { isQuestion, shownInCard } from "../../confirmation/internal.js";
import type { WaitingCall } from "../api.js";

/** What a person must see of a call that waits. */
export function waitingCall(waiting: Confirmation | Question): WaitingCall {
  const { id, runId, callId, agent, tool, category, consequenceLevel, input, hidden = [], expiresAt } = waiting;
  const { description, warnings, arguments: shown } = shownInCard(waiting);
  return {
    ...{ id, runId, callId, agent, tool, category, consequenceLevel, input, hidden, expiresAt },
    ...{ description, warnings, arguments: shown },
    kind: isQuestion(waiting) ? "question" : "confirmation",
    ...(isQuestion(waiting) && { answerSchema: waiting.answerSchema }),
  };
}
