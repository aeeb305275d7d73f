import { statusOf } from "../error-status.js";
import { publicError } from "../stream/public-error.js";
import { WebRequestError } from "../web-request-error.js";

/** Why a run didn't begin: `{ "error": "..." }` with its status. */
export function problemResponse(error: unknown): Response {
  const status = statusOf(error);
  // Of what is wrong on the server's side the sender can't do anything.
  const message = status === 500 ? "The request failed on the server." : publicError(error).message;
  return Response.json({ error: message }, { status, headers: error instanceof WebRequestError ? error.headers : headersOf(status) });
}

/** Another process answers, or this one a little later. */
const headersOf = (status: number): Readonly<Record<string, string>> => (status === 503 ? { "retry-after": "1" } : {});
