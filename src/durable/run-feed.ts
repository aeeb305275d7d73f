import type { AgentEvent } from "../agent/index.js";
import type { JournalEntry } from "../storage/index.js";
import { type EventPlace, firstPiece } from "./event-id.js";

/** What a reader of a run receives: an entry that was recorded, or a piece that isn't recorded. */
export type FeedItem =
  | { readonly type: "entry"; readonly position: number; readonly entry: JournalEntry }
  | { readonly type: "piece"; readonly place: EventPlace; readonly event: AgentEvent };

/** The events that no entry has: pieces of what comes whole in a later one, and the progress of tools. */
const pieces: ReadonlySet<AgentEvent["type"]> = new Set([
  "text_delta",
  "reasoning_delta",
  "tool_call_delta",
  "tool_started",
  "tool_progress",
  "sub_agent",
]);

/**
 * What happens in a run that this process carries on, in order. A piece comes behind the entries that were there when it happened, and
 * before later ones. An entry arrives here only once it is written, so pieces may have to wait for it.
 */
export class RunFeed {
  readonly #wake: () => void;
  readonly #readers = new Set<(item: FeedItem) => void>();
  /** The pieces behind the last entry. */
  #latest: FeedItem[] = [];
  /** Pieces whose entries aren't written yet. */
  #early: { readonly position: number; readonly event: AgentEvent }[] = [];
  /** How many entries the journal has. */
  #position = 0;

  /** `wake`: called when there is something new. */
  constructor(wake: () => void) {
    this.#wake = wake;
  }

  /** This process carries on the run, whose journal has so many entries. */
  begin(position: number): void {
    this.#position = position;
    this.#latest = [];
    this.#early = [];
  }

  get isUnread(): boolean {
    return this.#readers.size === 0;
  }

  /** Calls `read` with each item from now on, first with the pieces behind the last entry. Returns the end of it. */
  listen(read: (item: FeedItem) => void): () => void {
    this.#readers.add(read);
    for (const item of this.#latest) read(item);
    return () => this.#readers.delete(read);
  }

  /** `position`: how many entries were recorded or about to be when it happened. */
  happened(event: AgentEvent, position: number): void {
    if (!pieces.has(event.type)) return;
    if (position <= this.#position) this.#send(event);
    else this.#early.push({ position, event });
  }

  /** A piece of a run that another process carries on. */
  pass(place: EventPlace, event: AgentEvent): void {
    for (const read of this.#readers) read({ type: "piece", place, event });
  }

  /** Entries were written. `position`: of the first of them, from 0. */
  written(position: number, entries: readonly JournalEntry[]): void {
    entries.forEach((entry, index) => {
      if (position + index < this.#position) return;
      this.#sendEarly();
      this.#position = position + index + 1;
      this.#latest = [];
      for (const read of this.#readers) read({ type: "entry", position: this.#position, entry });
    });
    this.#sendEarly();
    this.#wake();
  }

  #sendEarly(): void {
    const due = this.#early.filter(({ position }) => position <= this.#position);
    this.#early = this.#early.slice(due.length);
    for (const { event } of due) this.#send(event);
  }

  #send(event: AgentEvent): void {
    const place = { position: this.#position, index: firstPiece + this.#latest.length };
    const item: FeedItem = { type: "piece", place, event };
    this.#latest.push(item);
    for (const read of this.#readers) read(item);
    this.#wake();
  }
}
