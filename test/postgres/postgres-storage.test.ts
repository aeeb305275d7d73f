import { Pool } from "pg";
import { PostgresStorage, type StorageError } from "../../src/storage/index.js";
import type { PostgresPool } from "../../src/storage/postgres/postgres-pool.js";
import { storageTests } from "../../src/testing/index.js";
import { DatabaseProxy } from "../support/database-proxy.js";
import { expectAppendsToSurviveKills } from "../support/kill-storage.js";
import { compiledStorage, testDirectory } from "../support/storage-programs.js";

const address = process.env.DATABASE_URL;
if (address === undefined) throw new Error("These tests need DATABASE_URL. Run them by: npm run test:durable");

const database = `toolwright_${process.pid}_${Date.now()}`;
const connectionString = Object.assign(new URL(address), { pathname: `/${database}` }).href;
const administer = async (statement: string): Promise<void> => {
  const pool = new Pool({ connectionString: address });
  await pool.query(statement);
  await pool.end();
};
beforeAll(() => administer(`CREATE DATABASE ${database}`));
afterAll(() => administer(`DROP DATABASE ${database} WITH (FORCE)`));

const thrownBy = async (work: () => unknown): Promise<StorageError> => {
  try {
    await work();
  } catch (error) {
    return error as StorageError;
  }
  throw new Error("Nothing was thrown.");
};

const compiled = compiledStorage(testDirectory("postgres-kill"));

