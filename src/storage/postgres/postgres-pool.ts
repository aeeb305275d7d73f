import { isMissingPackage } from "../../platform/index.js";
import { StorageError } from "../storage-errors.js";

export type Row = Readonly<Record<string, unknown>>;

/** What runs a query: a pool, or a client of it. */
export interface PostgresQueryable {
  query(text: string, values?: readonly unknown[]): Promise<{ readonly rows: readonly Row[] }>;
}

/** A connection of a pool, used for a transaction. */
export interface PostgresClient extends PostgresQueryable {
  /** With an error, the connection is closed. */
  release(error?: Error | boolean): void;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** What is used of a `Pool` of `pg`. */
export interface PostgresPool extends PostgresQueryable {
  connect(): Promise<PostgresClient>;
  on(event: "error", listener: (error: Error) => void): unknown;
  end(): Promise<void>;
}

/** What is used of a `Client` of `pg` that listens. */
export interface PostgresListener extends PostgresQueryable {
  connect(): Promise<void>;
  on(event: "error" | "end", listener: () => void): unknown;
  on(event: "notification", listener: (notification: { readonly channel: string; readonly payload?: string }) => void): unknown;
  end(): Promise<void>;
}

interface Pg {
  readonly Client: new (options: { readonly connectionString: string; readonly connectionTimeoutMillis: number }) => PostgresListener;
  readonly Pool: new (options: { readonly connectionString: string; readonly connectionTimeoutMillis: number }) => PostgresPool;
}

/** The name isn't written in the `import()`: bundlers would ask for it also if an application uses another form. */
const packageName = "pg";
const connectionTimeoutMillis = 10_000;

export async function makePool(connectionString: string): Promise<PostgresPool> {
  const { Pool } = await loadPg();
  return new Pool({ connectionString, connectionTimeoutMillis });
}

export async function makeClient(connectionString: string): Promise<PostgresListener> {
  const { Client } = await loadPg();
  return new Client({ connectionString, connectionTimeoutMillis });
}

async function loadPg(): Promise<Pg> {
  try {
    const module = (await import(packageName)) as Pg & { readonly default?: Pg };
    return module.default ?? module;
  } catch (error) {
    if (!isMissingPackage(error, packageName)) throw error;
    throw new StorageError("unsupported", "PostgresStorage needs the package pg, which isn't installed: npm install pg", { cause: error });
  }
}
