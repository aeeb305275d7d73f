import { StorageError } from "../storage-errors.js";

/** What is used of `node:sqlite`, whose types come with newer versions of `@types/node` than the library supports. */
export interface Database {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

export interface Statement {
  all(...values: readonly Value[]): readonly Row[];
  get(...values: readonly Value[]): Row | undefined;
  run(...values: readonly Value[]): unknown;
}

interface NodeSqlite {
  readonly DatabaseSync: new (file: string) => Database;
}

/** Loaded on use, and by name at run time: Node 20 doesn't have it, and bundlers needn't know it. */
export function openDatabase(file: string): Database {
  const sqlite = process.getBuiltinModule?.("node:sqlite") as NodeSqlite | undefined;
  if (sqlite !== undefined) return new sqlite.DatabaseSync(file);
  throw new StorageError(
    "unsupported",
    `SqliteStorage needs node:sqlite, which Node ${process.versions.node} doesn't have. Run Node 22.13 or newer, or use FileStorage or PostgresStorage.`,
  );
}
