import { keyOf, originalText, storableText } from "../database/keys.js";
import type { Lease, LeaseStore } from "../lease-store.js";
import type { Row } from "./node-sqlite.js";
import { now, type SqliteConnection } from "./sqlite-connection.js";

/** Leases as rows. Their times are SQLite's. */
export class SqliteLeaseStore implements LeaseStore {
  readonly #database: SqliteConnection;

  constructor(database: SqliteConnection) {
    this.#database = database;
  }

  async acquire(key: string, owner: string, duration: number): Promise<Lease> {
    return this.#database.transaction(() => {
      const held = this.#database.get(`SELECT owner, fence, expires_at FROM leases WHERE key = ? AND expires_at > ${now}`, keyOf(key));
      if (held !== undefined) return leaseOf(key, held);
      const fence = Number(this.#database.get("UPDATE fences SET last = last + 1 RETURNING last")?.last);
      const given = this.#database.get(
        `INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ${now} + ?) RETURNING owner, fence, expires_at`,
        ...[keyOf(key), storableText(owner), fence, Math.ceil(duration)],
      );
      return leaseOf(key, given as Row);
    });
  }

  async renew({ key, fence }: Lease, duration: number): Promise<Lease | undefined> {
    const row = this.#database.get(
      `UPDATE leases SET expires_at = ${now} + ? WHERE key = ? AND fence = ? RETURNING owner, fence, expires_at`,
      ...[Math.ceil(duration), keyOf(key), fence],
    );
    return row && leaseOf(key, row);
  }

  async release({ key, fence }: Lease): Promise<void> {
    this.#database.run("DELETE FROM leases WHERE key = ? AND fence = ?", keyOf(key), fence);
  }
}

const leaseOf = (key: string, row: Row): Lease => ({
  key,
  owner: originalText(String(row.owner)),
  fence: Number(row.fence),
  expiresAt: new Date(Number(row.expires_at)).toISOString(),
});
