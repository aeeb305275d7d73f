import type { ServerResponse } from "node:http";
import type { AgentEvent, AgentStream } from "../../agent/index.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { sendResponse } from "../node/send-response.js";
import { type EventBodyOptions, eventHeaders, streamBody } from "./event-body.js";
import type { EventEncoder } from "./event-encoder.js";
import { type PublicEvent, publicEvent } from "./public-event.js";
import { publicJson } from "./public-json.js";
import { type PublicResponse, publicResponse } from "./public-response.js";

/** An event as a browser receives it: the `data` of a server-sent event, plain JSON. See docs/14-web-applications.md. */
export type WebEvent = PublicEvent | { readonly type: "done"; readonly response: PublicResponse };

/** Options of `toEventStream` and `sendEventStream`. See docs/14-web-applications.md. */
export interface EventStreamOptions extends EventBodyOptions {
  /**
   * Sends the state of a run that can be resumed in the event `done`. The browser then has it: sign it with `stateSecret`. Default:
   * false.
   */
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
    return `id: ${this.#id}\nevent: ${event.type}\ndata: ${publicJson(this.#publicForm(event))}\n\n`;
  }

  #publicForm(event: AgentEvent): WebEvent {
    return event.type === "done" ? { type: "done", response: publicResponse(event.response, this.#includeState) } : publicEvent(event);
  }
}

/**
 * Converts a run to a response with server-sent events: each `AgentEvent` by its type, `done` at the end.
 *
 * ```ts
 * export const POST = async (request: Request) => toEventStream(new WeatherAgent().stream(await request.text()));
 * ```
 *
 * If the client disconnects, the run is aborted. See docs/14-web-applications.md.
 */
export function toEventStream(stream: AgentStream, options: EventStreamOptions = {}): Response {
  checkOptionNames(options, optionNames, "An event stream");
  return new Response(streamBody(stream, new ServerSentEvents(options), options), { headers: eventHeaders });
}

const optionNames: OptionNames<EventStreamOptions> = { includeState: true, heartbeat: true, onError: true };

/**
 * Like `toEventStream`, for the response of `node:http`, Express, Nest, or Fastify's `reply.raw`. Resolves when the response has
 * ended.
 *
 * See docs/14-web-applications.md.
 */
export const sendEventStream = (stream: AgentStream, response: ServerResponse, options: EventStreamOptions = {}): Promise<void> =>
  sendResponse(toEventStream(stream, options), response);
