import { approve, type Decision, deny } from "../../confirmation/index.js";
import { isRecord } from "../../schema/internal.js";
import type { JsonObject } from "../json-value.js";
import { readApprovalId } from "./approval-id.js";
import { lastMessage, partsOf } from "./last-user-message.js";

/** What a person answered, and the run that waits for it. */
export interface RunDecisions {
  readonly runId: string;
  readonly decisions: readonly Decision[];
}

/**
 * What the user answered to approval requests (`addToolApprovalResponse`), out of the body that `useChat` posts;
 * `undefined` where the last message isn't about that: then ask `lastUserMessage`. Earlier answers of the same run may be
 * among them. Throws `WebRequestError` (400) for another body.
 *
 * ```ts
 * const answered = approvalResponses(body);
 * if (answered) agent.resumeStream(await states.load(answered.runId), { decisions: answered.decisions });
 * ```
 */
export function approvalResponses(body: unknown): RunDecisions | undefined {
  const message = lastMessage(body);
  if (message.role !== "assistant") return undefined;
  const answers = partsOf(message).flatMap(answerIn);
  // A message may be that of several runs: the last one waits.
  const runId = answers.at(-1)?.runId;
  if (runId === undefined) return undefined;
  return { runId, decisions: answers.flatMap((answer) => (answer.runId === runId ? [answer.decision] : [])) };
}

function answerIn({ state, toolCallId, approval }: JsonObject): readonly { readonly runId: string; readonly decision: Decision }[] {
  if (state !== "approval-responded" || typeof toolCallId !== "string" || !isRecord(approval)) return [];
  const asked = readApprovalId(approval.id);
  const { approved, reason } = approval;
  if (asked === undefined || typeof approved !== "boolean") return [];
  const seen = { callId: toolCallId, id: asked.confirmationId };
  return [{ runId: asked.runId, decision: approved ? approve(seen) : deny(seen, typeof reason === "string" ? reason : undefined) }];
}
