import { type FileOf, putEntryFilesBack } from "../apart-files.js";
import { type JournalEntry, JournalError, type JournalHead } from "../journal-store.js";

/** One append, as a file keeps it. `length`: of the journal with these entries. */
export interface JournalLine extends JournalHead {
  readonly position: number;
  readonly entries: readonly JournalEntry[];
}

/**
 * Throws `JournalError` for what is no line of a journal. Without `number`, it is the last line. Without `fileOf`, images and files stay
 * apart.
 */
export function parseJournalLine(text: string, path: string, number?: number, fileOf?: FileOf): JournalLine {
  const place = number === undefined ? "last line" : `line ${number}`;
  let cause: unknown;
  try {
    const read = fileOf === undefined ? JSON.parse(text) : putEntryFilesBack(text, `${path}, ${place}:`, fileOf);
    const line = read as Partial<JournalLine> | null;
    if (isLine(line)) return line;
  } catch (error) {
    if (error instanceof JournalError) throw error;
    cause = error;
  }
  throw new JournalError("broken", `${path}, ${place}: damaged. It was left as it is; restore the file, or delete it to give the run up.`, {
    cause,
  });
}

const isLine = (line: Partial<JournalLine> | null): line is JournalLine =>
  typeof line?.runId === "string" &&
  typeof line.agent === "string" &&
  typeof line.status === "string" &&
  typeof line.updatedAt === "string" &&
  Array.isArray(line.entries) &&
  typeof line.position === "number" &&
  line.length === line.position + line.entries.length;
