import type { Agent, AgentResponse, AgentStream, GenerateOptions, Prompt } from "../../agent/index.js";
import type { Decision } from "../../confirmation/index.js";
import type { RunState } from "../../loop/index.js";
import { keepSettings, type WithSettings } from "../../execution/internal.js";
import { warnProcess } from "../../redaction/internal.js";
import { untilAborted, watchOf } from "../../tool/internal.js";
import type { JsonObject } from "../json-object.js";
import { eventBody, eventHeaders } from "../stream/event-body.js";
import { type FailureReport, failureReport } from "../stream/failure-report.js";
import { ServerSentEvents } from "../stream/server-sent-events.js";
import { refuseNothingToContinue } from "../refuse-nothing-to-continue.js";
import { publicJson } from "../stream/public-json.js";
import { publicResponse } from "../stream/public-response.js";
import { streamChat } from "../ui/stream-chat.js";
import { UiMessageEncoder, uiMessageHeaders } from "../ui/ui-message-stream.js";
import { WebRequestError } from "../web-request-error.js";
import { takeTurn } from "./conversation-turns.js";
import type { HandlerOptions } from "./handler-options.js";
import type { PausedRuns } from "./paused-runs.js";
import { problemResponse } from "./problem-response.js";

/** What is to be run: a prompt, or the conversation as it is, without one; what `useChat` posted, or a run that goes on. */
export type Work = { readonly prompt: Prompt | undefined } | { readonly chat: JsonObject } | Resumption;

export interface Resumption {
  readonly state: RunState;
  readonly decisions: readonly Decision[];
}

/** The request that a run answers. */
export interface Asked {
  readonly request: Request;
  readonly body: JsonObject;
  readonly report: FailureReport;
  /** Those that held when the request came. */
  readonly settings: WithSettings;
}

/** Asks a function of the application about a request, until its sender leaves: then it throws the reason of the request's signal. */
export const askApplication = <Value>(
  { settings, request }: Pick<Asked, "settings" | "request">,
  ask: () => Value | PromiseLike<Value>,
): Value | PromiseLike<Value> => untilAborted(settings(ask), request.signal);

/** Runs the agent and answers with what happens. Throws if the run can't begin. */
export async function answerRun(work: Work, asked: Asked, settings: HandlerOptions, runs: PausedRuns | undefined): Promise<Response> {
  const { request, body } = asked;
  const state = "state" in work ? work.state : undefined;
  const { agent, end } = await takeTurn(() => askApplication(asked, () => settings.agent(request, body, state)), request.signal);
  try {
    const { settled, answer } = await answerBy(agent, work, asked, settings, runs);
    settled.then(end, end);
    return answer;
  } catch (error) {
    end();
    throw error;
  }
}

interface Answering {
  /** Resolves when what belongs to the run is stored. */
  readonly settled: Promise<AgentResponse>;
  readonly answer: Response | Promise<Response>;
}

async function answerBy(
  agent: Agent,
  work: Work,
  asked: Asked,
  settings: HandlerOptions,
  runs: PausedRuns | undefined,
): Promise<Answering> {
  const { request, body, report } = asked;
  if ("prompt" in work && work.prompt === undefined) refuseNothingToContinue(agent, 'Send { "prompt": "..." }.');
  const state = "state" in work ? work.state : undefined;
  const leaving = state === undefined && runs !== undefined ? agent.state?.runId : undefined;
  const options = await optionsOf(asked, settings, state);
  const stream = await asked.settings(() => begin(agent, work, options, runs));
  const keep = async (response: AgentResponse): Promise<void> => {
    if (response.reason !== "awaiting_confirmation" && response.reason !== "awaiting_answer") {
      if (state !== undefined) await runs?.store.delete(response.runId);
    } else if (runs === undefined) warnOfLoss(response.runId, settings);
    else await runs.store.save(response.runId, response.state);
    await settings.onFinish?.({ agent, response, request, body, ...(state !== undefined && { state }) });
  };
  const forget = async (): Promise<void> => {
    if (leaving !== undefined) await runs?.store.delete(leaving);
  };
  const settled = settle(stream, forget, keep, report).finally(interruptAt(settings.shutdown, agent));
  // The code that awaits it reports the error.
  settled.catch(() => undefined);
  const { heartbeat, format } = settings;
  const bodySettings = { settled, heartbeat, report };
  const answer = (): Response | Promise<Response> => {
    if (format === "json") return settled.then(jsonResponse, problemResponse);
    if (format === "sse") return new Response(eventBody(stream, new ServerSentEvents({}), bodySettings), { headers: eventHeaders });
    const encoder = new UiMessageEncoder("decisions" in work ? { decisions: work.decisions } : {});
    return new Response(eventBody(stream, encoder, bodySettings), { headers: uiMessageHeaders });
  };
  return { settled, answer: answer() };
}

