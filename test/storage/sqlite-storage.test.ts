import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SqliteStorage, type StorageError } from "../../src/storage/index.js";
import { storageTests } from "../../src/testing/index.js";
import { compiledStorage, Program, testDirectory } from "../support/storage-programs.js";

const directory = testDirectory("sqlite-storage");
const hasSqlite = process.getBuiltinModule?.("node:sqlite") !== undefined;
const describeWithSqlite = hasSqlite ? describe : describe.skip;

const thrownBy = async (work: () => unknown): Promise<StorageError> => {
  try {
    await work();
  } catch (error) {
    return error as StorageError;
  }
  throw new Error("Nothing was thrown.");
};

describeWithSqlite("SqliteStorage", () => {
  for (const { title, run } of storageTests({ open: (name) => new SqliteStorage(join(directory, `${name}.sqlite`)) })) it(title, run);

  it("is made by several processes at once, and gives each lease once", async () => {
    const compiled = compiledStorage(directory);
    const file = join(directory, "together.sqlite");
    const programs = Array.from({ length: 4 }, (_, index) => {
      const code = `const { leases, journals } = new storage.SqliteStorage(${JSON.stringify(file)});
        const won = [];
        for (let run = 0; run < 25; run++) {
          const lease = await leases.acquire("run " + run, "process ${index}", 60_000);
          if (lease.owner !== "process ${index}") continue;
          won.push(run);
          await journals.append({ runId: String(run), agent: "a", status: "ended", position: 0, entries: [{ kind: "test" }] }, lease);
        }
        say(won);`;
      return new Program(compiled, code);
    });
    const won = await Promise.all(programs.map(async (program) => (await program.hears(1))[0] as number[]));
    expect(won.flat().sort((one, other) => one - other)).toEqual(Array.from({ length: 25 }, (_, run) => run));
    await Promise.all(programs.map((program) => program.ended));
    const storage = new SqliteStorage(file);
    expect(await storage.journals.list()).toHaveLength(25);
    storage.close();
  });

  it("rejects a file of a newer version, and leaves it as it is", async () => {
    const file = join(directory, "newer.sqlite");
    const storage = new SqliteStorage(file);
    await storage.journals.list();
    storage.close();
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as {
      DatabaseSync: new (file: string) => { exec(sql: string): void; close(): void };
    };
    const database = new DatabaseSync(file);
    database.exec("PRAGMA user_version = 99");
    database.close();
    const error = await thrownBy(() => storage.journals.list());
    expect([error.name, error.reason]).toEqual(["StorageError", "version"]);
    expect(error.message).toContain(`${file} has version 99`);
  });

  it("names the file if it is no database, or its directory doesn't exist, and works once that is right", async () => {
    const file = join(directory, "text.sqlite");
    writeFileSync(file, "This is a text.".repeat(100));
    for (const path of [file, join(directory, "none", "a.sqlite")]) {
      const error = await thrownBy(() => new SqliteStorage(path).journals.list());
      expect([error.name, error.reason]).toEqual(["StorageError", "unavailable"]);
      expect(error.message).toContain(path);
    }
    expect(readFileSync(file, "utf8")).toContain("This is a text.");
    const storage = new SqliteStorage(file);
    await thrownBy(() => storage.journals.list());
    writeFileSync(file, "");
    expect(await storage.journals.list()).toEqual([]);
    storage.close();
  });

  it("removes claims a day after they expired, and leases of processes that never came back", async () => {
    const storage = new SqliteStorage(join(directory, "old.sqlite"));
    const old = new Date(Date.now() - 2 * 86_400_000).toISOString();
    await storage.claims.claim(["a".repeat(64)], old);
    await storage.claims.claim(["b".repeat(64)], old);
    expect(await storage.claims.has?.("a".repeat(64))).toBe(false);
    const lease = await storage.leases.acquire("conversation 1", "dead", -2 * 86_400_000);
    storage.close();
    expect(await storage.leases.renew(lease, 1_000)).toBeUndefined();
    storage.close();
  });
});

(hasSqlite ? it.skip : it)("names the versions of Node that have SQLite, and the other forms, where it is missing", async () => {
  const file = join(directory, "missing.sqlite");
  const error = await thrownBy(() => new SqliteStorage(file).journals.list());
  expect([error.name, error.reason]).toEqual(["StorageError", "unsupported"]);
  expect(error.message).toBe(
    `SqliteStorage needs node:sqlite, which Node ${process.versions.node} doesn't have. Run Node 22.13 or newer, or use FileStorage or PostgresStorage.`,
  );
  expect(existsSync(file)).toBe(false);
});
