import { type DecisionObstacle, whyNotAvailable } from "./decision-obstacle.js";
import type { RunState } from "../../loop/index.js";
import { waitingCalls } from "../../loop/internal.js";
import { type Confirmation, type Decision, DecisionError } from "../../confirmation/index.js";
import { checkDecision, checkKind, invalidAnswer, invalidEdit, isQuestion } from "../../confirmation/internal.js";
import { redactText } from "../../redaction/index.js";
import { warnProcess } from "../../redaction/internal.js";
import type { DecisionClaims } from "../../storage/index.js";
import { strictClaims } from "../../storage/internal.js";

/** Throws `DecisionError` unless each decision is for a call that waits, and none is decided twice. */
export function checkDecisions(decisions: readonly Decision[], state: RunState): void {
  const open = waitingCalls(state);
  const seen = new Set<string>();
  for (const decision of decisions) {
    checkDecision(decision);
    const { callId, confirmationId } = decision;
    const confirmation = open.find((one) => one.callId === callId);
    if (confirmation === undefined) throw new DecisionError("unknown_call", unknownCall(callId, state, open));
    if (seen.has(callId))
      throw new DecisionError("decided_twice", `The call "${callId}" is decided twice in one resumption. Give one decision for each call.`);
    if (confirmationId !== undefined && confirmationId !== confirmation.id) {
      throw new DecisionError(
        "other_confirmation",
        `The decision for the call "${callId}" was made for another confirmation: its tool or its arguments have changed since. Ask the person again with the confirmations of this state.`,
      );
    }
    checkKind(decision, confirmation);
    seen.add(callId);
  }
}

/**
 * The decisions that a recorded run still waits for. After a crash, a calling run passes those again that the sub-agent's journal has
 * already; its calls have begun since, or ended.
 */
export function unrecorded(decisions: readonly Decision[], state: RunState): readonly Decision[] {
  const open = waitingCalls(state);
  return decisions.filter(({ callId, confirmationId }) => open.some((one) => one.callId === callId && one.id === confirmationId));
}

function unknownCall(callId: string, { loop }: RunState, open: readonly Confirmation[]): string {
  const waiting =
    open.length === 0 ? "No call of this run waits." : `These wait: ${open.map((one) => `${one.callId} (${one.tool})`).join(", ")}.`;
  const decided = Object.values(loop.current?.gates ?? {}).some(({ decisions }) => decisions.some((one) => one.callId === callId));
  return `The call "${callId}" ${decided ? "is decided already" : "doesn't wait for a decision"}. ${waiting}`;
}

/**
 * Throws `DecisionError` if a person approved what can't run: the tool isn't there for what the run is resumed with, or
 * arguments that the person wrote don't fit it.
 */
export async function checkApprovals(
  decisions: readonly Decision[],
  state: RunState,
  obstacleTo: (decision: Decision) => Promise<DecisionObstacle | undefined>,
): Promise<void> {
  for (const decision of decisions) {
    const obstacle = await obstacleTo(decision);
    if (obstacle?.reason === "invalid_arguments") throw invalidEdit(decision.callId, obstacle.faults);
    if (obstacle?.reason === "invalid_answer") throw invalidAnswer(decision.callId, obstacle.faults);
    if (obstacle !== undefined) throw notAvailable(waitingCalls(state).find(({ callId }) => callId === decision.callId));
  }
}

/** The decisions that can be carried out. A call that was approved with another waits on, because the person has left. */
export async function withoutObstacles(
  decisions: readonly Decision[],
  { runId }: RunState,
  obstacleTo: (decision: Decision) => Promise<DecisionObstacle | undefined>,
): Promise<readonly Decision[]> {
  const usable: Decision[] = [];
  for (const decision of decisions) {
    const obstacle = await obstacleTo(decision);
    if (obstacle === undefined) usable.push(decision);
    else {
      const why = obstacle.reason === "not_available" ? whyNotAvailable : obstacle.faults;
      warnProcess(
        `The decision about the call "${decision.callId}" of run ${runId} can't be carried out, and the call waits on: ${redactText(why)}`,
      );
    }
  }
  return usable;
}

const notAvailable = (confirmation: Confirmation | undefined): DecisionError =>
  new DecisionError(
    "not_available",
    `The call "${confirmation?.callId}" (${confirmation?.tool}) was ${confirmation !== undefined && isQuestion(confirmation) ? "answered, but can't go on" : "approved, but can't run"}: ${whyNotAvailable} Nothing has run. Resume it with what the user's run had; where this user may not use the tool any more, deny the call.`,
  );

/** When none of them can be approved any more; `undefined` if there are none. */
export const lastExpiry = (confirmations: readonly Confirmation[]): string | undefined =>
  confirmations
    .map(({ expiresAt }) => expiresAt)
    .sort()
    .at(-1);

/**
 * Uses up the decisions and the state. Two people who decide different calls of one state at the same time would leave two runs, and
 * neither could be decided any more. Throws `DecisionError` if one was used before; then none
 * of them counts.
 */
export async function claimDecisions(decisions: readonly Decision[], state: RunState, claims: DecisionClaims): Promise<void> {
  const open = waitingCalls(state);
  const decided = open.filter(({ callId }) => decisions.some((decision) => decision.callId === callId));
  const last = lastExpiry(open);
  if (decided.length === 0 || last === undefined) return;
  // The state first: if claims are made one by one, a late caller leaves nothing behind.
  if (await strictClaims(claims).claim([state.digest, ...decided.map(({ id }) => id)], last)) return;
  const calls = decided.map(({ callId, tool }) => `"${callId}" (${tool})`).join(", ");
  throw new DecisionError(
    "decided_before",
    `${decided.length === 1 ? "The call" : "One of the calls"} ${calls} of run ${state.runId}, or another one of this state, was decided before, or the conversation went on without it: a decision counts once, and a state takes them once. Go on from the newer state, or from the messages of the conversation.`,
  );
}
