import type { Agent, AgentResponse, GenerateOptions } from "../../agent/index.js";
import type { RunState } from "../../loop/index.js";
import type { JsonObject } from "../json-object.js";
import type { EventBodyOptions } from "../stream/event-body.js";

/**
 * The format of a handler's response: server-sent events (`"sse"`), the AI SDK's UI message stream (`"ui"`), or the agent's
 * response as JSON at the end (`"json"`).
 */
export type AnswerFormat = "sse" | "ui" | "json";

/**
 * Options of `agentHandler` and `decideHandler`. See docs/14-web-applications.md.
 *
 * Functions receive the request and its body as an object (the fields, if it was a form). If a paused run is resumed, they also
 * receive its `state`. That run may belong to another user than the sender of the request.
 */
export interface HandlerOptions extends Pick<EventBodyOptions, "heartbeat"> {
  /** Returns the agent that answers: a new one, or one with a loaded conversation (`new SupportAgent().load(store, body.id)`). */
  readonly agent: (request: Request, body: JsonObject, state?: RunState) => Agent | Promise<Agent>;
  /** The format of the response. */
  readonly format: AnswerFormat;
  /**
   * Returns the `toolContext` of the run. Take the user from the session, not from the body.
   *
   * A resumed run uses it too. If others than the user may decide, return the context of the user whose run it is, by a tag of the
   * run:
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
  /** Returns other options of `generate`: `tags`, `budget`, `confirm`, `stateSecret`, ... */
  readonly options?: (request: Request, body: JsonObject, state?: RunState) => RunOptions | Promise<RunOptions>;
  /** Called when the run has ended, before the event `done` is sent. Store the conversation here: `agent.save(store, id)`. */
  readonly onFinish?: (finished: FinishedRun) => void | Promise<void>;
  /** Receives errors of the server and of models; the client only reads that something failed. Default: a process warning. */
  readonly onError?: (error: unknown, request: Request) => void;
  /** The most bytes of a request body. Default: 4 MB. */
  readonly bodyLimit?: number;
  /**
   * Abort it when the process shuts down: runs under way end between two steps, with the outcome `interrupted`, and new requests are answered
   * with 503.
   */
  readonly shutdown?: AbortSignal;
}

/** The options of `generate` that a handler's `options` may return. */
export type RunOptions = Omit<GenerateOptions, "abortSignal" | "toolContext">;

/** A run that has ended, for `onFinish`. */
export interface FinishedRun {
  /** The agent that answered. */
  readonly agent: Agent;
  /** The response of the run. */
  readonly response: AgentResponse;
  /** The HTTP request. */
  readonly request: Request;
  /** The body of the request. */
  readonly body: JsonObject;
  /** The paused run, if it was resumed. Its tags say whose run it is. */
  readonly state?: RunState;
}
