import type { AttemptLedger, AttemptLedgerState } from "../../execution/index.js";
import { advance, type LoopEvent, type LoopState, isResumable, isWaiting } from "../../loop/index.js";
import { type ConversationPlace, entryOf, type JournalContent, readJournal, type RecordedRun, type RunEntry } from "../../loop/internal.js";
import type { Decision } from "../../confirmation/index.js";
import { JournalError, type JournalStatus, LeaseLostError, type Storage } from "../../storage/index.js";
import { HeldLease, leaseKeyOf } from "../../storage/internal.js";

/** The parts of a storage that a run is recorded in. */
export type JournalStorage = Pick<Storage, "journals" | "leases" | "leaseDuration">;

/** The record of one run while this process carries it on: it holds the lease, and writes what happens in groups. */
export class RunJournal {
  readonly runId: string;
  readonly #journals: Storage["journals"];
  readonly #lease: HeldLease;
  readonly #agent: string;
  /** How many entries the store has. */
  #position: number;
  /** How the run stands by its loop. */
  #reached: JournalStatus = "running";
  #isAwaiting = false;
  #hasConversation = false;
  /** Whether the conversation doesn't have yet what the run added. */
  #isSaveOpen = false;
  #isGivenUp = false;
  /** The attempts of tools as they were last recorded. */
  #attempts: AttemptLedgerState;
  readonly #pending: RunEntry[] = [];
  /** The calls with decisions that the run hasn't gone on with: it doesn't wait at its next pause. */
  readonly #decided: Set<string>;
  #isClosed = false;
  /** The group that is written next. */
  #next: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();

