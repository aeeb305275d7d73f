import { join } from "node:path";
import { InProcessRuntime } from "../../src/durable/index.js";
import { FileStorage, PostgresStorage, SqliteStorage, type Storage } from "../../src/storage/index.js";
import { runtimeCases } from "../support/runtime-cases.js";
import { testDirectory } from "../support/storage-programs.js";

const directory = testDirectory("runtimes");
const connectionString = process.env.DATABASE_URL;
const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined;

/** Storages with nothing in them. MemoryStorage is tested with what only InProcessRuntime does. */
const forms: Readonly<Record<string, (name: string) => Storage>> = {
  FileStorage: (name) => new FileStorage(join(directory, name)),
  ...(hasSqlite && { SqliteStorage: (name) => new SqliteStorage(join(directory, `${name}.sqlite`)) }),
  ...(connectionString !== undefined && {
    PostgresStorage: (name) => new PostgresStorage({ connectionString }, { schema: `runtimes_${process.pid}_${name}` }),
  }),
};

const opened: { readonly runtime: InProcessRuntime; readonly storage: Storage }[] = [];
let count = 0;
afterEach(async () => {
  for (const { runtime, storage } of opened.splice(0)) {
    await runtime.drain({ deadline: 0 });
    await storage.close?.();
  }
});

for (const [form, make] of Object.entries(forms))
  runtimeCases((agent, services) => {
    const storage = make(`${count++}`);
    const runtime = new InProcessRuntime({ storage, agents: [agent], ...services });
    opened.push({ runtime, storage });
    return Promise.resolve(runtime);
  }, `a runtime on ${form}`);
