import { digestsIn, takeEntryFilesApart } from "../apart-files.js";
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
import type { PostgresConnection } from "./postgres-connection.js";
import type { Row } from "./postgres-pool.js";
import { isoTime } from "./times.js";

/** Journals as rows, one for each append. */
export class PostgresJournalStore implements JournalStore {
  readonly #database: PostgresConnection;

  constructor(database: PostgresConnection) {
    this.#database = database;
  }

  async append(append: JournalAppend, lease: Lease): Promise<void> {
    const { text, files } = takeEntryFilesApart(append.entries);
    if (files.size > 0 || !(await this.#appendAtEnd(append, text, lease))) await this.#appendWithLooking(append, lease);
  }

  /**
   * One round trip for what nearly always is: the lease is held, and the journal ends at the position. Otherwise it changes nothing. The
   * lease's row is locked until the entries are committed, so that it can't be taken over in between.
   */
  async #appendAtEnd({ runId, agent, status, position, entries }: JournalAppend, text: string, lease: Lease): Promise<boolean> {
    const { schema } = this.#database;
    const rows = await this.#database.query(
      `WITH held AS (SELECT 1 FROM ${schema}.leases WHERE key = $1 AND fence = $2 FOR UPDATE),
        run AS (
          INSERT INTO ${schema}.runs AS run (key, run_id, agent, status, length, updated_at, touched)
          SELECT $1, $3, $4, $5, $6::integer + $7::integer, clock_timestamp(), nextval('${schema}.touches') FROM held
            WHERE $6::integer = 0 OR EXISTS (SELECT 1 FROM ${schema}.runs WHERE key = $1)
          ON CONFLICT (key) DO UPDATE SET agent = excluded.agent, status = excluded.status, length = excluded.length,
            updated_at = excluded.updated_at, touched = excluded.touched
            WHERE run.length = $6::integer
          RETURNING 1
        ),
        added AS (
          INSERT INTO ${schema}.appends (key, position, entries) SELECT $1, $6::integer, $8 FROM run WHERE $7::integer > 0
        )
      SELECT 1 FROM run`,
      ...[keyOfRun(runId), lease.fence, storableText(runId), storableText(agent), status, position, entries.length],
      text,
    );
    return rows.length > 0;
  }

