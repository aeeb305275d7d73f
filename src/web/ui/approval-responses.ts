import { answer, approve, type Decision, deny } from "../../confirmation/index.js";
import { isRecord } from "../../schema/internal.js";
import type { JsonObject } from "../json-object.js";
import { readApprovalId } from "./approval-id.js";
import { type AskedOf, questionsIn } from "./question-part.js";
import { lastMessage, partsOf } from "./last-user-message.js";

/** Decisions that `useChat` posted, and the run that waits for them. */
export interface RunDecisions {
  /** The id of the run to resume. */
  readonly runId: string;
  /** The decisions for `resume`. */
  readonly decisions: readonly Decision[];
}

/**
 * Reads the user's answers to approval requests (`addToolApprovalResponse`) and the outputs of calls that the page answers
 * (`addToolOutput`) from the body that `useChat` posts.
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
  const parts = partsOf(message);
  const questions = questionsIn(parts);
  const answers = parts.flatMap((part) => [...answerIn(part), ...outputIn(part, questions)]);
  // A message may be that of several runs: the last one waits.
  const runId = answers.at(-1)?.runId;
  if (runId === undefined) return undefined;
  return { runId, decisions: answers.flatMap((answer) => (answer.runId === runId ? [answer.decision] : [])) };
}

interface RunDecision {
  readonly runId: string;
  readonly decision: Decision;
}

/** What the page gave by `addToolOutput` for a call that waits for it. */
function outputIn({ state, toolCallId, output, errorText }: JsonObject, questions: ReadonlyMap<string, AskedOf>): readonly RunDecision[] {
  const asked = typeof toolCallId === "string" ? questions.get(toolCallId) : undefined;
  if (asked === undefined) return [];
  if (state === "output-available" && output !== undefined) return [{ runId: asked.runId, decision: answer(asked, output) }];
  if (state !== "output-error") return [];
  return [{ runId: asked.runId, decision: deny(asked, typeof errorText === "string" ? errorText : undefined) }];
}

function answerIn({ state, toolCallId, approval }: JsonObject): readonly RunDecision[] {
  if (state !== "approval-responded" || typeof toolCallId !== "string" || !isRecord(approval)) return [];
  const asked = readApprovalId(approval.id);
  const { approved, reason } = approval;
  if (asked === undefined || typeof approved !== "boolean") return [];
  const seen = { callId: toolCallId, id: asked.confirmationId };
  return [{ runId: asked.runId, decision: approved ? approve(seen) : deny(seen, typeof reason === "string" ? reason : undefined) }];
}
