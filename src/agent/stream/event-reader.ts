import type { AgentEvent } from "./agent-event.js";

/** The events of a stream so far; readers follow at their own pace. */
export interface StreamedEvents {
  readonly events: AgentEvent[];
  /** Set when nothing follows; with what was thrown, if something was. */
  end: { readonly thrown?: { readonly error: unknown } } | undefined;
}

type Taken<Item> = IteratorResult<Item, undefined>;

interface Waiting<Item> {
  readonly resolve: (taken: Taken<Item>) => void;
  readonly reject: (error: unknown) => void;
}

/** Reads a stream from its first event on; skips events for which `pick` returns `undefined`. */
export class EventReader<Item> implements AsyncIterator<Item, undefined> {
  readonly #streamed: StreamedEvents;
  readonly #pick: (event: AgentEvent) => Item | undefined;
  readonly #onLeave: () => void;
  readonly #waiting: Waiting<Item>[] = [];
  #position = 0;
  #open = true;

  /** `onLeave` is called once, when the reader has read the end or leaves before. */
  constructor(streamed: StreamedEvents, pick: (event: AgentEvent) => Item | undefined, onLeave: () => void) {
    this.#streamed = streamed;
    this.#pick = pick;
    this.#onLeave = onLeave;
  }

  /** Most events are there already when they are asked for; for the others the reader waits. `async` would add a promise to each event. */
  next(): Promise<Taken<Item>> {
    try {
      const taken = this.#take();
      if (taken !== undefined) return Promise.resolve(taken);
      return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
    } catch (error) {
      return Promise.reject(error);
    }
  }

  async return(): Promise<Taken<Item>> {
    this.#leave();
    this.look();
    return { done: true, value: undefined };
  }

  /** Gives waiting readers the new events. */
  look(): void {
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      try {
        const taken = this.#take();
        if (taken === undefined) return;
        first.resolve(taken);
      } catch (error) {
        first.reject(error);
      }
      this.#waiting.shift();
    }
  }

  #take(): Taken<Item> | undefined {
    const { events, end } = this.#streamed;
    while (this.#open && this.#position < events.length) {
      const item = this.#pick(events[this.#position++] as AgentEvent);
      if (item !== undefined) return { done: false, value: item };
    }
    if (this.#open && end === undefined) return undefined;
    const failed = this.#open && end?.thrown;
    this.#leave();
    if (failed) throw failed.error;
    return { done: true, value: undefined };
  }

  #leave(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#onLeave();
  }
}
