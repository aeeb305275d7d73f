import type { ServerResponse } from "node:http";
import type { AgentEvent, AgentStream } from "../../../agent/index.js";
import { redact, redactText } from "../../../tool/index.js";
import { checkOptionNames, type OptionNames } from "../../../tool/internal.js";
import { sendResponse } from "../node/send-response.js";
import { type EventBodyOptions, eventHeaders, streamBody } from "./event-body.js";
import type { EventEncoder } from "./event-encoder.js";
import { type ToldError, toldError } from "./told-error.js";
import { toldJson } from "./told-json.js";
import { type ToldResponse, toldResponse, toldResult, toldStep } from "./told-response.js";

/** An event as a browser gets it: the `data` of a server-sent event, plain JSON. */
export type WebEvent =
  | Exclude<AgentEvent, { readonly type: "error" | "done" }>
  | { readonly type: "error"; readonly error: ToldError }
  | { readonly type: "done"; readonly response: ToldResponse };

export interface EventStreamOptions extends EventBodyOptions {
  /** Sends the state of a run that can be resumed with `done`. It then belongs to the browser: sign it by `stateSecret`. */
  readonly includeState?: boolean;
}

/** `id: 1`, `event: text_delta`, `data: {"type":"text_delta",...}`. */
export class ServerSentEvents implements EventEncoder {
  readonly opening = "";
  readonly closing = "";
  readonly #includeState: boolean;
  #id = 0;

  constructor({ includeState = false }: Pick<EventStreamOptions, "includeState">) {
    this.#includeState = includeState;
  }

  encode(event: AgentEvent): string {
    this.#id += 1;
    return `id: ${this.#id}\nevent: ${event.type}\ndata: ${toldJson(this.#told(event))}\n\n`;
  }

  #told(event: AgentEvent): WebEvent {
    switch (event.type) {
      case "error":
        return { type: "error", error: toldError(event.error) };
      case "done":
        return { type: "done", response: toldResponse(event.response, this.#includeState) };
      case "aborted":
        return { type: "aborted", detail: redactText(event.detail) };
      case "tool_started":
        return { ...event, input: redact(event.input) };
      case "tool_progress":
        return event.message === undefined ? event : { ...event, message: redactText(event.message) };
      case "tool_result":
        return toldResult(event);
      case "step_done":
        return { ...event, result: toldStep(event.result) };
      default:
        return event;
    }
  }
}

/**
 * A run as server-sent events: each `AgentEvent` by its type, with `done` as the last one. The client that disconnects
 * aborts the run.
 *
 * ```ts
 * export const POST = async (request: Request) => toEventStream(new WeatherAgent().stream(await request.text()));
 * ```
 */
export function toEventStream(stream: AgentStream, options: EventStreamOptions = {}): Response {
  checkOptionNames(options, optionNames, "An event stream");
  return new Response(streamBody(stream, new ServerSentEvents(options), options), { headers: eventHeaders });
}

const optionNames: OptionNames<EventStreamOptions> = { includeState: true, heartbeat: true, onError: true };

/** As `toEventStream`, for `node:http`, Express, Nest and Fastify's `reply.raw`. Resolves when the response has ended. */
export const sendEventStream = (stream: AgentStream, response: ServerResponse, options: EventStreamOptions = {}): Promise<void> =>
  sendResponse(toEventStream(stream, options), response);
