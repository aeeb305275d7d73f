import type { Decision } from "../../confirmation/index.js";
import type { RunState } from "../../loop/index.js";
import { waitingCalls } from "../../loop/internal.js";
import { refuseLate } from "../../confirmation/internal.js";
import type { RunDecisions } from "../ui/approval-responses.js";
import { WebRequestError } from "../web-request-error.js";
import { type Asked, askApplication, type Resumption } from "./answer-run.js";
import type { PausedRuns } from "./paused-runs.js";

/**
 * The run that the decisions are for. Throws `WebRequestError`: 404 if none waits, 403 if the sender may not
 * decide, 410 if an approval comes too late.
 */
export async function runToResume({ runId, decisions }: RunDecisions, asked: Asked, runs: PausedRuns): Promise<Resumption> {
  const { request, body, report } = asked;
  const state = await askApplication(asked, () => runs.store.load(runId));
  if (state === undefined) {
    throw new WebRequestError(404, `No run "${runId}" waits for a decision: it was decided and has ended, or it is not known here.`);
  }
  const authorised: unknown = await askApplication(asked, () => runs.authorise(request, state, body));
  if (authorised !== true) {
    if (authorised !== false) report(noAnswer(authorised));
    throw new WebRequestError(403, `You may not decide for the run "${runId}": ask whom it belongs to.`);
  }
  refuseLate(decisions, waitingCalls(state));
  const { decidedBy } = runs;
  const person = decidedBy === undefined ? undefined : await askApplication(asked, () => decidedBy(request, body));
  return { state, decisions: decidedByPerson(decisions, person) };
}

/** The decisions of a person whom the application named. */
export const decidedByPerson = (decisions: readonly Decision[], decidedBy: string | undefined): readonly Decision[] =>
  decidedBy === undefined ? decisions : decisions.map((decision) => ({ ...decision, decidedBy }));

/** An object that says no, or an error, would count as yes. */
const noAnswer = (answer: unknown): TypeError =>
  new TypeError(
    `pausedRuns: authorise must return true or false, got ${answer === null ? "null" : typeof answer}. The decision was answered 403.`,
  );

/** `useChat` sends every answer of a message again: those that were used are left out, as long as one is new. */
export function newDecisions({ decisions }: RunDecisions, state: RunState): readonly Decision[] {
  const waiting = new Set(waitingCalls(state).map(({ callId }) => callId));
  const open = decisions.filter(({ callId }) => waiting.has(callId));
  return open.length === 0 ? decisions : open;
}
