import type { AgentClass } from "../../agent/index.js";
import { keepSettings } from "../../execution/internal.js";
import type { Runtime, RunStatus, StartOptions } from "../../durable/index.js";
import { checkOptionNames, type OptionNames, untilAborted } from "../../tool/internal.js";
import type { JsonObject } from "../json-object.js";
import type { WebHandler } from "../node/to-node-handler.js";
import { failureReport } from "../stream/failure-report.js";
import { publicJson } from "../stream/public-json.js";
import { runEventsResponse } from "../stream/run-events-response.js";
import { WebRequestError } from "../web-request-error.js";
import { BodyIntake } from "./body-intake.js";
import { checkDecidedBy } from "./check-handler-options.js";
import { problemResponse } from "./problem-response.js";
import { defaultBodyLimit, readBody } from "./read-body.js";
import { readDecisions, readPrompt } from "./read-request.js";
import { decidedByPerson } from "./resume-run.js";

/** The run that a request asks for. */
export interface AskedRun extends StartOptions {
  /** The agent, by name or class. */
  readonly agent: string | AgentClass;
}

/** Options of `runHandler`. See docs/20-runtimes.md. */
export interface RunHandlerOptions {
  /** The runtime that carries out the runs. */
  readonly runtime: Runtime;
  /** Returns the agent that answers, and what its run needs. Take the user from the session, not from the body. */
  readonly start: (request: Request, body: JsonObject) => AskedRun | Promise<AskedRun>;
  /** Whether the sender may read this run, decide about its calls, and cancel it. Compare the user with `run.context` or `run.tags`. */
  readonly authorise: (request: Request, run: RunStatus) => boolean | Promise<boolean>;
  /** Who decides, from the session of the request: a name or an id of at most 200 characters. The decisions have it as `decidedBy`. */
  readonly decidedBy?: (request: Request, body: JsonObject) => string | undefined | Promise<string | undefined>;
  /** Receives errors of the server; the client only reads that something failed. Default: a process warning. */
  readonly onError?: (error: unknown, request: Request) => void;
  /** The most bytes of a request body. Default: 4 MB. */
  readonly bodyLimit?: number;
  /** Milliseconds without an event after which a comment is sent, to keep the connection open. Default: 15,000. */
  readonly heartbeat?: number;
}

const optionNames: OptionNames<RunHandlerOptions> = {
  runtime: true,
  start: true,
  authorise: true,
  decidedBy: true,
  onError: true,
  bodyLimit: true,
  heartbeat: true,
};

/**
 * Makes an endpoint for runs that outlive their requests:
 *
 * - `POST { prompt }` starts a run: 202 with `{ runId, status, ... }`
 * - `GET ?runId=...` streams its events, from the beginning or after the header `Last-Event-ID`, which browsers send when they connect again
 * - `GET ?runId=...` with `Accept: application/json` answers how the run stands
 * - `POST { runId, decisions }`, or the form of `confirmationCardHtml`, decides about calls that wait
 * - `DELETE ?runId=...` cancels the run
 *
 * ```ts
 * const runs = runHandler({
 *   runtime,
 *   start: (request) => ({ agent: SupportAgent, context: { userId: userOf(request).id } }),
 *   authorise: (request, run) => run.context.userId === userOf(request).id,
 * });
 * app.all("/runs", toNodeHandler(runs));
 * ```
 *
 * If the client disconnects, the run goes on. See docs/20-runtimes.md.
 */
