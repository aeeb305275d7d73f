import { AgentBusyError, DecisionError, RunStateError } from "../../../agent/index.js";
import { toldError } from "../stream/told-error.js";
import { WebRequestError } from "../web-request-error.js";

/** Why a run didn't begin: `{ "error": "..." }` with its status. */
export function problemResponse(error: unknown): Response {
  const status = statusOf(error);
  // Of what is wrong on the server's side the sender can't do anything.
  const message = status === 500 ? "The request failed on the server." : toldError(error).message;
  return Response.json({ error: message }, { status, headers: error instanceof WebRequestError ? error.headers : {} });
}

export function statusOf(error: unknown): number {
  if (error instanceof WebRequestError) return error.status;
  if (error instanceof AgentBusyError) return 409;
  if (error instanceof RunStateError) return error.reason === "finished" ? 409 : 500;
  if (!(error instanceof DecisionError)) return 500;
  return ["unknown", "decided_twice", "invalid_arguments"].includes(error.reason) ? 400 : 409;
}
