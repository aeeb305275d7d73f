import type { AgentStream } from "../../../agent/index.js";
import type { EventEncoder } from "./event-encoder.js";

export interface EventBodyOptions {
  /** Milliseconds of silence after which a comment keeps the connection open. Default: 15,000. */
  readonly heartbeat?: number;
}

/**
 * The body of a response: the events of a run, one frame each, as fast as the reader takes them. A reader that leaves
 * ends the run. `settled` is awaited before the event `done`: whoever hears of it finds stored what belongs to the run.
 */
export function eventBody(
  stream: AgentStream,
  encoder: EventEncoder,
  { heartbeat = 15_000, settled }: EventBodyOptions & { readonly settled?: Promise<unknown> },
): ReadableStream<Uint8Array> {
  const events = stream[Symbol.asyncIterator]();
  const bytes = new TextEncoder();
  let opening: string | undefined = encoder.opening;
  let beat: NodeJS.Timeout | undefined;

  /** The next frame; `undefined` after the last event. */
  const nextFrame = async (): Promise<string | undefined> => {
    for (;;) {
      // What code threw was told by the event before.
      const { value: event } = await events.next().catch(() => ({ value: undefined }));
      if (event === undefined) return undefined;
      if (event.type === "done") await settled;
      const frame = encoder.encode(event);
      if (frame !== "") return frame;
    }
  };

  /** As `nextFrame`; where the application couldn't store what belongs to the run, or an event is no JSON, that ends it. */
  const nextFrameOrFailure = async (): Promise<string | undefined> => {
    try {
      return await nextFrame();
    } catch (error) {
      await events.return?.();
      return encoder.encode({ type: "error", error });
    }
  };

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (opening) {
          controller.enqueue(bytes.encode(opening));
          opening = undefined;
          return;
        }
        // At most one comment waits for a reader that is slow.
        beat = setInterval(() => controller.desiredSize === 0 && controller.enqueue(bytes.encode(": keep-alive\n\n")), heartbeat);
        beat.unref();
        const frame = await nextFrameOrFailure();
        if (beat === undefined) return;
        clearInterval(beat);
        if (frame !== undefined) return controller.enqueue(bytes.encode(frame));
        if (encoder.closing !== "") controller.enqueue(bytes.encode(encoder.closing));
        controller.close();
      },
      async cancel() {
        clearInterval(beat);
        beat = undefined;
        await events.return?.();
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