  /** The journal of a new run. Throws `JournalError` if the id was used, and `LeaseHeldError` if it is in use. */
  static async begin(storage: JournalStorage, runId: string, agent: string): Promise<RunJournal> {
    return RunJournal.#leased(storage, runId, async (lease) => {
      if ((await storage.journals.head(runId)) === undefined) return new RunJournal(storage, lease, runId, agent, 0);
      throw new JournalError(
        "exists",
        `The storage has a run "${runId}" already. Give a new run another runId, or go on with resume("${runId}", { journal }).`,
      );
    });
  }

  /**
   * The journal of a run that goes on, and what it has. `agent`: the only one that may carry it on. Throws `JournalError` if it can't be
   * read, and `LeaseHeldError` if it is in use.
   */
  static async open(storage: JournalStorage, runId: string, agent?: string): Promise<OpenedJournal> {
    return RunJournal.#leased(storage, runId, async (lease) => {
      const entries = await storage.journals.read(runId);
      const content = readJournal(entries, runId);
      const { accepted, recorded } = content;
      const owner = recorded?.agent ?? accepted?.agent ?? "";
      if (agent !== undefined && owner !== agent) {
        throw new JournalError(
          "other_agent",
          `The run "${runId}" is of the agent "${owner}", and was given to "${agent}". Resume it with the agent that began it.`,
        );
      }
      return {
        ...content,
        journal: new RunJournal(storage, lease, runId, owner, entries.length, recorded),
      };
    });
  }

  static async #leased<Result>(storage: JournalStorage, runId: string, use: (lease: HeldLease) => Promise<Result>): Promise<Result> {
    const lease = await HeldLease.acquire(storage, leaseKeyOf(runId), `The run "${runId}"`);
    try {
      return await use(lease);
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  private constructor(
    { journals }: JournalStorage,
    lease: HeldLease,
    runId: string,
    agent: string,
    position: number,
    recorded?: RecordedRun,
  ) {
    this.#journals = journals;
    this.#lease = lease;
    this.runId = runId;
    this.#agent = agent;
    this.#position = position;
    this.#attempts = recorded?.ledger ?? {};
    this.#decided = new Set(recorded?.decisions.map(({ callId }) => callId));
    if (recorded === undefined) return;
    this.#reach(recorded.loop);
    this.#isSaveOpen = recorded.isSaveDue || (recorded.conversation !== undefined && recorded.loop.outcome === null);
    this.#hasConversation = recorded.conversation !== undefined;
    this.#isGivenUp = recorded.isGivenUp;
  }

  /** How many entries it has, with those that are written next. */
  get length(): number {
    return this.#position + this.#pending.length;
  }

  /** Aborted if another process took over. */
  get lost(): AbortSignal {
    return this.#lease.lost;
  }

  /** Another process takes over: nothing more is recorded here. */
  lose(error: LeaseLostError): void {
    this.#lease.lose(error);
  }

  /** Adds an entry to the group that is written next. After the run was left, further entries aren't part of its record. */
  add(entry: RunEntry): void {
    // What happens after another process may have taken over isn't part of the record, such as the abort by which the run ends here.
    if (this.#isClosed || this.lost.aborted) return;
    if (entry.kind === "began" && entry.conversation !== undefined) this.#hasConversation = true;
    if (entry.kind === "began" || entry.kind === "resumed") this.#goesOn();
    if (entry.kind === "resumed") for (const callId of entry.decided ?? []) this.#decided.delete(callId);
    this.#pending.push(Object.assign({}, entry, { at: Date.now() }));
  }

  /** The run can't be resumed any more. */
  giveUp(): void {
    this.#isGivenUp = true;
    this.add({ kind: "given_up" });
  }

  /** The conversation of the run has what the run added. */
  conversationSaved(revision: number): void {
    this.#isSaveOpen = false;
    this.add({ kind: "conversation_saved", revision });
  }

  /**
   * Records a person's decisions together, with which the run can go on. Returns once a crash can't undo that; false if this process has
   * left the run.
   */
  async decide(decisions: readonly Decision[]): Promise<boolean> {
    if (this.#isClosed) return false;
    for (const decision of decisions) {
      this.#decided.add(decision.callId);
      this.add({ kind: "decided", decision });
    }
    await this.written();
    return true;
  }

  /** Records what happened, and how the run stands after it. `ledger`: the attempts of tools. */
  record(event: LoopEvent, state: LoopState, ledger?: AttemptLedger): void {
    this.add(entryOf(event, event.type === "call_finished" && ledger !== undefined ? this.#attemptsIn(ledger) : undefined));
    this.#reach(state);
    this.#isSaveOpen = this.#hasConversation;
    // A result survives although other calls of its step go on. An error of the write is thrown by the next wait for one.
    if (event.type === "call_finished") this.writeSoon();
  }

  /** Records events that happen to a run which no process carries on. Those that change nothing are left out. */
  recordAll(events: readonly LoopEvent[], from: LoopState): void {
    let state = from;
    for (const event of events) {
      const next = advance(state, event).state;
      if (next !== state) this.record(event, next);
      state = next;
    }
  }

  /** What is left to do. A run that belongs to a conversation has work left until the conversation has its messages. */
  get #status(): JournalStatus {
    if (this.#isGivenUp) return "ended";
    return this.#isSaveOpen || (this.#isAwaiting && this.#decided.size > 0) ? "running" : this.#reached;
  }

  #reach({ outcome, status }: LoopState): void {
    this.#isAwaiting = isWaiting(outcome);
    if (outcome === null) this.#reached = status === "paused" ? "waiting" : "running";
    else this.#reached = isResumable(outcome) ? "waiting" : "ended";
  }

  #goesOn(): void {
    this.#isAwaiting = false;
    this.#reached = "running";
    this.#isSaveOpen = this.#hasConversation;
  }

  /** What changed of the attempts of tools since the last entry. */
  #attemptsIn(ledger: AttemptLedger): AttemptLedgerState | undefined {
    const attempts = ledger.toJSON();
    const changed = Object.keys({ ...this.#attempts, ...attempts }).filter((tool) => !isSame(this.#attempts[tool], attempts[tool]));
    this.#attempts = attempts;
    if (changed.length === 0) return undefined;
    return Object.fromEntries(changed.map((tool) => [tool, attempts[tool] ?? { failures: 0 }]));
  }

  /** Writes without a wait: an error is thrown by the next wait. */
  writeSoon(): void {
    this.written().catch(() => undefined);
  }

  /** Records that a call begins. Returns once a crash can't undo that. */
  begin(callId: string): Promise<void> {
    this.add({ kind: "call_begun", id: callId });
    return this.written();
  }

  /** Returns once the store has all entries. Throws the store's error, and `LeaseLostError` if another process took over. */
  written(): Promise<void> {
    this.#next ??= this.#writeNext();
    return this.#next;
  }

  /** Writes what is left, and gives the lease back. */
  async close(): Promise<void> {
    try {
      this.lost.throwIfAborted();
      while (this.#pending.length > 0) await this.written();
    } finally {
      this.#isClosed = true;
      await this.#lease.release();
    }
  }

  async #writeNext(): Promise<void> {
    await this.#writing;
    // Calls that begin in the same turn of the event loop, and results that come in it, join the group.
    await new Promise((resolve) => setImmediate(resolve));
    this.#next = undefined;
    const appended = this.#append();
    this.#writing = appended.catch(() => undefined);
    return appended;
  }

  async #append(): Promise<void> {
    this.lost.throwIfAborted();
    const entries = this.#pending.slice();
    if (entries.length === 0) return;
    const append = { runId: this.runId, agent: this.#agent, status: this.#status, position: this.#position, entries };
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#journals.append(append, this.#lease.lease);
        break;
      } catch (error) {
        if (error instanceof LeaseLostError) this.#lease.lose(error);
        // The same append may be repeated: entries that arrived are skipped.
        if (this.lost.aborted || error instanceof JournalError || attempt === mostAttempts) throw error;
        // Shortened by chance, so that the runs of a process don't ask a storage together that was away.
        await new Promise((resolve) => setTimeout(resolve, pause * attempt * (1 - Math.random() / 2)));
      }
    }
    this.#pending.splice(0, entries.length);
    this.#position += entries.length;
  }
}

type Attempts = AttemptLedgerState[string];

const isSame = (one: Attempts | undefined, other: Attempts | undefined): boolean =>
  one?.failures === other?.failures && one?.refused?.length === other?.refused?.length;

const mostAttempts = 4;

/** The most milliseconds after the first attempt; the next pauses are two and three times as long. */
const pause = 200;

export interface OpenedJournal extends JournalContent {
  readonly journal: RunJournal;
  /** The stored conversation that a run begins in. */
  readonly conversation?: ConversationPlace;
}
