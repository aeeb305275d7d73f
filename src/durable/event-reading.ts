import type { AgentEvent } from "../agent/index.js";
import { describeStep, providerCallEvent, recordedNames, toolResultEvent, waitingEvent } from "../agent/internal.js";
import { undecided, type LoopState, type LoopStep } from "../loop/index.js";
import {
  type EventEntry,
  isEventEntry,
  type RecordedRun,
  type RunEntry,
  RunReading,
  type TakenDecision,
  waitingCalls,
} from "../loop/internal.js";
import type { JournalEntry } from "../storage/index.js";
import type { RunEvent } from "./runtime.js";
import { WorkTimes } from "./work-times.js";

type Event = RunEvent["event"];

/** An event that an entry recorded, and its times. */
export type RecordedEvent = Pick<RunEvent, "event" | "at" | "startedAt">;

/** Reads the events of a run back from the entries of its journal, which it takes one after another. */
export class EventReading {
  readonly #reading: RunReading;
  readonly #times = new WorkTimes();

  constructor(runId: string) {
    this.#reading = new RunReading(runId);
  }

  /** The run so far; `undefined` before it began. */
  get run(): RecordedRun | undefined {
    return this.#reading.run;
  }

  take(journalEntry: JournalEntry): readonly RecordedEvent[] {
    // What the library wrote: the kind says what the entry is.
    const entry = journalEntry as RunEntry;
    const before = this.#reading.run;
    const steps = this.#reading.take(entry);
    const after = this.#reading.run;
    if (before === undefined || after === undefined) return [];
    const decided = after.taken
      .slice(before.taken.length)
      .map((one) => timed({ type: "decided", step: before.loop.step, ...shownDecision(one) }, entry, one.askedAt));
    const happened: readonly Event[] = entry.kind === "resumed" ? [{ type: "resumed" }] : this.#eventsOf(entry, before.loop, after, steps);
    const events = happened.map((event) => timed(event, entry, this.#startOf(event, entry)));
    this.#times.take(entry, before.loop, after.loop);
    return [...decided, ...events];
  }

  #eventsOf(entry: RunEntry, before: LoopState, after: RecordedRun, steps: readonly LoopStep[]): readonly Event[] {
    return isEventEntry(entry) && before !== after.loop ? eventsOf(entry, before, after, steps) : [];
  }

  /** When the work began that the event ends. */
  #startOf(event: Event, { kind }: RunEntry): number | undefined {
    if (event.type === "tool_result") return this.#times.call(event.callId);
    const isAnswer = kind === "model_answered" || kind === "answer_blocked";
    return isAnswer && event.type !== "step_done" ? this.#times.model : undefined;
  }
}

const timed = (event: Event, { at }: RunEntry, startedAt: number | undefined): RecordedEvent => ({
  event,
  ...(at !== undefined && { at }),
  ...(at !== undefined && startedAt !== undefined && { startedAt }),
});

const shownDecision = ({ callId, tool, decision, decidedBy, reason, arguments: edited }: TakenDecision) => ({
  ...{ callId, tool, decision },
  ...(decidedBy !== undefined && { decidedBy }),
  ...(reason !== undefined && { reason }),
  ...(edited !== undefined && { arguments: edited }),
});

/** `closed`: the steps that the entry closed. */
function eventsOf(entry: EventEntry, before: LoopState, after: RecordedRun, closed: readonly LoopStep[]): readonly Event[] {
  const { step, current } = before;
  const { loop } = after;
  const asked = new Set(waitingCalls({ loop: before }).map(({ id }) => id));
  const names = recordedNames(after);
  const result = (call: { readonly id: string; readonly name: string }, given: NonNullable<LoopStep["results"][number]>): AgentEvent =>
    toolResultEvent(step, call.id, names.toTool(call.name), given);
  const events: Event[] = [];
  switch (entry.kind) {
    case "model_answered": {
      const { reasoning = "", text, toolCalls, providerCalls = [], usage } = entry.response;
      if (reasoning !== "") events.push({ type: "reasoning_done", step, text: reasoning });
      if (text !== "") events.push({ type: "text_done", step, text });
      for (const call of providerCalls) events.push(providerCallEvent(step, call, names.toTool(call.name)));
      for (const { id, name, arguments: written } of toolCalls) {
        events.push({ type: "tool_call_done", step, callId: id, tool: names.toTool(name), arguments: written });
      }
      events.push({ type: "usage", step, usage, total: loop.usage });
      break;
    }
    case "answer_blocked":
      events.push({ type: "usage", step, usage: entry.response.usage, total: loop.usage });
      break;
    case "call_gated":
      for (const waiting of undecided(entry.gate)) {
        // A run that goes on asks again for what it asked before.
        if (!asked.has(waiting.id)) events.push(waitingEvent(step, waiting));
      }
      break;
    case "stopped":
    case "paused":
      if (entry.outcome.reason === "aborted") events.push({ type: "aborted", detail: entry.outcome.detail });
      break;
  }
  const reached = closed[0] ?? loop.current;
  reached?.calls.forEach((call, index) => {
    const given = reached.results[index] ?? null;
    if (given !== null && (current?.results[index] ?? null) === null) events.push(result(call, given));
  });
  for (const one of closed) events.push({ type: "step_done", step, result: describeStep(one, names) });
  return events;
}
