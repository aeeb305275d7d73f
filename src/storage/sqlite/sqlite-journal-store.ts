import { takeEntryFilesApart } from "../apart-files.js";
import { entriesIn, headOf, keyOfRun } from "../database/journal-rows.js";
import { storableText } from "../database/keys.js";
import {
  isPast,
  type JournalAppend,
  type JournalEntry,
  type JournalHead,
  type JournalQuery,
  type JournalStore,
  missingEntries,
} from "../journal-store.js";
import { type Lease, LeaseLostError } from "../lease-store.js";
import type { Row } from "./node-sqlite.js";
import { now, type SqliteConnection } from "./sqlite-connection.js";

/** Journals as rows, one for each append. */
export class SqliteJournalStore implements JournalStore {
  readonly #database: SqliteConnection;

  constructor(database: SqliteConnection) {
    this.#database = database;
  }

  async append(append: JournalAppend, lease: Lease): Promise<void> {
    const { runId, agent, status, position } = append;
    const key = keyOfRun(runId);
    this.#database.transaction(() => {
      if (this.#database.get("SELECT 1 FROM leases WHERE key = ? AND fence = ?", key, lease.fence) === undefined) {
        throw new LeaseLostError(lease.key);
      }
      const length = Number(this.#database.get("SELECT length FROM runs WHERE key = ?", key)?.length ?? 0);
      const entries = missingEntries(append, length, position < length ? this.#entries(runId, position) : []);
      if (isPast(append, length)) return;
      if (entries.length > 0) this.#add(key, length, entries);
      this.#database.run(
        `INSERT INTO runs VALUES (?, ?, ?, ?, ?, ${now}, (SELECT coalesce(max(touched), 0) + 1 FROM runs))
         ON CONFLICT (key) DO UPDATE SET agent = excluded.agent, status = excluded.status, length = excluded.length,
           updated_at = excluded.updated_at, touched = excluded.touched`,
        ...[key, storableText(runId), storableText(agent), status, length + entries.length],
      );
    });
  }

  async read(runId: string, from = 0): Promise<readonly JournalEntry[]> {
    return this.#entries(runId, from);
  }

  async list({ status, unleased = false, limit = Number.POSITIVE_INFINITY }: JournalQuery = {}): Promise<readonly JournalHead[]> {
    const conditions = [
      ...(status === undefined ? [] : ["status = ?"]),
      ...(unleased ? [`NOT EXISTS (SELECT 1 FROM leases WHERE leases.key = runs.key AND leases.expires_at > ${now})`] : []),
    ];
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const sql = `SELECT run_id, agent, status, length, updated_at FROM runs ${where} ORDER BY touched LIMIT ?`;
    // A negative limit is none.
    const values = [...(status === undefined ? [] : [status]), Number.isFinite(limit) ? limit : -1];
    return this.#database.all(sql, ...values).map(headIn);
  }

  async head(runId: string): Promise<JournalHead | undefined> {
    const row = this.#database.get("SELECT run_id, agent, status, length, updated_at FROM runs WHERE key = ?", keyOfRun(runId));
    return row && headIn(row);
  }

  async delete(runId: string): Promise<void> {
    const key = keyOfRun(runId);
    this.#database.transaction(() => {
      for (const table of ["appends", "runs"]) this.#database.run(`DELETE FROM ${table} WHERE key = ?`, key);
      for (const { digest } of this.#database.all("DELETE FROM journal_file_uses WHERE key = ? RETURNING digest", key)) {
        this.#database.run(
          "DELETE FROM journal_files WHERE digest = ?1 AND NOT EXISTS (SELECT 1 FROM journal_file_uses WHERE digest = ?1)",
          String(digest),
        );
      }
    });
  }

  #add(key: string, position: number, entries: readonly JournalEntry[]): void {
    const { text, files } = takeEntryFilesApart(entries);
    this.#database.run("INSERT INTO appends VALUES (?, ?, ?)", key, position, text);
    for (const [digest, data] of files) {
      this.#database.run("INSERT OR IGNORE INTO journal_files VALUES (?, ?)", digest, data);
      this.#database.run("INSERT OR IGNORE INTO journal_file_uses VALUES (?, ?)", digest, key);
    }
  }

  #entries(runId: string, from: number): readonly JournalEntry[] {
    const key = keyOfRun(runId);
    const rows = this.#database.all(
      `SELECT position, entries FROM appends WHERE key = ?1
         AND position >= coalesce((SELECT max(position) FROM appends WHERE key = ?1 AND position <= ?2), 0) ORDER BY position`,
      ...[key, from],
    );
    const fileOf = (digest: string): string | undefined => {
      const file = this.#database.get("SELECT data FROM journal_files WHERE digest = ?", digest);
      return file && String(file.data);
    };
    return entriesIn(rows, from, { runId, fileOf });
  }
}

const headIn = (row: Row): JournalHead => headOf(row, new Date(Number(row.updated_at)).toISOString());
