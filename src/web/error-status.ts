import { AgentBusyError } from "../agent/index.js";
import { DecisionError } from "../confirmation/index.js";
import { RuntimeError } from "../durable/index.js";
import { RunStateError } from "../loop/index.js";
import { ConversationConflictError, JournalError, LeaseHeldError } from "../storage/index.js";
import { WebRequestError } from "./web-request-error.js";

const journalStatus: Readonly<Partial<Record<JournalError["reason"], number>>> = { unknown: 404, not_accepted: 404, exists: 409 };

/** The HTTP status of an error; 500 and above is the server's own affair. */
export function statusOf(error: unknown): number {
  if (error instanceof WebRequestError) return error.status;
  if (error instanceof AgentBusyError || error instanceof ConversationConflictError || error instanceof LeaseHeldError) return 409;
  if (error instanceof JournalError) return journalStatus[error.reason] ?? 500;
  if (error instanceof RuntimeError) return error.reason === "draining" ? 503 : error.reason === "limit_exceeded" ? 429 : 500;
  if (error instanceof RunStateError) return error.reason === "finished" || error.reason === "given_up" ? 409 : 500;
  if (!(error instanceof DecisionError)) return 500;
  if (error.reason === "expired") return 410;
  return ["unknown", "decided_twice", "invalid_arguments", "invalid_answer", "other_kind"].includes(error.reason) ? 400 : 409;
}
