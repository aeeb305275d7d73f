import { putFilesBack, takeFilesApart } from "../apart-files.js";
import { ConversationConflictError, checkId, checkRevision, checkStored, type StoredConversation } from "../conversation-store.js";
import { keyOf, storableText } from "../database/keys.js";
import { claimGrace, type DecisionClaims } from "../decision-claims.js";
import type { JournalStore } from "../journal-store.js";
import type { LeaseStore } from "../lease-store.js";
import type { Storage, StorageOptions } from "../storage.js";
import { checkStorageOptions } from "../storage-options.js";
import { now, SqliteConnection } from "./sqlite-connection.js";
import { SqliteJournalStore } from "./sqlite-journal-store.js";
import { SqliteLeaseStore } from "./sqlite-lease-store.js";

/**
 * Keeps everything in a SQLite file, which several processes of one machine share: `new SqliteStorage("./data/runs.sqlite")`.
 *
 * It uses `node:sqlite` of Node 22.13 and newer; on older versions each use rejects with a `StorageError`. Writes wait for the disk,
 * and the event loop waits with them: SQLite works in the thread that calls it. See docs/18-storage.md.
 */
export class SqliteStorage implements Storage {
  readonly leaseDuration: number | undefined;
  readonly conversations: Storage["conversations"];
  readonly journals: JournalStore;
  readonly leases: LeaseStore;
  readonly claims: DecisionClaims;
  readonly #database: SqliteConnection;

  /** `file` is created if necessary; its directory must exist. */
  constructor(file: string, options: StorageOptions = {}) {
    if (typeof file !== "string" || file === "") {
      throw new TypeError('SqliteStorage: takes the path of a file, such as new SqliteStorage("./data/runs.sqlite").');
    }
    checkStorageOptions("SqliteStorage", options, ["leaseDuration"]);
    this.leaseDuration = options.leaseDuration;
    const database = new SqliteConnection(file);
    this.#database = database;
    this.journals = new SqliteJournalStore(database);
    this.leases = new SqliteLeaseStore(database);
    this.claims = claimsIn(database);
    this.conversations = { ...conversationsIn(database), leases: this.leases, leaseDuration: this.leaseDuration };
  }

  /** Closes the file. The next use opens it again. */
  close(): void {
    this.#database.close();
  }
}

const conversationsIn = (database: SqliteConnection): Storage["conversations"] => ({
  load: async (id): Promise<StoredConversation | undefined> => {
    const key = keyOf(checkId(id));
    const row = database.get("SELECT conversation FROM conversations WHERE key = ?", key);
    if (row === undefined) return undefined;
    const fileOf = (digest: string): string | undefined => {
      const file = database.get("SELECT data FROM conversation_files WHERE key = ? AND digest = ?", key, digest);
      return file && String(file.data);
    };
    const source = `conversation "${id}"`;
    return checkStored(putFilesBack(String(row.conversation), source, fileOf), source);
  },
  save: async (id, conversation) => {
    const key = keyOf(checkId(id));
    const revision = checkRevision(conversation);
    const { text, files } = takeFilesApart(conversation);
    database.transaction(() => {
      const stored = Number(database.get("SELECT revision FROM conversations WHERE key = ?", key)?.revision ?? 0);
      if (stored !== revision - 1) throw new ConversationConflictError(id, { loaded: revision - 1, stored });
      database.run(`INSERT OR REPLACE INTO conversations VALUES (?, ?, ?, ?, ${now})`, key, storableText(id), text, revision);
      const known = new Set(database.all("SELECT digest FROM conversation_files WHERE key = ?", key).map(({ digest }) => String(digest)));
      for (const [digest, data] of files) {
        if (!known.delete(digest)) database.run("INSERT INTO conversation_files VALUES (?, ?, ?)", key, digest, data);
      }
      for (const digest of known) database.run("DELETE FROM conversation_files WHERE key = ? AND digest = ?", key, digest);
    });
  },
  delete: async (id) => {
    const key = keyOf(checkId(id));
    database.transaction(() => {
      database.run("DELETE FROM conversations WHERE key = ?", key);
      database.run("DELETE FROM conversation_files WHERE key = ?", key);
    });
  },
});

const claimsIn = (database: SqliteConnection): DecisionClaims => ({
  claim: async (ids, expiresAt) =>
    database.transaction(() => {
      database.run(`DELETE FROM claims WHERE expires_at < ${now} - ${claimGrace}`);
      if (ids.some((id) => database.get("SELECT 1 FROM claims WHERE id = ?", id) !== undefined)) return false;
      const expiry = Date.parse(expiresAt);
      // A claim without a readable expiry is kept for ever.
      for (const id of new Set(ids)) database.run("INSERT INTO claims VALUES (?, ?)", id, Number.isNaN(expiry) ? null : expiry);
      return true;
    }),
  has: async (id) => database.get("SELECT 1 FROM claims WHERE id = ?", id) !== undefined,
});
