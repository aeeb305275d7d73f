import type { WebHandler } from "../node/to-node-handler.js";
import { type Asked, answering, answerRun } from "./answer-run.js";
import { checkHandlerOptions, checkPausedRuns } from "./check-handler-options.js";
import { BodyIntake } from "./body-intake.js";
import type { HandlerOptions } from "./handler-options.js";
import type { PausedRuns } from "./paused-runs.js";
import { defaultBodyLimit, readBody } from "./read-body.js";
import { readDecisions } from "./read-request.js";
import { runToResume } from "./resume-run.js";

/** Options of `decideHandler`. See docs/14-web-applications.md. */
export interface DecideHandlerOptions extends HandlerOptions {
  /** The paused runs, and who may decide about them. Pass the same object to `agentHandler`. */
  readonly pausedRuns: PausedRuns;
}

/**
 * Makes an endpoint that takes a person's decisions and resumes the run that waits for them.
 *
 * ```ts
 * const decide = decideHandler({ agent: () => new SupportAgent(), pausedRuns, context, format: "sse" });
 * app.post("/decide", toNodeHandler(decide));
 * ```
 *
 * It takes `POST { runId, decisions }` as JSON (the `payload` of a confirmation card's actions), or the form of
 * `confirmationCardHtml`. The run continues with the `context` of this handler: if others than the user may decide, return the
 * context of the user whose run it is.
 *
 * Status codes: 404 if no such run waits, 403 if `authorise` returns false, 409 if the call was decided before, 410 if an approval
 * comes too late. See docs/14-web-applications.md.
 */
export function decideHandler(settings: DecideHandlerOptions): WebHandler {
  checkHandlerOptions(settings, "decideHandler");
  checkPausedRuns(settings.pausedRuns, "decideHandler: pausedRuns");
  const { pausedRuns, bodyLimit = defaultBodyLimit } = settings;
  const intake = new BodyIntake(bodyLimit);
  return (request) =>
    answering(request, settings, async (received) => {
      const body = await readBody(request, ["application/json", "application/x-www-form-urlencoded"], intake);
      const asked: Asked = { ...received, body };
      return answerRun(await runToResume(readDecisions(body), asked, pausedRuns), asked, settings, pausedRuns);
    });
}
