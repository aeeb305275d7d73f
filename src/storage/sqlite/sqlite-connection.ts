import { StorageError } from "../storage-errors.js";
import { migrations } from "./migrations.js";
import { type Database, openDatabase, type Row, type Statement, type Value } from "./node-sqlite.js";

/** How long a process waits for another that writes, in milliseconds. */
const busyTimeout = 5_000;

/** SQLITE_BUSY and SQLITE_FULL: the lowest byte of their codes. */
const busy = 5;
const full = 13;

/** The time in milliseconds by SQLite's clock, as an expression. */
export const now = "CAST(unixepoch('subsec') * 1000 AS INTEGER)";

/** A database file that is opened, and brought to the current version, on first use. Statements are compiled once. */
export class SqliteConnection {
  readonly #file: string;
  #database: Database | undefined;
  readonly #statements = new Map<string, Statement>();

  constructor(file: string) {
    this.#file = file;
  }

  get(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#named(() => this.#statement(sql).get(...values));
  }

  all(sql: string, ...values: readonly Value[]): readonly Row[] {
    // A copy with this realm's class: in jest, the driver's arrays are of another.
    return [...this.#named(() => this.#statement(sql).all(...values))];
  }

  run(sql: string, ...values: readonly Value[]): void {
    this.#named(() => this.#statement(sql).run(...values));
  }

  /** All of the work, or nothing of it, and no other process writes meanwhile. It can't be interrupted, because nothing in it waits. */
  transaction<Result>(work: () => Result): Result {
    const database = this.#named(() => this.#open());
    this.#named(() => database.exec("BEGIN IMMEDIATE"));
    try {
      const result = work();
      this.#named(() => database.exec("COMMIT"));
      return result;
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#database?.close();
    this.#database = undefined;
  }

  /** SQLite's own errors name no file. */
  #named<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      const { code, errcode = 0, message } = error as { readonly code?: string; readonly errcode?: number; readonly message: string };
      if (code !== "ERR_SQLITE_ERROR") throw error;
      throw new StorageError("unavailable", `SqliteStorage: ${this.#file}: ${message}. ${adviceOn(errcode & 0xff)}`, { cause: error });
    }
  }

  #statement(sql: string): Statement {
    const database = this.#open();
    const known = this.#statements.get(sql) ?? database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  #open(): Database {
    if (this.#database !== undefined) return this.#database;
    const database = openDatabase(this.#file);
    try {
      database.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
      database.exec("PRAGMA journal_mode = WAL");
      // A commit waits until it would survive a crash of the machine.
      database.exec("PRAGMA synchronous = FULL");
      this.#migrate(database);
      // Of processes that ended a day ago and never came back.
      database.exec(`DELETE FROM leases WHERE expires_at < ${now} - 86400000`);
    } catch (error) {
      database.close();
      throw error;
    }
    this.#database = database;
    return database;
  }

  #migrate(database: Database): void {
    const versionOf = (): number => Number(database.prepare("PRAGMA user_version").get()?.user_version);
    if (versionOf() === migrations.length) return;
    database.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have done it meanwhile.
      const version = versionOf();
      if (version > migrations.length) {
        throw new StorageError(
          "version",
          `SqliteStorage: ${this.#file} has version ${version}, and this version of Toolwright reads up to ${migrations.length}. Update the package. The file was left as it is.`,
        );
      }
      for (const migration of migrations.slice(version)) database.exec(migration);
      database.exec(`PRAGMA user_version = ${migrations.length}`);
      database.exec("COMMIT");
    } catch (error) {
      rollBack(database);
      throw error;
    }
  }
}

function adviceOn(code: number): string {
  if (code === busy) return `Another process has written to it for ${busyTimeout / 1000} s. Try again, or find out what it does.`;
  if (code === full) return "Nothing was stored. Free some space, then repeat the call.";
  return "Check the file, its directory and the disk.";
}

function rollBack(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    // SQLite has rolled back by itself, as it does if the disk is full. The first error says why.
  }
}
