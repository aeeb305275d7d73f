import type { DecidedEvent, Runtime, RunEvent, RunStatus } from "../../durable/index.js";
import { follow } from "../../tool/internal.js";
import { eventHeaders, frameBody } from "./event-body.js";
import type { FailureReport } from "./failure-report.js";
import { publicError } from "./public-error.js";
import { publicEvent } from "./public-event.js";
import { publicJson } from "./public-json.js";
import { publicResponse } from "./public-response.js";

interface Settings {
  /** The id of the last event that the client has. */
  readonly after: string | undefined;
  readonly heartbeat: number | undefined;
  /** Of the request. */
  readonly signal: AbortSignal;
  readonly report: FailureReport;
}

/**
 * The events of a run as server-sent events, with ids to go on from. A client that has all events of a run that has ended gets 204: by the
 * HTML standard (server-sent events, "processing model"), browsers then don't connect again.
 */
export async function runEventsResponse(runtime: Runtime, run: RunStatus, settings: Settings): Promise<Response> {
  const { after, heartbeat = 15_000, signal, report } = settings;
  const leaving = new AbortController();
  const unfollow = follow(signal, leaving);
  const events = runtime.events(run.runId, { abortSignal: leaving.signal, ...(after !== undefined && { after }) })[Symbol.asyncIterator]();
  const leave = (): void => {
    unfollow();
    leaving.abort();
    void events.return?.();
  };
  let first = run.status === "ended" ? await events.next() : undefined;
  if (first?.done === true) {
    leave();
    return new Response(null, { status: 204 });
  }

  const next = async (): Promise<string | undefined> => {
    try {
      const { value, done } = first ?? (await events.next());
      first = undefined;
      if (done !== true) return frameOf(value);
      unfollow();
      return undefined;
    } catch (error) {
      report(error);
      leave();
      return frame("", "error", { type: "error", error: publicError(error) });
    }
  };
  return new Response(frameBody({ opening: "retry: 1000\n\n", closing: "", heartbeat, next, leave }), { headers: eventHeaders });
}

const withoutPerson = ({ decidedBy: _by, reason: _reason, arguments: _edited, ...event }: DecidedEvent): object => event;

function frameOf({ id, event }: RunEvent): string {
  if (event.type === "resumed") return frame(id, event.type, event);
  // The user of the run needn't learn the names of those who decide.
  if (event.type === "decided") return frame(id, event.type, withoutPerson(event));
  if (event.type === "done") return frame(id, event.type, { type: "done", response: publicResponse(event.response, false) });
  return frame(id, event.type, publicEvent(event));
}

/** Without an id, a client goes on from the one before. */
const frame = (id: string, type: string, data: unknown): string =>
  `${id === "" ? "" : `id: ${id}\n`}event: ${type}\ndata: ${publicJson(data)}\n\n`;
