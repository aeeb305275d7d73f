import type { AgentResponse } from "../agent/index.js";
import type { RecordedRun } from "../loop/internal.js";
import type { JournalEntry } from "../storage/index.js";
import { beforeAll, eventId, type EventPlace, firstPiece, isAfter, placeOf } from "./event-id.js";
import { EventReading } from "./event-reading.js";
import type { FeedItem, RunFeed } from "./run-feed.js";
import { endOf } from "./run-status.js";
import type { EventsOptions, RunEvent } from "./runtime.js";

/** Where the events of a run are read from. */
export interface EventSource {
  readonly runId: string;
  /** What this process learns of the run. */
  readonly feed: RunFeed;
  /** The recorded entries, from a position on. */
  read(from: number): Promise<readonly JournalEntry[]>;
  /** Waits until there may be something new; false if nothing more will come. */
  news(signal: AbortSignal | undefined): Promise<boolean>;
  /** The response of the run, which has ended. */
  responseOf(run: RecordedRun): Promise<AgentResponse>;
}

/** What happened in a run after a place, and what happens in it until it has ended or the signal is aborted. */
export async function* readEvents(source: EventSource, { after, abortSignal }: EventsOptions): AsyncGenerator<RunEvent, void> {
  const seen = after === undefined ? beforeAll : placeOf(after);
  const reading = new PlacedReading(source.runId, seen);
  const received: FeedItem[] = [];
  const unlisten = source.feed.listen((item) => received.push(item));
  try {
    for (;;) {
      // What this process receives needn't be read.
      if (received.length === 0) yield* reading.take(await source.read(reading.position));
      for (let item = received.shift(); item !== undefined; item = received.shift()) {
        if (item.type === "entry") {
          // Of entries that were missed, the store has them all.
          if (item.position > reading.position + 1) yield* reading.take(await source.read(reading.position));
          else if (item.position > reading.position) yield* reading.take([item.entry]);
          continue;
        }
        if (item.place.position > reading.position) yield* reading.take(await source.read(reading.position));
        if (item.place.position === reading.position && isAfter(item.place, seen))
          yield { id: eventId(item.place), event: item.event, attempt: reading.attempt };
      }
      const { run } = reading;
      if (run !== undefined && endOf({ recorded: run }) !== undefined) {
        const place = { position: reading.end, index: firstPiece - 1 };
        if (isAfter(place, seen))
          yield { id: eventId(place), event: { type: "done", response: await source.responseOf(run) }, attempt: reading.attempt };
        return;
      }
      if (received.length === 0 && !(await source.news(abortSignal))) return;
      if (abortSignal?.aborted === true) return;
    }
  } finally {
    unlisten();
  }
}

/** Reads entries, and gives the events behind those that were seen. */
class PlacedReading {
  /** How many entries were read. */
  position = 0;
  /** How often a process has taken up the run. */
  attempt = 1;
  /** How many there were when the run ended. */
  end = 0;
  readonly #reading: EventReading;
  readonly #seen: EventPlace;

  constructor(runId: string, seen: EventPlace) {
    this.#reading = new EventReading(runId);
    this.#seen = seen;
  }

  get run(): RecordedRun | undefined {
    return this.#reading.run;
  }

  *take(entries: readonly JournalEntry[]): Generator<RunEvent, void> {
    for (const entry of entries) {
      this.position += 1;
      const events = this.#reading.take(entry);
      if (entry.kind === "resumed") this.attempt += 1;
      const { run } = this;
      if (run === undefined || endOf({ recorded: run }) === undefined) this.end = this.position + 1;
      for (const [index, event] of events.entries()) {
        const place = { position: this.position, index };
        if (isAfter(place, this.#seen)) yield { id: eventId(place), attempt: this.attempt, ...event };
      }
    }
  }
}
