import { join } from "node:path";
import { FileStorage, MemoryStorage, PostgresStorage, SqliteStorage, type Storage } from "../../src/storage/index.js";
import { testDirectory } from "./storage-programs.js";

type OpenStorage = (name: string, options?: { readonly leaseDuration: number }) => Storage;

/**
 * The forms of storage that can be tested here: SQLite needs Node 22, and Postgres `DATABASE_URL` (`npm run test:durable`). Storages of one
 * name share their data. `test`: the name of the test file.
 */
export function storageForms(test: string): Readonly<Record<string, OpenStorage>> {
  const directory = testDirectory(test);
  const connectionString = process.env.DATABASE_URL;
  const schema = test.replaceAll("-", "_");
  return {
    MemoryStorage: (_name, options) => new MemoryStorage(options),
    FileStorage: (name, options) => new FileStorage(join(directory, name), options),
    ...(process.getBuiltinModule?.("node:sqlite") !== undefined && {
      SqliteStorage: (name, options) => new SqliteStorage(join(directory, `${name}.sqlite`), options),
    }),
    ...(connectionString !== undefined && {
      PostgresStorage: (name, options) =>
        new PostgresStorage({ connectionString }, { schema: `${schema}_${process.pid}_${name}`, ...options }),
    }),
  };
}
