import type { ServerResponse } from "node:http";
import type { AgentEvent, AgentStream } from "../../agent/index.js";
import { checkOptionNames, type OptionNames } from "../../tool/internal.js";
import { sendResponse } from "../node/send-response.js";
import { type EventBodyOptions, eventHeaders, streamBody } from "./event-body.js";
import type { EventEncoder } from "./event-encoder.js";
import { type ToldEvent, toldEvent } from "./told-event.js";
import { toldJson } from "./told-json.js";
import { type ToldResponse, toldResponse } from "./told-response.js";

/** An event as a browser gets it: the `data` of a server-sent event, plain JSON. */
export type WebEvent = ToldEvent | { readonly type: "done"; readonly response: ToldResponse };

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
    return event.type === "done" ? { type: "done", response: toldResponse(event.response, this.#includeState) } : toldEvent(event);
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
