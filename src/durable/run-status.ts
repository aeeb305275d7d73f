import { isQuestion } from "../confirmation/internal.js";
import { isWaiting, type RunOutcome } from "../loop/index.js";
import { waitingCalls } from "../loop/internal.js";
import type { PendingItem, RunStatus } from "./runtime.js";
import type { AcceptedContent } from "./run-records.js";

/** How a run ended; `undefined` while it goes on or waits. */
export function outcomeOf({ recorded }: Pick<AcceptedContent, "recorded">): RunOutcome | undefined {
  const outcome = recorded?.loop.outcome ?? undefined;
  return isWaiting(outcome) ? undefined : outcome;
}

/** How a run ended; `undefined` while something of it is left to do, to decide, or to store in its conversation. */
export const endOf = ({ recorded }: Pick<AcceptedContent, "recorded">): RunOutcome | undefined =>
  recorded?.isSaveDue === true ? undefined : outcomeOf({ recorded });

/** Whether an agent can go on with the run now. */
export function isReady({ recorded }: Pick<AcceptedContent, "recorded">): boolean {
  if (recorded === undefined) return true;
  const { loop, decisions } = recorded;
  return loop.outcome === null || (isWaiting(loop.outcome) && decisions.length > 0);
}

/** Whether a process has something to do for the run now. */
export const hasWork = (content: Pick<AcceptedContent, "recorded">): boolean => isReady(content) || content.recorded?.isSaveDue === true;

export function statusOf(content: AcceptedContent): RunStatus {
  const { accepted, recorded } = content;
  const { runId, agent, context, options, conversation } = accepted;
  const outcome = endOf(content);
  return {
    runId,
    agent,
    status: recorded === undefined ? "queued" : outcome !== undefined ? "ended" : hasWork(content) ? "running" : "waiting",
    ...(outcome !== undefined && { outcome }),
    pending: pendingOf(content),
    ...(recorded !== undefined && recorded.taken.length > 0 && { decided: recorded.taken.map(({ confirmationId: _, ...shown }) => shown) }),
    context,
    ...(conversation !== undefined && { conversation }),
    ...(options.tags !== undefined && { tags: options.tags }),
  };
}

/** The calls that wait for a decision; none of a run that has ended. */
export function pendingOf({ accepted: { runId, agent }, recorded }: AcceptedContent): readonly PendingItem[] {
  if (recorded === undefined || outcomeOf({ recorded }) !== undefined) return [];
  const decided = new Set(recorded.decisions.map(({ callId }) => callId));
  return waitingCalls(recorded).flatMap((waiting): readonly PendingItem[] => {
    const { callId } = waiting;
    if (decided.has(callId)) return [];
    const call = { runId, agent, callId, confirmation: waiting };
    return [isQuestion(waiting) ? { kind: "question", ...call, question: waiting } : { kind: "confirmation", ...call }];
  });
}
