import { approve, type Decision, deny } from "../../confirmation/index.js";
import { isRecord } from "../../schema/internal.js";
import type { JsonObject } from "../json-object.js";
import { readApprovalId } from "./approval-id.js";
import { lastMessage, partsOf } from "./last-user-message.js";

/** Decisions that `useChat` posted, and the run that waits for them. */
export interface RunDecisions {
  /** The id of the run to resume. */
  readonly runId: string;
  /** The decisions for `resume`. */
  readonly decisions: readonly Decision[];
}

/**
 * Reads the user's answers to approval requests (`addToolApprovalResponse`) from the body that `useChat` posts.
 *
 * ```ts
 * const answered = approvalResponses(body);
 * if (answered) agent.resumeStream(await states.load(answered.runId), { decisions: answered.decisions });
 * ```
 *
 * Returns `undefined` if the last message has none: then use `lastUserMessage`. Earlier answers of the same run may be included.
 * Throws `WebRequestError` (400) for an invalid body. See docs/14-web-applications.md.
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
