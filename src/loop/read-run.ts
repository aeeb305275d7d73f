import type { AttemptLedgerState } from "../execution/index.js";
import type { Confirmation, Decision } from "../confirmation/index.js";
import type { ConversationPrefix, Message } from "../models/index.js";
import { type JournalEntry, JournalError } from "../storage/index.js";
import { type LoopState, type LoopStep, initialState } from "./loop-state.js";
import { reopen, withoutPartialAnswer } from "./reopen.js";
import { replay } from "./replay.js";
import {
  type AcceptedEntry,
  type BeganEntry,
  type CallBegunEntry,
  type ConversationPlace,
  type ConversationSavedEntry,
  type ChangedEntry,
  type DecidedEntry,
  entryVersion,
  type EventEntry,
  eventOf,
  isEventEntry,
  type PrefixEntry,
  type ResumedEntry,
  type RunEntry,
  type Timed,
  type ToolNames,
} from "./run-entry.js";
import { decisionsIn, type TakenDecision } from "./taken-decisions.js";

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
  /** Decisions that were taken since the run paused, for it to go on with. */
  readonly decisions: readonly Decision[];
  /** All decisions that were taken, in their order. */
  readonly taken: readonly TakenDecision[];
  readonly toolNames: ToolNames;
  /** What waited in the run before of its conversation, and was given up for this one. */
  readonly givenUp: readonly Confirmation[];
  /** The stored conversation that it belongs to, as the run saw or saved it last. */
  readonly conversation?: ConversationPlace;
  /** Whether the run ended, or waits, and its conversation doesn't have that yet. */
  readonly isSaveDue: boolean;
  /** What the conversation offered to the model; `undefined` before its first request. */
  readonly prefix: ConversationPrefix | undefined;
  /** Whether its conversation went on without it. */
  readonly isGivenUp: boolean;
  /** Whether it is a replay of another run. */
  readonly isReplay: boolean;
}

/** What the journal of a run has. */
export interface JournalContent {
  /** The run as a runtime accepted it, if one did. */
  readonly accepted: AcceptedEntry | undefined;
  /** `undefined` if it was accepted, and hasn't begun. */
  readonly recorded: RecordedRun | undefined;
}

/** Reads a journal. Throws `JournalError` for what this version can't read. */
export function readJournal(entries: readonly JournalEntry[], runId: string): JournalContent {
  const reading = new RunReading(runId);
  for (const entry of entries) reading.take(entry);
  if (reading.isEmpty)
    throw new JournalError("unknown", `There is no journal of run "${runId}" in this storage. Check the id and the storage.`);
  return { accepted: reading.accepted, recorded: reading.run };
}

/** Reads the entries of a run, one after another. */
export class RunReading {
  accepted: AcceptedEntry | undefined;
  readonly #runId: string;
  #began: BeganEntry | undefined;
  #loop: LoopState = notBegun;
  #messages: Message[] = [];
  readonly #steps: LoopStep[] = [];
  #resumptions = 0;
  #isGivenUp = false;
  #conversation: ConversationPlace | undefined;
  #isSaved = false;
  #decisions: readonly Decision[] = [];
  #taken: readonly TakenDecision[] = [];
  #toolNames: ToolNames = {};
  #prefix: ConversationPrefix | undefined;
  readonly #ledger: { [tool: string]: AttemptLedgerState[string] } = {};
  readonly #begun = new Set<string>();

  constructor(runId: string) {
    this.#runId = runId;
  }

  get isEmpty(): boolean {
    return this.accepted === undefined && this.#began === undefined;
  }

