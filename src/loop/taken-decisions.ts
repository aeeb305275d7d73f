import type { Confirmation, Decision } from "../confirmation/index.js";
import { longestDecider } from "../confirmation/internal.js";
import type { LoopState } from "./loop-state.js";
import { waitingCalls } from "./open-confirmations.js";
import type { RunEntry } from "./run-entry.js";

/** A decision about a call, as a run's record has it. */
export interface TakenDecision {
  readonly callId: string;
  /** The tool's own name. */
  readonly tool: string;
  readonly decision: Decision["decision"];
  /** Who decided, as the application said. */
  readonly decidedBy?: string;
  /** Why a call was denied, if the person said so. */
  readonly reason?: string;
  /** What the person wrote in place of the arguments, if the call was approved with others. */
  readonly arguments?: Readonly<Record<string, unknown>>;
  /** When the person was asked: milliseconds since 1970, by the clock of the process that asked. */
  readonly askedAt: number;
  /** When the decision was recorded: milliseconds since 1970, by the clock of the process that took it. Absent in older records. */
  readonly decidedAt?: number;
  /** The id of the confirmation that was decided. */
  readonly confirmationId: string;
}

/**
 * The decisions that an entry adds to those that were taken before. A recorded decision comes twice: as it was taken, and when the run
 * goes on with it.
 */
export function decisionsIn(entry: RunEntry, before: LoopState, taken: readonly TakenDecision[]): readonly TakenDecision[] {
  switch (entry.kind) {
    case "decided":
      return about([entry.decision], waitingCalls({ loop: before }), entry.at);
    case "call_decided":
      return unknownOf(about([entry.decision], waitingCalls({ loop: before }), entry.at), taken);
    case "call_gated":
      return unknownOf(about(entry.gate.decisions, entry.gate.confirmations, entry.at), taken);
    default:
      return none;
  }
}

const none: readonly TakenDecision[] = [];

function about(decisions: readonly Decision[], asked: readonly Confirmation[], at: number | undefined): readonly TakenDecision[] {
  return decisions.flatMap((decision) => {
    const { callId, decidedBy } = decision;
    const confirmation = asked.find((one) => one.callId === callId);
    if (confirmation === undefined) return [];
    const { tool, id, requestedAt } = confirmation;
    return {
      ...{ callId, tool, decision: decision.decision, confirmationId: id, askedAt: Date.parse(requestedAt) },
      ...(decidedBy !== undefined && { decidedBy: decidedBy.slice(0, longestDecider) }),
      ...(decision.decision === "deny" && decision.reason !== undefined && { reason: decision.reason }),
      ...(decision.decision === "approve_edited" && { arguments: decision.arguments }),
      ...(at !== undefined && { decidedAt: at }),
    };
  });
}

const unknownOf = (found: readonly TakenDecision[], taken: readonly TakenDecision[]): readonly TakenDecision[] =>
  found.filter(({ confirmationId }) => !taken.some((one) => one.confirmationId === confirmationId));
