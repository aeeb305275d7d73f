import type { Lease } from "./lease-store.js";

/** One entry of a journal: plain JSON that a store needn't understand. */
export interface JournalEntry {
  /** What happened. */
  readonly kind: string;
}

/** `running`: work is left to do. `waiting`: it goes on once somebody decides. `ended`: nothing is left to do. */
export type JournalStatus = "running" | "waiting" | "ended";

/** What a store knows of a run without reading its entries. */
export interface JournalHead {
  readonly runId: string;
  /** The name of the agent. */
  readonly agent: string;
  readonly status: JournalStatus;
  /** Entries in the journal. */
  readonly length: number;
  /** When the last entries were added, by the store's clock: ISO 8601. */
  readonly updatedAt: string;
}

/** Entries that are added together: all of them, or none. */
export interface JournalAppend {
  readonly runId: string;
  readonly agent: string;
  /** What is left to do after these entries. */
  readonly status: JournalStatus;
  /** The position of the first of the entries: how many the journal has before them. */
  readonly position: number;
  readonly entries: readonly JournalEntry[];
}

/** Which runs to list. */
export interface JournalQuery {
  readonly status?: JournalStatus;
  /** Only runs that no process holds a lease of. */
  readonly unleased?: boolean;
  /** The most runs to list. */
  readonly limit?: number;
}

/** The append-only records of runs. */
export interface JournalStore {
  /**
   * Adds entries, and returns once they would survive a crash. Throws `LeaseLostError`, and adds nothing, if the lease was given back or a
   * lease of the run with a higher fence was given since. It compares in the same transaction.
   *
   * Entries at positions that the journal has already are skipped, because the same append is repeated after an error: it may have
   * arrived. An append that ends before the journal does changes nothing. Throws `JournalError`, and adds nothing, if entries before the
   * position are missing, or if a repeated entry has other content than the journal's.
   */
  append(append: JournalAppend, lease: Lease): void | Promise<void>;
  /** The entries of a run from a position on, counted from 0; none for an unknown run. */
  read(runId: string, from?: number): readonly JournalEntry[] | Promise<readonly JournalEntry[]>;
  /** Runs, the longest untouched first. */
  list(query?: JournalQuery): readonly JournalHead[] | Promise<readonly JournalHead[]>;
  /** The head of one run. */
  head(runId: string): JournalHead | undefined | Promise<JournalHead | undefined>;
  /** Removes a run with its entries. If somebody still carries it on, the next append throws `JournalError`: entries are missing. */
  delete(runId: string): void | Promise<void>;
}

/** The key of a run's lease. */
export const leaseKeyOf = (runId: string): string => `run ${runId}`;

/** A journal can't be read: it is damaged, or of a newer version. It was left unchanged. See docs/errors.md. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  /**
   * `broken`: damaged, or not a journal of a run. `version`: of a newer version. `kind`: it has an entry of an unknown kind. `exists`: a
   * new run got the id of another. `unknown`: there is no journal with this id. `other_agent`: of another agent. `conflict`: an entry was
   * to be added in place of another one.
   */
  readonly reason: "broken" | "version" | "kind" | "exists" | "unknown" | "other_agent" | "conflict" | "not_accepted";

  constructor(reason: JournalError["reason"], message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
}

/**
 * The entries of an append that the journal doesn't have yet. `length`: of the journal. `kept`: its entries from the position of the append
 * on. Throws `JournalError` if entries before the position are missing, or if a repeated entry differs from the journal's.
 */
export function missingEntries(
  { runId, position, entries }: JournalAppend,
  length: number,
  kept: readonly JournalEntry[],
): readonly JournalEntry[] {
  if (position > length) {
    throw new JournalError(
      "broken",
      `The journal of run "${runId}" has ${length} entries, and the next were to begin at ${position}: entries between them are missing. It was left as it is.`,
    );
  }
  for (const [index, entry] of kept.slice(0, entries.length).entries()) {
    if (JSON.stringify(entry) === JSON.stringify(entries[index])) continue;
    throw new JournalError(
      "conflict",
      `The journal of run "${runId}" has another entry at position ${position + index} ("${entry.kind}") than the one that was to be written there ("${entries[index]?.kind}"). It was left as it is. Let one holder of the lease write the run, and repeat an append unchanged.`,
    );
  }
  return entries.slice(kept.length);
}

/** Whether the append ends before the journal does: it is repeated, and others followed it. */
export const isPast = ({ position, entries }: JournalAppend, length: number): boolean => position + entries.length < length;
