import { type OpenedJournal, RunJournal } from "../agent/internal.js";
import { canonicalText } from "../schema/internal.js";
import { type AcceptedEntry, type JournalContent, readJournal, type Timed } from "../loop/internal.js";
import { type JournalEntry, JournalError, type Storage } from "../storage/index.js";
import { leaseKeyOf, seizeLease } from "../storage/internal.js";
import type { RuntimeRun } from "./runtime.js";
import { whenFree } from "./when-free.js";

/** A run that a runtime accepted, and its journal, which this process may write to. */
export interface OpenedRun extends OpenedJournal {
  readonly accepted: AcceptedEntry;
  /** Whether it was accepted just now: it can't have begun. */
  readonly isNew?: true;
}

/** The runs of a runtime as its storage has them. */
export class RunRecords {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Records a new run, which `admit` may reject; `undefined` if it was accepted before. Throws `JournalError` if the id is of another run. */
  async accept(accepted: AcceptedEntry, admit?: () => Promise<void>): Promise<OpenedRun | undefined> {
    const { runId, agent } = accepted;
    // A run that goes on is repeated as often as one that has ended.
    if (await this.#isAccepted(accepted)) return undefined;
    await admit?.();
    const journal = await whenFree(() => RunJournal.begin(this.#storage, runId, agent), longestWait).catch(async (error: unknown) => {
      if (await this.#isAccepted(accepted)) return undefined;
      throw error;
    });
    if (journal === undefined) return undefined;
    try {
      journal.add(accepted);
      await journal.written();
    } catch (error) {
      await journal.close().catch(() => undefined);
      throw error;
    }
    return { journal, accepted, recorded: undefined, isNew: true };
  }

  /** Throws `JournalError` if there is no such run of a runtime. */
  async read(runId: string): Promise<AcceptedContent> {
    return acceptedOnly(readJournal(await this.#storage.journals.read(runId), runId), runId);
  }

  /** As `read`; `undefined` if no runtime started the run. */
  async readAccepted(runId: string): Promise<AcceptedContent | undefined> {
    return this.read(runId).catch((error: unknown) => {
      if (error instanceof JournalError && (error.reason === "not_accepted" || error.reason === "unknown")) return undefined;
      throw error;
    });
  }

  /** The entries of a run from a position on. Throws `JournalError` if there is no such run. */
  async entries(runId: string, from: number): Promise<readonly JournalEntry[]> {
    const entries = await this.#storage.journals.read(runId, from);
    if (from === 0) acceptedOnly(readJournal(entries, runId), runId);
    return entries;
  }

  /** Opens the journal of a run. Throws `LeaseHeldError` if another process carries it on, and `JournalError` if it can't be read. */
  async open(runId: string): Promise<OpenedRun> {
    const opened = await RunJournal.open(this.#storage, runId);
    try {
      return { ...acceptedOnly(opened, runId), journal: opened.journal };
    } catch (error) {
      await opened.journal.close();
      throw error;
    }
  }

  /** Waits for a process that is about to leave the run. */
  openWhenFree(runId: string): Promise<OpenedRun> {
    return whenFree(() => this.open(runId), longestWait);
  }

  /** Opens the journal even if another process carries on the run: that one's next write is rejected. */
  async seize(runId: string): Promise<OpenedRun> {
    await seizeLease(this.#storage, leaseKeyOf(runId));
    return this.openWhenFree(runId);
  }

  async #isAccepted(accepted: AcceptedEntry): Promise<boolean> {
    const { runId } = accepted;
    if ((await this.#storage.journals.head(runId)) === undefined) return false;
    const [entry] = await this.#storage.journals.read(runId);
    if (entry === undefined) return false;
    // A repeated start comes later.
    const { at: _, ...first }: JournalEntry & Timed = entry;
    return JSON.stringify(first) === JSON.stringify(accepted) || canonicalText(first) === canonicalText(accepted);
  }
}

/** Milliseconds. A process that was asked at the same time gives the lease back within them. */
const longestWait = 5_000;

/** A run of a runtime as its journal has it; not begun yet without `recorded`. */
export interface AcceptedContent extends JournalContent {
  readonly accepted: AcceptedEntry;
}

function acceptedOnly({ accepted, recorded }: JournalContent, runId: string): AcceptedContent {
  if (accepted !== undefined) return { accepted, recorded };
  throw new JournalError(
    "not_accepted",
    `The run "${runId}" wasn't started by a runtime: its journal doesn't have the context that it needs. Go on with resume("${runId}", { journal }) of its agent.`,
  );
}

/** What the application's functions learn of a run. */
export const runtimeRunOf = ({ runId, agent, options: { tags } }: AcceptedEntry): RuntimeRun => ({
  runId,
  agent,
  ...(tags !== undefined && { tags }),
});