  /** The run so far; `undefined` before it began. */
  get run(): RecordedRun | undefined {
    if (this.#began === undefined) return undefined;
    const { runId, agent, tags, messages, start = messages.length, givenUp = [] } = this.#began;
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
      start,
      resumptions: this.#resumptions,
      begun,
      decisions: this.#decisions,
      taken: this.#taken,
      toolNames: this.#toolNames,
      givenUp,
      ...(this.#conversation !== undefined && { conversation: this.#conversation }),
      isSaveDue: this.#conversation !== undefined && this.#loop.outcome !== null && !this.#isSaved && !this.#isGivenUp,
      prefix: this.#prefix,
      isGivenUp: this.#isGivenUp,
      isReplay: this.#began.replay === true,
    };
  }

  /** Returns the steps that the entry closed. */
  take(entry: JournalEntry): readonly LoopStep[] {
    // What the library wrote: the kind says what the entry is.
    const taken = decisionsIn(entry as RunEntry, this.#loop, this.#taken);
    if (taken.length > 0) this.#taken = [...this.#taken, ...taken];
    if (this.#began === undefined) this.#begin(entry as BeganEntry | AcceptedEntry);
    else if (isEventEntry(entry)) return this.#takeEvent(entry);
    else if (entry.kind === "resumed") this.#resume(entry as ResumedEntry);
    else if (entry.kind === "call_begun") this.#begun.add((entry as CallBegunEntry).id);
    else if (entry.kind === "decided") this.#decisions = [...this.#decisions, (entry as DecidedEntry).decision];
    else if (entry.kind === "conversation_saved") this.#save(entry as ConversationSavedEntry);
    else if (entry.kind === "prefix") this.#startFrom(entry as PrefixEntry);
    else if (entry.kind === "changed") this.#change(entry as ChangedEntry);
    else if (entry.kind === "given_up") this.#isGivenUp = true;
    else
      throw new JournalError(
        "kind",
        `The journal of run "${this.#runId}" has an entry "${String(entry.kind)}", which this version of Toolwright doesn't know. Read it with the version that wrote it.`,
      );
    return noSteps;
  }

  #begin(entry: BeganEntry | AcceptedEntry): void {
    checkFirst(entry, this.#runId);
    if (entry.kind === "accepted" && this.accepted === undefined) {
      this.accepted = entry;
    } else if (entry.kind === "began" && Array.isArray(entry.messages)) {
      this.#began = entry;
      this.#loop = initialState(entry.limits);
      this.#messages = [...entry.messages];
      this.#toolNames = entry.toolNames ?? {};
      this.#conversation = entry.conversation;
      this.#prefix = entry.prefix;
    } else throw brokenBeginning(this.#runId);
  }

  #startFrom({ kind: _kind, at: _at, toolNames, ...prefix }: PrefixEntry & Timed): void {
    this.#prefix = prefix;
    this.#toolNames = { ...this.#toolNames, ...toolNames };
  }

  #change({ kind: _kind, at: _at, toolNames, ...change }: ChangedEntry & Timed): void {
    if (this.#prefix === undefined) throw brokenPlace(this.#runId, "changed");
    this.#toolNames = { ...this.#toolNames, ...toolNames };
    this.#prefix = { ...this.#prefix, changes: [...(this.#prefix.changes ?? []), change] };
  }

  #takeEvent(entry: EventEntry): readonly LoopStep[] {
    const event = eventOf(entry);
    const { state, messages, steps } = replay(this.#loop, [event]);
    if (state !== this.#loop) this.#isSaved = false;
    this.#loop = state;
    this.#messages.push(...messages);
    this.#steps.push(...steps);
    Object.assign(this.#ledger, entry.attempts);
    // A call that waits, or that interrupted the run, ended in order: it goes on.
    if (event.type === "call_gated") this.#begun.delete(event.id);
    else if (event.type === "paused") this.#begun.clear();
    return steps;
  }

  #save({ revision }: ConversationSavedEntry): void {
    if (this.#conversation !== undefined) this.#conversation = { ...this.#conversation, revision };
    this.#isSaved = true;
  }

  #resume({ limits, isFresh, decided = [], toolNames = {} }: ResumedEntry): void {
    this.#loop = reopen(this.#loop, limits, isFresh ? limits : undefined) ?? this.#loop;
    if (this.#loop.current === null) this.#messages = [...withoutPartialAnswer(this.#messages)];
    this.#resumptions += 1;
    this.#decisions = this.#decisions.filter(({ callId }) => !decided.includes(callId));
    this.#toolNames = toolNames;
  }
}

const brokenPlace = (runId: string, kind: string): JournalError =>
  new JournalError("broken", `The journal of run "${runId}" has an entry "${kind}" that follows no prefix. It was left as it is.`);

/** Throws `JournalError` unless a journal of the run may begin with it. */
function checkFirst(entry: { readonly [Member in keyof BeganEntry]?: unknown }, runId: string): void {
  const { kind, version } = entry;
  if ((kind === "began" || kind === "accepted") && typeof version === "number" && version > entryVersion) {
    throw new JournalError(
      "version",
      `The journal of run "${runId}" has version ${version}, and this version of Toolwright reads up to version ${entryVersion}. Read it with the version that wrote it.`,
    );
  }
  if ((kind !== "began" && kind !== "accepted") || version !== entryVersion || entry.runId !== runId) throw brokenBeginning(runId);
}

const brokenBeginning = (runId: string): JournalError =>
  new JournalError("broken", `The journal of run "${runId}" doesn't begin with the beginning of this run. It was left as it is.`);

/** Before the first entry says what the limits are. */
const notBegun = initialState({ steps: null, tokens: null, resultBytes: null, identicalFailures: null, callsPerTool: null });

const noSteps: readonly LoopStep[] = [];
