import type { WebHandler } from "../node/to-node-handler.js";
import { approvalResponses } from "../ui/approval-responses.js";
import { WebRequestError } from "../web-request-error.js";
import { type Asked, answering, answerRun, type Work } from "./answer-run.js";
import { checkHandlerOptions } from "./check-handler-options.js";
import { BodyIntake } from "./body-intake.js";
import type { HandlerOptions } from "./handler-options.js";
import type { PausedRuns } from "./paused-runs.js";
import { defaultBodyLimit, readBody } from "./read-body.js";
import { readPrompt } from "./read-request.js";
import { newDecisions, runToResume } from "./resume-run.js";

/** Options of `agentHandler`. See docs/14-web-applications.md. */
export interface AgentHandlerOptions extends HandlerOptions {
  /** The store of runs that wait for a person, for `decideHandler` or for the approvals of `useChat`. */
  readonly pausedRuns?: PausedRuns;
}

/**
 * Makes an endpoint that runs an agent. It takes `POST { prompt }` as JSON, or with the format `ui` what `useChat` posts, approvals
 * included. Without a prompt it continues a conversation that ends with a user message or tool results.
 *
 * ```ts
 * const chat = agentHandler({
 *   agent: (request, body) => new SupportAgent().load(conversations, `${userOf(request).id}/${body.id}`),
 *   context: (request) => ({ userId: userOf(request).id }),
 *   format: "ui",
 *   onFinish: ({ agent, request, body }) => agent.save(conversations, `${userOf(request).id}/${body.id}`),
 * });
 * app.post("/chat", toNodeHandler(chat));
 * ```
 *
 * If the client disconnects, the run is aborted. See docs/14-web-applications.md.
 */
export function agentHandler(settings: AgentHandlerOptions): WebHandler {
  checkHandlerOptions(settings, "agentHandler");
  const { format, pausedRuns, bodyLimit = defaultBodyLimit } = settings;
  const intake = new BodyIntake(bodyLimit);
  return (request) =>
    answering(request, settings, async (received) => {
      const body = await readBody(request, ["application/json"], intake);
      const asked: Asked = { ...received, body };
      const work = format === "ui" ? await workOfUi(asked, pausedRuns) : { prompt: readPrompt(asked.body) };
      return answerRun(work, asked, settings, pausedRuns);
    });
}

/** What `useChat` posted: a message of the user, an answer that stopped, or answers to what was asked in the last one. */
async function workOfUi(asked: Asked, pausedRuns: PausedRuns | undefined): Promise<Work> {
  const answered = asked.body.trigger === "regenerate-message" ? undefined : approvalResponses(asked.body);
  if (answered === undefined) return { chat: asked.body };
  if (pausedRuns === undefined) throw new WebRequestError(404, "No run can go on here: this endpoint keeps none that wait for a person.");
  const { state } = await runToResume(answered, asked, pausedRuns);
  return { state, decisions: newDecisions(answered, state) };
}
