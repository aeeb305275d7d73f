import { StorageError } from "../storage-errors.js";
import { explained } from "./connection-errors.js";
import { migrations } from "./migrations.js";
import { makePool, type PostgresClient, type PostgresPool, type Row } from "./postgres-pool.js";

/** The database: a pool that the application owns, or the settings to make one from. */
export type PostgresAddress = { readonly connectionString: string } | { readonly pool: PostgresPool };

/** Any constant: the first half of the advisory lock under which a schema is updated. */
const migrationLock = 746_152_711;

const serializationFailure = "40001";

/** A schema of a database, which is made and updated on first use. It connects again after the database was away. */
export class PostgresConnection {
  /** The schema's name, quoted, for statements. */
  readonly schema: string;
  readonly #schemaName: string;
  readonly #address: PostgresAddress;
  #ready: Promise<PostgresPool> | undefined;

  constructor(address: PostgresAddress, schemaName: string) {
    this.#address = address;
    if ("pool" in address && address.pool !== undefined) replaceBrokenConnections(address.pool);
    this.#schemaName = schemaName;
    this.schema = `"${schemaName.replaceAll('"', '""')}"`;
  }

  /** One statement, in one round trip. */
  async query(text: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
    const pool = await this.#open();
    try {
      return (await pool.query(text, values)).rows;
    } catch (error) {
      // Statements are written for "read committed". This database's default is stricter, and another changed the row meanwhile.
      if ((error as { readonly code?: string }).code !== serializationFailure) throw explained(error);
      return transactionIn(pool, async (client) => (await client.query(text, values)).rows);
    }
  }

  /** All of the work, or nothing of it. */
  async transaction<Result>(work: (client: PostgresClient) => Promise<Result>): Promise<Result> {
    return transactionIn(await this.#open(), work);
  }

  /** Ends the connections that this object made. The next use connects again. */
  async close(): Promise<void> {
    const ready = this.#ready;
    this.#ready = undefined;
    const pool = await ready?.catch(() => undefined);
    if ("connectionString" in this.#address) await pool?.end();
  }

  #open(): Promise<PostgresPool> {
    this.#ready ??= this.#connect().catch((error: unknown) => {
      this.#ready = undefined;
      throw explained(error);
    });
    return this.#ready;
  }

  async #connect(): Promise<PostgresPool> {
    const isOwn = "connectionString" in this.#address;
    const pool = "pool" in this.#address ? this.#address.pool : await makePool(this.#address.connectionString);
    if (isOwn) replaceBrokenConnections(pool);
    try {
      await this.#migrate(pool);
      // Of processes that ended a day ago and never came back.
      await pool.query(`DELETE FROM ${this.schema}.leases WHERE expires_at < clock_timestamp() - interval '1 day'`);
      return pool;
    } catch (error) {
      if (isOwn) await pool.end().catch(ignore);
      throw error;
    }
  }

  async #migrate(pool: PostgresPool): Promise<void> {
    if ((await this.#version(pool)) === migrations.length) return;
    await transactionIn(pool, async (client) => {
      // One process at a time; the others find it done.
      await client.query("SELECT pg_advisory_xact_lock($1, hashtext($2))", [migrationLock, this.#schemaName]);
      const version = await this.#version(client);
      if (version > migrations.length) {
        throw new StorageError(
          "version",
          `PostgresStorage: the schema ${this.#schemaName} has version ${version}, and this version of Toolwright reads up to ${migrations.length}. Update the package. The schema was left as it is.`,
        );
      }
      const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [this.#schemaName]);
      // "IF NOT EXISTS" needs the right to make schemas, also if there is one.
      if (rows.length === 0) await client.query(`CREATE SCHEMA ${this.schema}`);
      await client.query(`SET LOCAL search_path TO ${this.schema}`);
      await client.query("CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL)");
      for (const [index, migration] of [...migrations.entries()].slice(version)) {
        await client.query(migration);
        await client.query("INSERT INTO migrations VALUES ($1, clock_timestamp())", [index + 1]);
      }
    });
  }

  async #version(client: Pick<PostgresPool, "query">): Promise<number> {
    // Read from the tables of the catalogue: `to_regclass` may answer from before the lock was taken.
    const { rows: tables } = await client.query(
      "SELECT 1 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = $1 AND relname = 'migrations'",
      [this.#schemaName],
    );
    if (tables.length === 0) return 0;
    const { rows } = await client.query(`SELECT max(version) AS version FROM ${this.schema}.migrations`);
    return Number(rows[0]?.version ?? 0);
  }
}

async function transactionIn<Result>(pool: PostgresPool, work: (client: PostgresClient) => Promise<Result>): Promise<Result> {
  let client: PostgresClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw explained(error);
  }
  // While it is used, the pool doesn't listen. The query that fails has the same error.
  client.on("error", ignore);
  const giveBack = (error?: Error): void => {
    // The listener stays on a connection that is closed: it may report more.
    if (error === undefined) client.off("error", ignore);
    client.release(error);
  };
  try {
    // Locked rows are read anew, whatever the database's default is.
    await client.query("BEGIN ISOLATION LEVEL READ COMMITTED");
    const result = await work(client);
    await client.query("COMMIT");
    giveBack();
    return result;
  } catch (error) {
    await client.query("ROLLBACK").then(
      () => giveBack(),
      (broken: Error) => giveBack(broken),
    );
    throw explained(error);
  }
}

/** A pool replaces an idle connection that breaks. Without a listener, its error would end the process. */
function replaceBrokenConnections(pool: PostgresPool): void {
  pool.on("error", ignore);
}

const ignore = (): void => undefined;