describe("PostgresStorage", () => {
  for (const { title, run } of storageTests({ open: (schema) => new PostgresStorage({ connectionString }, { schema }) })) it(title, run);

  it("keeps what was acknowledged if a process is killed while it appends", async () => {
    const pool = `new (require("pg").Pool)({ connectionString: ${JSON.stringify(connectionString)} })`;
    const made = `new storage.PostgresStorage({ pool: ${pool} }, { schema: "killed" })`;
    await expectAppendsToSurviveKills(compiled, made, () => new PostgresStorage({ connectionString }, { schema: "killed" }), 10);
  }, 120_000);

  it("takes a pool of the application's, and leaves it open", async () => {
    const pool = new Pool({ connectionString });
    const storage = new PostgresStorage({ pool }, { schema: 'of "mine"' });
    expect(await storage.journals.list()).toEqual([]);
    await storage.close();
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  it("makes its tables once, however many processes begin at once", async () => {
    const storages = Array.from({ length: 8 }, () => new PostgresStorage({ connectionString }, { schema: "together" }));
    await Promise.all(storages.map(({ journals }) => journals.list()));
    const pool = new Pool({ connectionString });
    expect((await pool.query("SELECT version FROM together.migrations")).rows).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }]);
    await Promise.all([pool.end(), ...storages.map((storage) => storage.close())]);
  });

  it("uses tables that are there without the right to make any", async () => {
    const owner = new PostgresStorage({ connectionString }, { schema: "granted" });
    await owner.journals.list();
    await owner.close();
    const pool = new Pool({ connectionString });
    const role = `app_${process.pid}`;
    await pool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'; GRANT USAGE ON SCHEMA granted TO ${role};
      GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA granted TO ${role};
      GRANT USAGE ON ALL SEQUENCES IN SCHEMA granted TO ${role}`);
    const limited = Object.assign(new URL(connectionString), { username: role, password: "secret" }).href;
    const storage = new PostgresStorage({ connectionString: limited }, { schema: "granted" });
    const lease = await storage.leases.acquire("run 1", "me", 60_000);
    await storage.journals.append({ runId: "1", agent: "a", status: "running", position: 0, entries: [{ kind: "test" }] }, lease);
    await storage.close();
    await pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await pool.end();
  });

  it("appends in one round trip", async () => {
    const pool = new Pool({ connectionString });
    const storage = new PostgresStorage({ pool }, { schema: "counted" });
    const lease = await storage.leases.acquire("run 1", "me", 60_000);
    const [query, client] = [jest.spyOn(pool, "query"), jest.spyOn(pool, "connect")];
    for (const position of [0, 1, 2]) {
      await storage.journals.append({ runId: "1", agent: "a", status: "running", position, entries: [{ kind: "test" }] }, lease);
    }
    expect(query).toHaveBeenCalledTimes(3);
    // `pool.query` connects once for each statement.
    expect(client.mock.calls.length).toBeLessThanOrEqual(3);
    query.mockRestore();
    client.mockRestore();
    await pool.end();
  });

  it("keeps the images of a run that begins with the id of one that is being deleted", async () => {
    const content = [{ type: "image", mediaType: "image/png", data: "iVBORw0KGgo".repeat(400) }];
    const append = { runId: "1", agent: "a", status: "running", position: 0, entries: [{ kind: "test", content }] } as const;
    const storage = new PostgresStorage({ connectionString }, { schema: "again" });
    const lease = await storage.leases.acquire("run 1", "me", 60_000);
    await storage.journals.append(append, lease);
    const pool = new Pool({ connectionString });
    const slow = {
      query: (text: string, values: readonly unknown[] = []) => pool.query(text, [...values]),
      on: () => undefined,
      end: () => pool.end(),
      connect: async () => {
        await storage.journals.append(append, lease);
        return pool.connect();
      },
    };
    await new PostgresStorage({ pool: slow as unknown as PostgresPool }, { schema: "again" }).journals.delete("1");

    expect(await storage.journals.read("1")).toEqual(append.entries);
    await storage.journals.delete("1");
    expect((await pool.query("SELECT 1 FROM again.journal_files")).rows).toEqual([]);
    await pool.end();
    await storage.close();
  });

  it("rejects a schema of a newer version, and leaves it as it is", async () => {
    const storage = new PostgresStorage({ connectionString }, { schema: "newer" });
    await storage.journals.list();
    await storage.close();
    const pool = new Pool({ connectionString });
    await pool.query("INSERT INTO newer.migrations VALUES (99, now())");
    const error = await thrownBy(() => storage.journals.list());
    expect([error.name, error.reason]).toEqual(["StorageError", "version"]);
    expect(error.message).toContain("the schema newer has version 99");
    await pool.end();
  });

  it("works if the database's transactions are serializable by default", async () => {
    await administer(`ALTER DATABASE ${database} SET default_transaction_isolation = 'serializable'`);
    try {
      const tests = storageTests({ open: (schema) => new PostgresStorage({ connectionString }, { schema }) });
      for (const { title, run } of tests) {
        if (/once|take over|took over/.test(title)) await run();
      }
    } finally {
      await administer(`ALTER DATABASE ${database} RESET default_transaction_isolation`);
    }
  });
});

describe("PostgresStorage, if the database goes away", () => {
  let proxy: DatabaseProxy;
  let storage: PostgresStorage;
  beforeEach(async () => {
    proxy = new DatabaseProxy(new URL(connectionString));
    await proxy.start();
    storage = new PostgresStorage({ connectionString: proxy.address }, { schema: "away" });
  });
  afterEach(async () => {
    await storage.close();
    await proxy.stop();
  });

  it("rejects with what to do if it is away at the start, and works once it is there", async () => {
    await proxy.stop();
    for (let time = 0; time < 3; time++) {
      const error = await thrownBy(() => storage.journals.list());
      expect([error.name, error.reason]).toEqual(["StorageError", "unavailable"]);
      expect(error.message).toMatch(
        /^PostgresStorage: the database is unavailable: .*ECONNREFUSED.*\. Start it, or check its address\. The next call tries again\.$/,
      );
    }
    await proxy.start();
    expect(await storage.journals.list()).toEqual([]);
  });

  it("works again after it was away in the middle, and no idle connection ends the process", async () => {
    await Promise.all(Array.from({ length: 5 }, () => storage.journals.list()));
    await proxy.stop();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await thrownBy(() => storage.leases.acquire("run 1", "me", 60_000))).reason).toBe("unavailable");
    await proxy.start();
    const lease = await storage.leases.acquire("run 1", "me", 60_000);
    const append = { runId: "1", agent: "a", status: "running", position: 0, entries: [{ kind: "test" }] } as const;
    await storage.journals.append(append, lease);
    expect(await storage.journals.read("1")).toEqual([{ kind: "test" }]);
  });

  it("rejects what is under way, in a transaction too, and adds it once if it is repeated", async () => {
    const lease = await storage.leases.acquire("run 2", "me", 60_000);
    const append = { runId: "2", agent: "a", status: "running", position: 0, entries: [{ kind: "test" }] } as const;
    const working = Array.from({ length: 20 }, () => storage.journals.append(append, lease));
    const outcomes = Promise.allSettled(working);
    await proxy.stop();
    for (const outcome of await outcomes) {
      if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ name: "StorageError", reason: "unavailable" });
    }
    await proxy.start();
    await storage.journals.append(append, lease);
    expect(await storage.journals.read("2")).toEqual([{ kind: "test" }]);
  });

  it("names a wrong password and a database that doesn't exist", async () => {
    const none = Object.assign(new URL(connectionString), { pathname: "/none_such" }).href;
    const error = await thrownBy(() => new PostgresStorage({ connectionString: none }).journals.list());
    expect(error.message).toContain('database "none_such" does not exist. Create the database, or correct its name.');
  });
});
