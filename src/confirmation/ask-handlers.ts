import { orAborted } from "../tool/internal.js";
import { warnProcess } from "../redaction/internal.js";
import { checkDecision, checkKind } from "./decision-form.js";
import type { Confirmation } from "./confirmation.js";
import type { ConfirmationHandler, ConfirmationSituation } from "./confirmation-handler.js";
import type { Decision } from "./decision.js";
import { DecisionError } from "./decision-error.js";

/**
 * What the first handler that decides says; `undefined` if none does. Never rejects: a handler that fails, or answers
 * another question, is reported as a process warning.
 */
export async function askHandlers(
  handlers: readonly ConfirmationHandler[],
  confirmation: Confirmation,
  situation: ConfirmationSituation,
): Promise<Decision | undefined> {
  const { abortSignal } = situation;
  for (const handler of handlers) {
    try {
      const asked = Promise.resolve(handler(confirmation, situation));
      const decision = await (abortSignal === undefined ? asked : orAborted(asked, abortSignal));
      if (decision === undefined) continue;
      checkAnswer(decision, confirmation);
      return decision;
    } catch (error) {
      if (abortSignal?.aborted === true) return undefined;
      const reason = error instanceof Error ? error.message : String(error);
      warnProcess(
        `A confirmation handler failed and decided nothing of the call "${confirmation.callId}" (${confirmation.tool}): ${reason}`,
      );
    }
  }
  return undefined;
}

/** What is no clear decision must not open the gate, whatever a handler's types say. */
function checkAnswer(decision: Decision, confirmation: Confirmation): void {
  const { callId, id } = confirmation;
  checkDecision(decision);
  checkKind(decision, confirmation);
  if (decision.callId === callId && (decision.confirmationId ?? id) === id) return;
  throw new DecisionError("unknown_call", `it decided the call "${decision.callId}", but was asked for "${callId}".`);
}
