import type { AgentResponse } from "../response.js";
import type { AgentEvent } from "./agent-event.js";

/** Runs an agent: tells of each event, and ends with the response. Aborted by the signal where the readers leave. */
export type StreamSource<Output> = (emit: (event: AgentEvent) => void, abortSignal: AbortSignal) => Promise<AgentResponse<Output>>;

/**
 * A run as it happens: an async iterable of events. The run begins at once, whether or not somebody reads; events wait
 * for their readers, of which there may be several. The last reader that leaves a `for await` before its end aborts
 * the run.
 *
 * ```ts
 * const stream = agent.stream("Weather in Paris?");
 * for await (const text of stream.textStream) process.stdout.write(text);
 * const { outcome, usage } = await stream.response;
 * ```
 */
export class AgentStream<Output = unknown> implements AsyncIterable<AgentEvent> {
  /** What `generate` would give. Rejects with what `generate` would throw. */
  readonly response: Promise<AgentResponse<Output>>;
  readonly #events: AgentEvent[] = [];
  readonly #controller = new AbortController();
  #waiting: (() => void)[] = [];
  #readers = 0;
  #end: { readonly thrown?: { readonly error: unknown } } | undefined;

  constructor(start: StreamSource<Output>, abortSignal: AbortSignal | undefined) {
    const signal = abortSignal === undefined ? this.#controller.signal : AbortSignal.any([abortSignal, this.#controller.signal]);
    const emit = (event: AgentEvent): void => this.#add(event);
    this.response = start(emit, signal);
    this.response.then(
      (response) => {
        this.#add({ type: "done", response });
        this.#finish({});
      },
      // Whoever reads the events gets the error there: a `response` that nobody awaits must not end the process.
      (error: unknown) => {
        this.#add({ type: "error", error });
        this.#finish({ thrown: { error } });
      },
    );
  }

  [Symbol.asyncIterator](): AsyncIterator<AgentEvent, undefined> {
    return this.#read((event) => event);
  }

  /** The text of the answer, piece by piece, without the other events. */
  get textStream(): AsyncIterable<string> {
    return { [Symbol.asyncIterator]: () => this.#read((event) => (event.type === "text_delta" ? event.delta : undefined)) };
  }

  /** Reads from the first event on; those of which `pick` gives `undefined` are passed over. */
  #read<Item>(pick: (event: AgentEvent) => Item | undefined): AsyncIterator<Item, undefined> {
    let position = 0;
    let open = true;
    this.#readers += 1;
    const leave = (): void => {
      if (!open) return;
      open = false;
      this.#readers -= 1;
    };
    const take = (): IteratorResult<Item, undefined> | undefined => {
      while (open && position < this.#events.length) {
        const item = pick(this.#events[position++] as AgentEvent);
        if (item !== undefined) return { done: false, value: item };
      }
      if (open && this.#end === undefined) return undefined;
      const failed = open && this.#end?.thrown;
      leave();
      if (failed) throw failed.error;
      return { done: true, value: undefined };
    };
    const wait = (): Promise<IteratorResult<Item, undefined>> =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          try {
            const taken = take();
            if (taken === undefined) this.#waiting.push(look);
            else resolve(taken);
          } catch (error) {
            reject(error);
          }
        };
        this.#waiting.push(look);
      });
    // Most events are there already when they are asked for; the others go straight to the reader that waits.
    const next = (): Promise<IteratorResult<Item, undefined>> => {
      try {
        const taken = take();
        return taken === undefined ? wait() : Promise.resolve(taken);
      } catch (error) {
        return Promise.reject(error);
      }
    };
    const leaveEarly = async (): Promise<IteratorResult<Item, undefined>> => {
      leave();
      if (this.#end === undefined && this.#readers === 0) this.#controller.abort(new Error("The reader left the stream."));
      return { done: true, value: undefined };
    };
    return { next, return: leaveEarly };
  }

  #add(event: AgentEvent): void {
    // A model that was given up may go on to tell of its answer, and an open call gets its result when the conversation goes on.
    if (this.#end !== undefined) return;
    this.#events.push(event);
    this.#wake();
  }

  #finish(end: { readonly thrown?: { readonly error: unknown } }): void {
    this.#end = end;
    this.#wake();
  }

  #wake(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
