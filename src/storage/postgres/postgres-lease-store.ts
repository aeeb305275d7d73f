import { keyOf, originalText, storableText } from "../database/keys.js";
import type { Lease, LeaseStore } from "../lease-store.js";
import type { PostgresConnection } from "./postgres-connection.js";
import type { Row } from "./postgres-pool.js";
import { isoTime, timeAfter } from "./times.js";

const columns = `owner, fence, ${isoTime("expires_at")} AS expires_at`;

/** Leases as rows. Their times are the database's, and their fences come from a sequence. */
export class PostgresLeaseStore implements LeaseStore {
  readonly #database: PostgresConnection;

  constructor(database: PostgresConnection) {
    this.#database = database;
  }

  async acquire(key: string, owner: string, duration: number): Promise<Lease> {
    const { schema } = this.#database;
    for (;;) {
      // The next fence is taken once the row is locked: a call that waited must not give a lower one than the call it waited for.
      const given = await this.#database.query(
        `INSERT INTO ${schema}.leases AS held (key, owner, fence, expires_at)
           VALUES ($1, $2, nextval('${schema}.fences'), ${timeAfter("$3")})
         ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, fence = nextval('${schema}.fences'), expires_at = ${timeAfter("$3")}
           WHERE held.expires_at <= clock_timestamp()
         RETURNING ${columns}`,
        ...[keyOf(key), storableText(owner), duration],
      );
      const held = given[0] ?? (await this.#database.query(`SELECT ${columns} FROM ${schema}.leases WHERE key = $1`, keyOf(key)))[0];
      // Without a row, its holder gave it back between the two.
      if (held !== undefined) return leaseOf(key, held);
    }
  }

  async renew({ key, fence }: Lease, duration: number): Promise<Lease | undefined> {
    const rows = await this.#database.query(
      `UPDATE ${this.#database.schema}.leases SET expires_at = ${timeAfter("$3")} WHERE key = $1 AND fence = $2 RETURNING ${columns}`,
      ...[keyOf(key), fence, duration],
    );
    return rows[0] && leaseOf(key, rows[0]);
  }

  async release({ key, fence }: Lease): Promise<void> {
    await this.#database.query(`DELETE FROM ${this.#database.schema}.leases WHERE key = $1 AND fence = $2`, keyOf(key), fence);
  }
}

const leaseOf = (key: string, row: Row): Lease => ({
  key,
  owner: originalText(String(row.owner)),
  fence: Number(row.fence),
  expiresAt: String(row.expires_at),
});