  async #appendWithLooking(append: JournalAppend, lease: Lease): Promise<void> {
    const { schema } = this.#database;
    const { runId, agent, status, position } = append;
    const key = keyOfRun(runId);
    await this.#database.transaction(async (client) => {
      const held = await client.query(`SELECT 1 FROM ${schema}.leases WHERE key = $1 AND fence = $2 FOR UPDATE`, [key, lease.fence]);
      if (held.rows.length === 0) throw new LeaseLostError(lease.key);
      const { rows } = await client.query(`SELECT length FROM ${schema}.runs WHERE key = $1 FOR UPDATE`, [key]);
      const length = Number(rows[0]?.length ?? 0);
      const query: Query = async (sql, ...values) => (await client.query(sql, values)).rows;
      const kept = position < length ? await this.#entries(runId, position, query) : [];
      const entries = missingEntries(append, length, kept);
      if (isPast(append, length)) return;
      if (entries.length > 0) {
        const { text, files } = takeEntryFilesApart(entries);
        await client.query(`INSERT INTO ${schema}.appends VALUES ($1, $2, $3)`, [key, length, text]);
        if (files.size > 0) await this.#addFiles(key, files, query);
      }
      await client.query(
        `INSERT INTO ${schema}.runs VALUES ($1, $2, $3, $4, $5, clock_timestamp(), nextval('${schema}.touches'))
         ON CONFLICT (key) DO UPDATE SET agent = excluded.agent, status = excluded.status, length = excluded.length,
           updated_at = excluded.updated_at, touched = excluded.touched`,
        [key, storableText(runId), storableText(agent), status, length + entries.length],
      );
    });
  }

  async read(runId: string, from = 0): Promise<readonly JournalEntry[]> {
    return this.#entries(runId, from, (sql, ...values) => this.#database.query(sql, ...values));
  }

  async #entries(runId: string, from: number, query: Query): Promise<readonly JournalEntry[]> {
    const { schema } = this.#database;
    // From the append that has the position on.
    const rows = await query(
      `SELECT position, entries FROM ${schema}.appends WHERE key = $1 AND position >=
         coalesce((SELECT max(position) FROM ${schema}.appends WHERE key = $1 AND position <= $2), 0) ORDER BY position`,
      ...[keyOfRun(runId), from],
    );
    const digests = rows.flatMap(({ entries }) => digestsIn(String(entries)));
    const files =
      digests.length === 0 ? [] : await query(`SELECT digest, data FROM ${schema}.journal_files WHERE digest = ANY ($1)`, digests);
    const byDigest = new Map(files.map(({ digest, data }) => [String(digest), String(data)]));
    return entriesIn(rows, from, { runId, fileOf: (digest) => byDigest.get(digest) });
  }

  /** The uses first: a process that removes files waits for them, and what it has removed is added again. */
  async #addFiles(key: string, files: ReadonlyMap<string, string>, query: Query): Promise<void> {
    const { schema } = this.#database;
    const digests = [...files.keys()].sort();
    await query(
      `INSERT INTO ${schema}.journal_file_uses SELECT digest, $1::text FROM unnest($2::text[]) AS digest ON CONFLICT DO NOTHING`,
      ...[key, digests],
    );
    const known = await query(`SELECT digest FROM ${schema}.journal_files WHERE digest = ANY ($1)`, digests);
    const stored = new Set(known.map(({ digest }) => String(digest)));
    const added = digests.filter((digest) => !stored.has(digest));
    if (added.length === 0) return;
    await query(
      `INSERT INTO ${schema}.journal_files SELECT * FROM unnest($1::text[], $2::text[]) ON CONFLICT DO NOTHING`,
      ...[added, added.map((digest) => files.get(digest))],
    );
  }

  async list({ status, unleased = false, limit = Number.POSITIVE_INFINITY }: JournalQuery = {}): Promise<readonly JournalHead[]> {
    const { schema } = this.#database;
    const rows = await this.#database.query(
      `SELECT ${headColumns} FROM ${schema}.runs WHERE ($1::text IS NULL OR status = $1)
         AND (NOT $2::boolean OR NOT EXISTS
           (SELECT 1 FROM ${schema}.leases WHERE leases.key = runs.key AND leases.expires_at > clock_timestamp()))
         ORDER BY touched LIMIT $3`,
      ...[status ?? null, unleased, Number.isFinite(limit) ? limit : null],
    );
    return rows.map(headIn);
  }

  async head(runId: string): Promise<JournalHead | undefined> {
    const rows = await this.#database.query(`SELECT ${headColumns} FROM ${this.#database.schema}.runs WHERE key = $1`, keyOfRun(runId));
    return rows[0] && headIn(rows[0]);
  }

  async delete(runId: string): Promise<void> {
    const { schema } = this.#database;
    const key = keyOfRun(runId);
    const [used] = await this.#database.query(
      `WITH entries AS (DELETE FROM ${schema}.appends WHERE key = $1), run AS (DELETE FROM ${schema}.runs WHERE key = $1)
       SELECT 1 FROM ${schema}.journal_file_uses WHERE key = $1 LIMIT 1`,
      key,
    );
    if (used === undefined) return;
    await this.#database.transaction(async (client) => {
      // No append adds a use until the files are gone that nothing uses. If a new run has the id by now, they are its own as well.
      await client.query(`LOCK TABLE ${schema}.journal_file_uses IN SHARE ROW EXCLUSIVE MODE`);
      await client.query(
        `WITH gone AS (DELETE FROM ${schema}.journal_file_uses
             WHERE key = $1 AND NOT EXISTS (SELECT 1 FROM ${schema}.runs WHERE key = $1) RETURNING digest)
         DELETE FROM ${schema}.journal_files AS file USING gone WHERE file.digest = gone.digest
           AND NOT EXISTS (SELECT 1 FROM ${schema}.journal_file_uses AS used WHERE used.digest = gone.digest AND used.key <> $1)`,
        [key],
      );
    });
  }
}

/** Within a transaction, or outside of one. */
type Query = (sql: string, ...values: readonly unknown[]) => Promise<readonly Row[]>;

const headColumns = `run_id, agent, status, length, ${isoTime("updated_at")} AS updated_at`;

const headIn = (row: Row): JournalHead => headOf(row, String(row.updated_at));
