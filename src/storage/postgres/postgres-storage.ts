import { putFilesBack, takeFilesApart } from "../apart-files.js";
import { ConversationConflictError, checkId, checkRevision, checkStored, type StoredConversation } from "../conversation-store.js";
import { keyOf, storableText } from "../database/keys.js";
import { claimGrace, type DecisionClaims } from "../decision-claims.js";
import type { JournalStore } from "../journal-store.js";
import type { LeaseStore } from "../lease-store.js";
import type { Storage, StorageOptions } from "../storage.js";
import { checkStorageOptions } from "../storage-options.js";
import { type PostgresAddress, PostgresConnection } from "./postgres-connection.js";
import { PostgresJournalStore } from "./postgres-journal-store.js";
import { PostgresLeaseStore } from "./postgres-lease-store.js";

/** Options of `PostgresStorage`. */
export interface PostgresStorageOptions extends StorageOptions {
  /** The schema of its tables, which is created if necessary. Default: `toolwright`. */
  readonly schema?: string;
}

/**
 * Keeps everything in Postgres, which any number of machines share: `new PostgresStorage({ connectionString: process.env.DATABASE_URL })`.
 *
 * It needs the package `pg`. The first use creates or updates the tables. `{ pool }` takes a `Pool` of your own, which `close()` leaves
 * open. If the database is away, calls reject with a `StorageError`, and work again once it is back. See docs/18-storage.md.
 */
export class PostgresStorage implements Storage {
  readonly leaseDuration: number | undefined;
  readonly conversations: Storage["conversations"];
  readonly journals: JournalStore;
  readonly leases: LeaseStore;
  readonly claims: DecisionClaims;
  readonly #database: PostgresConnection;

  constructor(address: PostgresAddress, options: PostgresStorageOptions = {}) {
    checkAddress(address);
    checkStorageOptions("PostgresStorage", options, ["leaseDuration", "schema"]);
    const { leaseDuration, schema = "toolwright" } = options;
    if (typeof schema !== "string" || schema === "" || Buffer.byteLength(schema) > 63 || schema.includes("\0")) {
      throw new RangeError("PostgresStorage: schema must be a name of 1 to 63 bytes.");
    }
    this.leaseDuration = leaseDuration;
    const database = new PostgresConnection(address, schema);
    this.#database = database;
    this.journals = new PostgresJournalStore(database);
    this.leases = new PostgresLeaseStore(database);
    this.claims = claimsIn(database);
    this.conversations = { ...conversationsIn(database), leases: this.leases, leaseDuration: this.leaseDuration };
  }

  /** Ends its connections, but not those of a pool of yours. The next use connects again. */
  async close(): Promise<void> {
    await this.#database.close();
  }
}

function checkAddress(address: PostgresAddress): void {
  checkStorageOptions("PostgresStorage", address, ["connectionString", "pool"]);
  const { connectionString, pool } = address as { readonly connectionString?: unknown; readonly pool?: Partial<{ connect: unknown }> };
  const isString = typeof connectionString === "string" && connectionString !== "";
  const isPool = typeof pool?.connect === "function";
  if (isString !== isPool) return;
  throw new TypeError(
    "PostgresStorage: takes either a connectionString, such as postgres://user:password@host/database, or a pool of the package pg.",
  );
}

const conversationsIn = (database: PostgresConnection): Storage["conversations"] => ({
  load: async (id): Promise<StoredConversation | undefined> => {
    const { schema } = database;
    const [row] = await database.query(
      `SELECT conversation, (SELECT json_object_agg(digest, data)::text FROM ${schema}.conversation_files WHERE key = $1) AS files
         FROM ${schema}.conversations WHERE key = $1`,
      keyOf(checkId(id)),
    );
    if (row === undefined) return undefined;
    const files = new Map(Object.entries(JSON.parse(String(row.files ?? "{}")) as Readonly<Record<string, string>>));
    const source = `conversation "${id}"`;
    return checkStored(
      putFilesBack(String(row.conversation), source, (digest) => files.get(digest)),
      source,
    );
  },
  save: async (id, conversation) => {
    const key = keyOf(checkId(id));
    const revision = checkRevision(conversation);
    const { text, files } = takeFilesApart(conversation);
    const { schema } = database;
    const table = `${schema}.conversations`;
    const stored = files.size === 0 ? [] : await database.query(`SELECT digest FROM ${schema}.conversation_files WHERE key = $1`, key);
    const known = new Set(stored.map(({ digest }) => String(digest)));
    const added = [...files].filter(([digest]) => !known.has(digest));
    const write =
      revision === 1
        ? `INSERT INTO ${table} VALUES ($1, $4, $2, $3::integer, clock_timestamp()) ON CONFLICT (key) DO NOTHING RETURNING 1`
        : `UPDATE ${table} SET id = $4, conversation = $2, revision = $3::integer, updated_at = clock_timestamp()
             WHERE key = $1 AND revision = $3::integer - 1 RETURNING 1`;
    const saved = await database.query(
      `WITH saved AS (${write}),
         gone AS (DELETE FROM ${schema}.conversation_files WHERE key = $1 AND digest <> ALL ($5::text[]) AND EXISTS (SELECT 1 FROM saved)),
         added AS (
           INSERT INTO ${schema}.conversation_files
             SELECT $1, digest, data FROM unnest($6::text[], $7::text[]) AS file (digest, data) WHERE EXISTS (SELECT 1 FROM saved)
           ON CONFLICT (key, digest) DO NOTHING
         )
       SELECT 1 FROM saved`,
      ...[key, text, revision, storableText(id)],
      ...[[...files.keys()], added.map(([digest]) => digest), added.map(([, data]) => data)],
    );
    if (saved.length > 0) return;
    const [current] = await database.query(`SELECT revision FROM ${table} WHERE key = $1`, key);
    throw new ConversationConflictError(id, { loaded: revision - 1, stored: Number(current?.revision ?? 0) });
  },
  delete: async (id) => {
    const { schema } = database;
    await database.query(
      `WITH files AS (DELETE FROM ${schema}.conversation_files WHERE key = $1) DELETE FROM ${schema}.conversations WHERE key = $1`,
      keyOf(checkId(id)),
    );
  },
});

const uniqueViolation = "23505";

const claimsIn = (database: PostgresConnection): DecisionClaims => ({
  claim: async (ids, expiresAt) => {
    // A claim without a readable expiry is kept for ever. The order keeps two that claim the same from waiting for each other.
    const expiry = Number.isNaN(Date.parse(expiresAt)) ? null : new Date(expiresAt).toISOString();
    try {
      await database.query(
        `WITH expired AS (
           DELETE FROM ${database.schema}.claims WHERE id IN (
             SELECT id FROM ${database.schema}.claims WHERE expires_at < clock_timestamp() - $3::double precision * interval '1 millisecond'
               LIMIT 100 FOR UPDATE SKIP LOCKED
           )
         )
         INSERT INTO ${database.schema}.claims SELECT id, $2::timestamptz FROM unnest($1::text[]) AS id ORDER BY id`,
        ...[[...new Set(ids)], expiry, claimGrace],
      );
      return true;
    } catch (error) {
      if ((error as { readonly code?: string }).code === uniqueViolation) return false;
      throw error;
    }
  },
  has: async (id) => (await database.query(`SELECT 1 FROM ${database.schema}.claims WHERE id = $1`, id)).length > 0,
});
