import { type JournalEntry, type JournalHead, type JournalStatus, leaseKeyOf } from "../journal-store.js";
import { type FileOf, putEntryFilesBack } from "../apart-files.js";
import { keyOf, originalText } from "./keys.js";

/** A row of a database. */
export type JournalRow = Readonly<Record<string, unknown>>;

/** A run has the key of its lease. */
export const keyOfRun = (runId: string): string => keyOf(leaseKeyOf(runId));

/** Where the entries are read from. */
interface RowSource {
  /** The run of the entries. */
  readonly runId: string;
  /** Gives the images and files that stand apart. */
  readonly fileOf: FileOf;
}

/** The entries of a run from a position on. `rows`: its appends, from the one that has this position on. */
export function entriesIn(rows: readonly JournalRow[], from: number, { runId, fileOf }: RowSource): readonly JournalEntry[] {
  const source = `The journal of run "${runId}"`;
  const entries = rows.flatMap((row) => putEntryFilesBack(String(row.entries), source, fileOf) as readonly JournalEntry[]);
  return entries.slice(Math.max(0, from - Number(rows[0]?.position ?? 0)));
}

/** `updatedAt`: ISO 8601. */
export const headOf = (row: JournalRow, updatedAt: string): JournalHead => ({
  runId: originalText(String(row.run_id)),
  agent: originalText(String(row.agent)),
  status: row.status as JournalStatus,
  length: Number(row.length),
  updatedAt,
});