export function runHandler(options: RunHandlerOptions): WebHandler {
  checkRunHandlerOptions(options);
  const { runtime, start, authorise, decidedBy, onError, bodyLimit = defaultBodyLimit, heartbeat } = options;
  const intake = new BodyIntake(bodyLimit);

  return async (request) => {
    const settings = keepSettings();
    const report = failureReport(`A request to ${new URL(request.url).pathname}`, onError && ((error) => onError(error, request)));
    /** Asks a function of the application, until the sender leaves. */
    const ask = <Value>(given: () => Value | Promise<Value>): Value | PromiseLike<Value> => untilAborted(settings(given), request.signal);

    /** The run, if the sender may have it. */
    const authorised = async (runId: string | null): Promise<RunStatus> => {
      if (runId === null || runId === "") throw new WebRequestError(400, "Name the run: ?runId=...");
      const run = await runtime.status(runId);
      const answer: unknown = await ask(() => authorise(request, run));
      if (answer === true) return run;
      if (answer !== false)
        report(new TypeError(`runHandler: authorise must return true or false, got ${typeof answer}. It was answered 403.`));
      throw new WebRequestError(403, `You may not see the run "${runId}": ask whom it belongs to.`);
    };

    const post = async (): Promise<Response> => {
      const body = await readBody(request, ["application/json", "application/x-www-form-urlencoded"], intake);
      if ("decisions" in body || "confirmationId" in body) {
        const { runId, decisions } = readDecisions(body);
        await authorised(runId);
        const person = await ask(() => decidedBy?.(request, body));
        return statusResponse(await runtime.decideAll(runId, decidedByPerson(decisions, person)), 202);
      }
      const prompt = readPrompt(body);
      if (prompt === undefined) throw new WebRequestError(400, 'Send { "prompt": "..." }, or { "runId": "...", "decisions": [...] }.');
      const { agent, ...asked } = await ask(() => start(request, body));
      return statusResponse(await runtime.start(agent, prompt, asked), 202);
    };

    const get = async (runId: string | null): Promise<Response> => {
      const run = await authorised(runId);
      if (request.headers.get("accept")?.includes("application/json") === true) return statusResponse(run, 200);
      return runEventsResponse(runtime, run, { after: lastEventId(request), heartbeat, signal: request.signal, report });
    };

    try {
      const runId = new URL(request.url).searchParams.get("runId");
      switch (request.method) {
        case "POST":
          return await post();
        case "GET":
          return await get(runId);
        case "DELETE":
          return statusResponse(await runtime.cancel((await authorised(runId)).runId), 200);
        default:
          throw new WebRequestError(405, `Use GET, POST or DELETE here, not ${request.method}.`, { allow: "GET, POST, DELETE" });
      }
    } catch (error) {
      // The client left before the answer. Nothing failed.
      if (request.signal.aborted && error === request.signal.reason) return new Response(null, { status: 499 });
      report(error);
      return problemResponse(error);
    }
  };
}

function lastEventId(request: Request): string | undefined {
  const id = request.headers.get("last-event-id") ?? new URL(request.url).searchParams.get("after") ?? undefined;
  if (id === undefined || /^\d{1,15}[.+]\d{1,15}$/.test(id)) return id;
  throw new WebRequestError(400, "The header Last-Event-ID must be the id of an event of this run.");
}

/** Without the context, which is for the server. */
function statusResponse({ runId, agent, status, outcome, pending }: RunStatus, code: number): Response {
  const shown = { runId, agent, status, pending, ...(outcome !== undefined && { outcome: { reason: outcome.reason } }) };
  return new Response(publicJson(shown), { status: code, headers: { "content-type": "application/json", "cache-control": "no-store" } });
}

function checkRunHandlerOptions(options: RunHandlerOptions): void {
  checkOptionNames(options, optionNames, "runHandler");
  const { runtime, bodyLimit } = options;
  if (typeof runtime?.start !== "function" || typeof runtime.events !== "function") {
    throw new TypeError("runHandler: runtime must be a runtime, such as new InProcessRuntime({ storage, agents }).");
  }
  for (const name of ["start", "authorise"] as const) {
    if (typeof options[name] !== "function") throw new TypeError(`runHandler: ${name} must be a function.`);
  }
  if (options.onError !== undefined && typeof options.onError !== "function")
    throw new TypeError("runHandler: onError must be a function.");
  checkDecidedBy(options.decidedBy, "runHandler");
  if (bodyLimit !== undefined && !(typeof bodyLimit === "number" && bodyLimit > 0)) {
    throw new TypeError(`runHandler: bodyLimit must be a number of bytes above 0, got ${String(bodyLimit)}.`);
  }
}
