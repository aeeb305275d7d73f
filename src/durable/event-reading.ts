import type { AgentEvent } from "../agent/index.js";
import { describeStep, providerCallEvent, recordedNames, toolResultEvent, waitingEvent } from "../agent/internal.js";
import { undecided, type LoopState, type LoopStep } from "../loop/index.js";
import { type EventEntry, isEventEntry, type RecordedRun, RunReading, waitingCalls } from "../loop/internal.js";
import type { JournalEntry } from "../storage/index.js";
import type { RunEvent } from "./runtime.js";

type Event = RunEvent["event"];

/** Reads the events of a run back from the entries of its journal, which it takes one after another. */
export class EventReading {
  readonly #reading: RunReading;

  constructor(runId: string) {
    this.#reading = new RunReading(runId);
  }

  /** The run so far; `undefined` before it began. */
  get run(): RecordedRun | undefined {
    return this.#reading.run;
  }

  take(entry: JournalEntry): readonly Event[] {
    const before = this.#reading.run;
    const steps = this.#reading.take(entry);
    const after = this.#reading.run;
    if (before === undefined || after === undefined) return [];
    if (entry.kind === "resumed") return [{ type: "resumed" }];
    return isEventEntry(entry) && before.loop !== after.loop ? eventsOf(entry, before.loop, after, steps) : [];
  }
}

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
