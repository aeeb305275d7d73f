import { follow } from "../../tool/internal.js";
import type { AgentResponse } from "../agent-response.js";
import type { AgentEvent } from "./agent-event.js";
import { EventReader, type StreamedEvents } from "./event-reader.js";

/** Runs an agent: emits each event, and returns the response. The signal is aborted if the readers leave. */
export type StreamSource<Output> = (emit: (event: AgentEvent) => void, abortSignal: AbortSignal) => Promise<AgentResponse<Output>>;

/**
 * A run as an async iterable of events, returned by `agent.stream`.
 *
 * ```ts
 * const stream = agent.stream("Weather in Paris?");
 * for await (const text of stream.textStream) process.stdout.write(text);
 * const { outcome, usage } = await stream.response;
 * ```
 *
 * The run starts at once, even without a reader. Several readers can iterate; each gets all events. If the last reader leaves its
 * `for await` early, the run is aborted. See docs/03-agents.md.
 */
export class AgentStream<Output = unknown> implements AsyncIterable<AgentEvent> {
  /** The response that `generate` would return. Rejects if `generate` would throw. */
  readonly response: Promise<AgentResponse<Output>>;
  readonly #streamed: StreamedEvents = { events: [], end: undefined };
  readonly #controller = new AbortController();
  #readers: readonly Pick<EventReader<unknown>, "look">[] = [];

  constructor(start: StreamSource<Output>, abortSignal: AbortSignal | undefined) {
    const emit = (event: AgentEvent): void => this.#add(event);
    const unfollow = follow(abortSignal, this.#controller);
    this.response = start(emit, this.#controller.signal);
    this.response.then(
      (response) => {
        unfollow();
        this.#add({ type: "done", response });
        this.#finish({});
      },
      // Readers of the events get the error there: a `response` that isn't awaited must not end the process.
      (error: unknown) => {
        unfollow();
        this.#add({ type: "error", error });
        this.#finish({ thrown: { error } });
      },
    );
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentEvent, undefined> {
    return this.#read((event) => event);
  }

  /** The text of the answer in pieces, without the other events. */
  get textStream(): AsyncIterable<string> {
    return { [Symbol.asyncIterator]: () => this.#read((event) => (event.type === "text_delta" ? event.delta : undefined)) };
  }

  #read<Item>(pick: (event: AgentEvent) => Item | undefined): AsyncIterator<Item, undefined> {
    const reader = new EventReader(this.#streamed, pick, () => {
      this.#readers = this.#readers.filter((other) => other !== reader);
      if (this.#streamed.end === undefined && this.#readers.length === 0) this.#controller.abort(new Error("The reader left the stream."));
    });
    this.#readers = [...this.#readers, reader];
    return reader;
  }

  #add(event: AgentEvent): void {
    // An abandoned model call may still stream, and an open call gets its result when the conversation continues.
    if (this.#streamed.end !== undefined) return;
    this.#streamed.events.push(event);
    for (const reader of this.#readers) reader.look();
  }

  #finish(end: NonNullable<StreamedEvents["end"]>): void {
    this.#streamed.end = end;
    for (const reader of this.#readers) reader.look();
  }
}
