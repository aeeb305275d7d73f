import type { WebHandler } from "../node/to-node-handler.js";
import { type Asked, answering, answerRun } from "./answer-run.js";
import { checkHandlerOptions, checkPausedRuns } from "./check-handler-options.js";
import { BodyIntake } from "./body-intake.js";
import type { HandlerOptions } from "./handler-options.js";
import type { PausedRuns } from "./paused-runs.js";
import { defaultBodyLimit, readBody } from "./read-body.js";
import { readDecisions } from "./read-request.js";
import { runToResume } from "./resume-run.js";

export interface DecideHandlerOptions extends HandlerOptions {
  readonly pausedRuns: PausedRuns;
}

/**
 * An endpoint that takes what people decided, and goes on with the run that waited for it. It takes `POST { runId, decisions }`
 * as JSON (the `payload` of a confirmation card's actions), or the form of `confirmationCardHtml`.
 *
 * What the run does then, it does with the `context` that this handler gives: where others than the user may decide, that of the
 * user whose run it is.
 *
 * It answers 404 where no such run waits, 403 where `authorise` says no, 409 where the call was decided already, and 410
 * where an approval comes too late.
 *
 * ```ts
 * const decide = decideHandler({ agent: () => new SupportAgent(), pausedRuns, context, format: "sse" });
 * app.post("/decide", toNodeHandler(decide));
 * ```
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
