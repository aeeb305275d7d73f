import type { AttemptLedgerState } from "../execution/index.js";
import type { Message } from "../models/index.js";
import { type JournalEntry, JournalError } from "../storage/index.js";
import { type LoopState, type LoopStep, initialState } from "./loop-state.js";
import { reopen, withoutPartialAnswer } from "./reopen.js";
import { replay } from "./replay.js";
import {
  type BeganEntry,
  type CallBegunEntry,
  entryVersion,
  type EventEntry,
  eventOf,
  isEventEntry,
  type ResumedEntry,
} from "./run-entry.js";

/** A run as its journal has it. */
export interface RecordedRun {
  readonly runId: string;
  readonly agent: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly loop: LoopState;
  /** The history, without the instructions. */
  readonly messages: readonly Message[];
  readonly ledger: AttemptLedgerState;
  /** The steps whose calls have their results. */
  readonly steps: readonly LoopStep[];
  /** Where the run begins in the history. */
  readonly start: number;
  /** How often the run was resumed. */
  readonly resumptions: number;
  /** The open calls that began: it isn't known whether they took effect. */
  readonly begun: readonly string[];
  /** Whether its conversation went on without it. */
  readonly isGivenUp: boolean;
}

/** Reads a run back from its journal. Throws `JournalError` for what this version can't read. */
export function readRun(entries: readonly JournalEntry[], runId: string): RecordedRun {
  const [first, ...others] = entries;
  const began = checkBegan(first, runId);
  const reading = new RunReading(began);
  for (const entry of others) {
    if (isEventEntry(entry)) reading.take(entry);
    // What the library wrote: the kind says what the entry is.
    else if (entry.kind === "resumed") reading.resume(entry as ResumedEntry);
    else if (entry.kind === "call_begun") reading.begin(entry as CallBegunEntry);
    else if (entry.kind === "given_up") reading.isGivenUp = true;
    else
      throw new JournalError(
        "kind",
        `The journal of run "${runId}" has an entry "${String(entry.kind)}", which this version of Toolwright doesn't know. Read it with the version that wrote it.`,
      );
  }
  return reading.run;
}

function checkBegan(first: JournalEntry | undefined, runId: string): BeganEntry {
  const entry = first as { readonly [Member in keyof BeganEntry]?: unknown } | undefined;
  if (entry === undefined)
    throw new JournalError("unknown", `There is no journal of run "${runId}" in this storage. Check the id and the storage.`);
  if (entry.kind === "began" && typeof entry.version === "number" && entry.version > entryVersion) {
    throw new JournalError(
      "version",
      `The journal of run "${runId}" has version ${entry.version}, and this version of Toolwright reads up to version ${entryVersion}. Read it with the version that wrote it.`,
    );
  }
  if (entry.kind !== "began" || entry.version !== entryVersion || entry.runId !== runId || !Array.isArray(entry.messages)) {
    throw new JournalError("broken", `The journal of run "${runId}" doesn't begin with the beginning of this run. It was left as it is.`);
  }
  return entry as BeganEntry;
}

class RunReading {
  readonly #began: BeganEntry;
  #loop: LoopState;
  #messages: Message[];
  readonly #steps: LoopStep[] = [];
  #resumptions = 0;
  isGivenUp = false;
  readonly #ledger: { [tool: string]: AttemptLedgerState[string] } = {};
  readonly #begun = new Set<string>();

  constructor(began: BeganEntry) {
    this.#began = began;
    this.#loop = initialState(began.limits);
    this.#messages = [...began.messages];
  }

  get run(): RecordedRun {
    const { runId, agent, tags } = this.#began;
    const { calls = [], results = [] } = this.#loop.current ?? {};
    const begun = calls.flatMap(({ id }, index) => (results[index] === null && this.#begun.has(id) ? [id] : []));
    return {
      runId,
      agent,
      ...(tags !== undefined && { tags }),
      loop: this.#loop,
      messages: this.#messages,
      ledger: this.#ledger,
      steps: this.#steps,
      start: this.#began.messages.length,
      resumptions: this.#resumptions,
      begun,
      isGivenUp: this.isGivenUp,
    };
  }

  take(entry: EventEntry): void {
    const event = eventOf(entry);
    const { state, messages, steps } = replay(this.#loop, [event]);
    this.#loop = state;
    this.#messages.push(...messages);
    this.#steps.push(...steps);
    Object.assign(this.#ledger, entry.attempts);
    // A call that waits, or that interrupted the run, ended in order: it goes on.
    if (event.type === "call_gated") this.#begun.delete(event.id);
    else if (event.type === "paused") this.#begun.clear();
  }

  resume({ limits, isFresh }: ResumedEntry): void {
    this.#loop = reopen(this.#loop, limits, isFresh ? limits : undefined) ?? this.#loop;
    if (this.#loop.current === null) this.#messages = [...withoutPartialAnswer(this.#messages)];
    this.#resumptions += 1;
  }

  begin({ id }: CallBegunEntry): void {
    this.#begun.add(id);
  }
}
