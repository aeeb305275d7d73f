import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { FileStorage, PostgresStorage, SqliteStorage, type Storage } from "../../storage/index.js";
import type { CommandOptions } from "../command-table.js";
import { UsageError } from "../exit-codes.js";
import type { Host } from "../host.js";
import { type Definitions, definitionsIn } from "../modules/definitions.js";
import { loadModules } from "../modules/load-modules.js";

const howTo = "Name one: --storage ./data, --storage ./runs.sqlite or --storage postgres://user@host/database. Or export it from a module.";

/** The storage that `--storage` names, else the one that the modules export. */
export async function openStorage(options: CommandOptions, host: Host): Promise<Storage> {
  if (options.storage !== undefined) return storageAt(options.storage, host);
  const modules = await loadModules([], options, host).catch((error: unknown) => {
    throw error instanceof UsageError && options.module === undefined ? new UsageError(`No storage is named. ${howTo}`) : error;
  });
  const [found, second] = storagesIn(definitionsIn(modules));
  if (second !== undefined) throw new UsageError(`The modules export several storages. ${howTo}`);
  if (found === undefined) throw new UsageError(`The modules export no storage. ${howTo}`);
  return found;
}

/** The storages that modules export, those of their runtimes included. */
export function storagesIn({ storages, runtimes }: Definitions): readonly Storage[] {
  const ofRuntimes = runtimes.flatMap((runtime) => (runtime as { readonly storage?: Storage }).storage ?? []);
  return [...new Set([...storages, ...ofRuntimes])];
}

/** The storage at the address that `--storage` has. */
export function storageAt(address: string, { directory }: Host): Storage {
  if (/^postgres(ql)?:/.test(address)) return new PostgresStorage({ connectionString: address });
  if (/^[a-z]+:\/\//.test(address)) throw new UsageError(`--storage: ${address.split(":")[0]} is no known storage. ${howTo}`);
  const path = resolve(directory, address);
  // Opening what isn't there would create it, and show an empty list.
  if (!existsSync(path)) throw new UsageError(`--storage: there is no ${address} in ${directory}.`);
  return statSync(path).isDirectory() ? new FileStorage(path) : new SqliteStorage(path);
}

/** Closes what the command opened. */
export async function withStorage<Result>(
  options: CommandOptions,
  host: Host,
  work: (storage: Storage) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(options, host);
  try {
    return await work(storage);
  } finally {
    await storage.close?.();
  }
}