/** Ends the run between two steps when the process shuts down. To be called when the run has ended. */
function interruptAt(shutdown: AbortSignal | undefined, agent: Agent): () => void {
  if (shutdown === undefined) return () => undefined;
  const interrupt = (): unknown => agent.interrupt("The server is shutting down.");
  if (shutdown.aborted) interrupt();
  const watch = watchOf(shutdown);
  const waiting = { cancel: interrupt };
  watch.add(waiting);
  return () => watch.remove(waiting);
}

const jsonResponse = (response: AgentResponse): Response =>
  new Response(publicJson(publicResponse(response, false)), { headers: { "content-type": "application/json" } });

async function optionsOf(asked: Asked, { context, options }: HandlerOptions, state: RunState | undefined): Promise<GenerateOptions> {
  const { request, body } = asked;
  // If it returns nothing, no user is signed in, and nothing else may stand for one.
  const toolContext =
    context === undefined ? {} : { toolContext: (await askApplication(asked, () => context(request, body, state))) ?? {} };
  return { ...(await askApplication(asked, () => options?.(request, body, state))), ...toolContext, abortSignal: request.signal };
}

/** The run, once nothing can refuse it any more: until then a status can still be given. */
async function begin(agent: Agent, work: Work, options: GenerateOptions, runs: PausedRuns | undefined): Promise<AgentStream> {
  let runStarted = (): void => undefined;
  const started = new Promise<void>((resolve) => {
    runStarted = resolve;
  });
  const claims = runs?.claims && { claims: runs.claims };
  const watched: GenerateOptions = { ...options, ...claims, listeners: [...(options.listeners ?? []), { runStarted: () => runStarted() }] };
  const stream = streamOf(agent, work, watched);
  await Promise.race([started, stream.response]);
  return stream;
}

function streamOf(agent: Agent, work: Work, options: GenerateOptions): AgentStream {
  if ("chat" in work) return streamChat(agent, work.chat, options);
  if ("prompt" in work) return agent.stream(work.prompt, options);
  return agent.resumeStream(work.state, { ...options, decisions: work.decisions });
}

/**
 * Deletes the abandoned run, and stores the state of the new run when it has ended, even if the client has left.
 */
async function settle(
  stream: AgentStream,
  forget: () => Promise<void>,
  keep: (response: AgentResponse) => Promise<void>,
  report: FailureReport,
): Promise<AgentResponse> {
  try {
    await forget();
    const response = await stream.response;
    if (response.error !== undefined) report(response.error);
    await keep(response);
    return response;
  } catch (error) {
    report(error);
    throw error;
  }
}

function warnOfLoss(runId: string, { onFinish }: HandlerOptions): void {
  // Who takes the response may keep its state.
  if (onFinish !== undefined) return;
  warnProcess(`The run ${runId} waits for a person, but isn't stored: pass pausedRuns to the handlers.`);
}

/** Answers with the result of `work`. An error becomes a status; if the client doesn't get the message, the application does. */
export async function answering(
  request: Request,
  { onError, shutdown }: HandlerOptions,
  work: (asked: Omit<Asked, "body">) => Promise<Response>,
): Promise<Response> {
  const settings = keepSettings();
  const report = failureReport(`A run at ${new URL(request.url).pathname}`, onError && ((error) => onError(error, request)));
  try {
    if (shutdown?.aborted === true) {
      throw new WebRequestError(503, "The server is shutting down. Send the request again.", { "retry-after": "1" });
    }
    return await work({ request, report, settings });
  } catch (error) {
    // The client left before the answer. Nothing failed.
    if (request.signal.aborted && error === request.signal.reason) return new Response(null, { status: 499 });
    report(error);
    return problemResponse(error);
  }
}
