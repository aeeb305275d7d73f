import type { AgentEvent, AgentStream } from "../../agent/index.js";
import type { EventEncoder } from "./event-encoder.js";
import { type FailureReport, failureReport } from "./failure-report.js";

/** Options of streamed responses. */
export interface EventBodyOptions {
  /** Milliseconds without an event after which a comment is sent, to keep the connection open. Default: 15,000. */
  readonly heartbeat?: number;
  /** Receives the error if a run fails; the client doesn't get its details. Default: a process warning. */
  readonly onError?: (error: unknown) => void;
}

/** The body of a response that the application made itself. The error of its run is reported here alone, also if no one reads the body. */
export function streamBody(stream: AgentStream, encoder: EventEncoder, options: EventBodyOptions): ReadableStream<Uint8Array> {
  const report = failureReport("A run that was sent to a client", options.onError);
  stream.response.then(({ error }) => error !== undefined && report(error), report);
  return eventBody(stream, encoder, { heartbeat: options.heartbeat, report });
}

interface BodySettings {
  readonly heartbeat: number | undefined;
  /** Awaited before the event `done`: when a client receives it, the run is stored. */
  readonly settled?: Promise<unknown>;
  /** Gets the error of an event that can't be written. The code that started the run reports other errors. */
  readonly report: FailureReport;
}

/**
 * The body of a response: the events of a run, one frame each, as fast as the reader takes them. A reader that leaves
 * ends the run.
 */
export function eventBody(
  stream: AgentStream,
  encoder: EventEncoder,
  { heartbeat = 15_000, settled, report }: BodySettings,
): ReadableStream<Uint8Array> {
  const events = stream[Symbol.asyncIterator]();

  const written = (event: AgentEvent): string => {
    try {
      return encoder.encode(event);
    } catch (error) {
      report(error);
      throw error;
    }
  };

  /** The next frame; `undefined` after the last event. */
  const nextFrame = async (): Promise<string | undefined> => {
    for (;;) {
      // The event before has the error.
      const { value: event } = await events.next().catch(() => ({ value: undefined }));
      if (event === undefined) return undefined;
      if (event.type === "done") await settled;
      const frame = written(event);
      if (frame !== "") return frame;
    }
  };

  /** As `nextFrame`. If the application couldn't store the run, or an event has no JSON form, the stream ends. */
  const nextFrameOrFailure = async (): Promise<string | undefined> => {
    try {
      return await nextFrame();
    } catch (error) {
      await events.return?.();
      return encoder.encode({ type: "error", error });
    }
  };

  return frameBody({
    opening: encoder.opening,
    closing: encoder.closing,
    heartbeat,
    next: nextFrameOrFailure,
    leave: () => events.return?.(),
  });
}

/** The frames of a response. */
interface Frames {
  readonly opening: string;
  readonly closing: string;
  /** Milliseconds without a frame after which a comment is sent. */
  readonly heartbeat: number;
  /** The next frame; `undefined` after the last one. Never rejects. */
  readonly next: () => Promise<string | undefined>;
  /** Called when the reader leaves. */
  readonly leave: () => unknown;
}

/** The body of a response: frames, one by one, as fast as the reader takes them. */
export function frameBody({ opening, closing, heartbeat, next, leave }: Frames): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder();
  let unsent = opening;
  let beat: NodeJS.Timeout | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (unsent !== "") {
          controller.enqueue(bytes.encode(unsent));
          unsent = "";
          return;
        }
        // At most one comment waits for a reader that is slow.
        beat = setInterval(() => controller.desiredSize === 0 && controller.enqueue(bytes.encode(": keep-alive\n\n")), heartbeat);
        beat.unref();
        const frame = await next();
        if (beat === undefined) return;
        clearInterval(beat);
        if (frame !== undefined) return controller.enqueue(bytes.encode(frame));
        if (closing !== "") controller.enqueue(bytes.encode(closing));
        controller.close();
      },
      async cancel() {
        clearInterval(beat);
        beat = undefined;
        await leave();
      },
    },
    // Nothing is read ahead.
    { highWaterMark: 0 },
  );
}

/** Proxies must neither keep nor compress a stream: both would hold it back. */
export const eventHeaders: Readonly<Record<string, string>> = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};
