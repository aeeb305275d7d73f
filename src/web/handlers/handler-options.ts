import type { Agent, AgentResponse, GenerateOptions } from "../../agent/index.js";
import type { RunState } from "../../loop/index.js";
import type { JsonObject } from "../json-value.js";
import type { EventBodyOptions } from "../stream/event-body.js";

/**
 * What a handler answers with: server-sent events, the AI SDK's UI message stream, or, when the run has ended, its response
 * as JSON.
 */
export type AnswerFormat = "sse" | "ui" | "json";

/**
 * What both handlers take. Functions get the request, its body as a JSON object (a form's fields, where it was one), and where a
 * run goes on that waited for a person, its `state`: it may be another user's run than that of who sent the decision.
 */
export interface HandlerOptions extends Pick<EventBodyOptions, "heartbeat"> {
  /** The agent that answers: a new one, or one with the history of the conversation (`new SupportAgent().load(store, body.id)`). */
  readonly agent: (request: Request, body: JsonObject, state?: RunState) => Agent | Promise<Agent>;
  readonly format: AnswerFormat;
  /**
   * The `toolContext` of the run: who the user is must come from the session, not from the body. All that a run does after a
   * decision is done with it. So where others than the user may decide, give that of the user whose run it is, by a tag of the run:
   *
   * ```ts
   * context: (request, _body, state) => contextOf(state === undefined ? userOf(request) : state.tags?.["user"])
   * ```
   */
  readonly context?: (
    request: Request,
    body: JsonObject,
    state?: RunState,
  ) => GenerateOptions["toolContext"] | Promise<NonNullable<GenerateOptions["toolContext"]>>;
  /** What else `generate` takes: `tags`, `budget`, `confirm`, `stateSecret`, ... */
  readonly options?: (request: Request, body: JsonObject, state?: RunState) => RunOptions | Promise<RunOptions>;
  /** Called when the run has ended, before the event `done` is sent: the place to store the conversation (`agent.save(store, id)`). */
  readonly onFinish?: (finished: FinishedRun) => void | Promise<void>;
  /** Hears of what failed on the server, models among it: the client is told that something did. Left out: process warnings. */
  readonly onError?: (error: unknown, request: Request) => void;
  /** The most bytes of a body. Default: 4 MB. */
  readonly bodyLimit?: number;
}

export type RunOptions = Omit<GenerateOptions, "abortSignal" | "toolContext">;

/** A run that has ended, as `onFinish` gets it. */
export interface FinishedRun {
  readonly agent: Agent;
  readonly response: AgentResponse;
  readonly request: Request;
  readonly body: JsonObject;
  /** The run as it waited, where it went on: its tags tell whose it is. */
  readonly state?: RunState;
}
