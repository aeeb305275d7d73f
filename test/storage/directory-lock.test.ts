import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { FileStorage, StorageInUseError } from "../../src/storage/index.js";
import { compiledStorage, Program, testDirectory } from "../support/storage-programs.js";

const root = testDirectory("directory-lock");
const compiled = compiledStorage(root);

let number = 0;
let directory: string;
beforeEach(() => {
  directory = join(root, `${number++}`);
});

const use = (storage: FileStorage): Promise<unknown> => Promise.resolve(storage.journals.list());
const program = (code: string): Program => new Program(compiled, `const directory = ${JSON.stringify(directory)}; ${code}`);
const holding = (): Program =>
  program("const held = new storage.FileStorage(directory); await held.journals.list(); say('held'); setInterval(() => {}, 1000);");
const lockFile = (): string => join(directory, "lock");
const writeLock = (holder: object, age = 0): void => {
  mkdirSync(directory, { recursive: true });
  writeFileSync(lockFile(), JSON.stringify(holder));
  const time = Date.now() / 1000 - age;
  utimesSync(lockFile(), time, time);
};

describe("the directory of a FileStorage", () => {
  it("is refused to a second process, with host, process, directory and fix", async () => {
    const holder = holding();
    await holder.hears(1);
    const error: unknown = await use(new FileStorage(directory)).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StorageInUseError);
    expect(error).toMatchObject({ host: hostname(), pid: holder.process.pid, directory });
    expect(String(error)).toContain(`${directory} is in use by process ${holder.process.pid} on ${hostname()}`);
    expect(String(error)).toContain("choose another directory, or use SqliteStorage or PostgresStorage");
    await holder.kill();
  });

  it("is free once its process was killed", async () => {
    const storage = new FileStorage(directory);
    const holder = holding();
    await holder.hears(1);
    await expect(use(storage)).rejects.toThrow(StorageInUseError);
    await holder.kill();
    expect(await use(storage)).toEqual([]);
    await storage.close();
    expect(readdirSync(directory).filter((name) => name.startsWith("lock"))).toEqual([]);
  });

  it("is free at the end of a process that didn't close it", async () => {
    const holder = program("await new storage.FileStorage(directory).journals.list(); say('used'); process.exit(0);");
    await holder.hears(1);
    await holder.ended;
    expect(existsSync(directory)).toBe(true);
    expect(existsSync(lockFile())).toBe(false);
  });

  it("is free after close(), and locked by the next use", async () => {
    const storage = new FileStorage(directory);
    await use(storage);
    await storage.close();
    expect(existsSync(lockFile())).toBe(false);
    await Promise.all([use(storage), storage.close(), use(new FileStorage(directory))]);
    expect(existsSync(lockFile())).toBe(true);
  });

  it("is shared by objects of one process, in several copies of the package, until the last is closed", async () => {
    const other = require(compiled) as { readonly FileStorage: typeof FileStorage };
    const [one, two] = [new FileStorage(directory), new other.FileStorage(`${directory}/../${number - 1}`)];
    const lease = await one.leases.acquire("run 1", "one", 60_000);
    expect(await two.leases.acquire("run 1", "two", 60_000)).toEqual(lease);
    await one.close();
    expect(existsSync(lockFile())).toBe(true);
    await two.close();
    expect(existsSync(lockFile())).toBe(false);
  });

  it("goes to one of many processes that find it left by a dead one", async () => {
    const dead = holding();
    await dead.hears(1);
    await dead.kill();
    const rivals = Array.from({ length: 6 }, () =>
      program("await new storage.FileStorage(directory).journals.list(); say('held'); setInterval(() => {}, 1000);"),
    );
    await Promise.all(rivals.map((rival) => rival.hears(1)));
    expect(rivals.filter((rival) => rival.said[0] === "held")).toHaveLength(1);
    await Promise.all(rivals.map((rival) => rival.kill()));
  });

  it("is taken over also if a process died while it took over", async () => {
    const dead = holding();
    await dead.hears(1);
    await dead.kill();
    const holder = JSON.parse(readFileSync(lockFile(), "utf8")) as { id: string };
    writeFileSync(`${lockFile()}.${holder.id}`, JSON.stringify({ ...holder, id: "of the one that died" }));
    const storage = new FileStorage(directory);
    await use(storage);
    await storage.close();
    expect(readdirSync(directory).filter((name) => name.startsWith("lock"))).toEqual([]);
  });

  it("is free if another process has the id of the holder", async () => {
    const holder = holding();
    await holder.hears(1);
    const { startedAt, ...lock } = JSON.parse(readFileSync(lockFile(), "utf8")) as { startedAt?: string };
    if (startedAt !== undefined) {
      writeLock({ ...lock, startedAt: "1" });
      const storage = new FileStorage(directory);
      expect(await use(storage)).toEqual([]);
      await storage.close();
    }
    await holder.kill();
  });

  it("is refused while a process on another machine shows signs of life, and free a minute after the last", async () => {
    const holder = { id: "other", host: "db-2", pid: 7, processSpace: "db-2 other" };
    writeLock(holder, 30);
    const storage = new FileStorage(directory);
    await expect(use(storage)).rejects.toThrow(`${directory} is in use by process 7 on db-2`);
    writeLock(holder, 90);
    expect(await use(storage)).toEqual([]);
    await storage.close();
  });

  it("isn't written to by a process that was stopped so long that another took over", async () => {
    const storage = new FileStorage(directory);
    const lease = await storage.leases.acquire("run 1", "me", 60_000);
    writeLock({ id: "other", host: "db-2", pid: 7, processSpace: "db-2 other" });
    const clock = jest.spyOn(Date, "now").mockReturnValue(Date.now() + 120_000);
    const append = { runId: "1", agent: "a", status: "running", position: 0, entries: [{ kind: "test" }] } as const;
    await expect(storage.journals.append(append, lease)).rejects.toThrow(StorageInUseError);
    await expect(storage.conversations.save("42", { version: 1, messages: [] })).rejects.toThrow(StorageInUseError);
    await expect(storage.claims.claim(["a".repeat(64)], "2030-01-01")).rejects.toThrow(StorageInUseError);
    clock.mockRestore();
    await storage.close();
    // The other's lock stays.
    expect(readFileSync(lockFile(), "utf8")).toContain("db-2");
  });

  it("is in use by another thread of the process, if that doesn't share its objects", async () => {
    const threads = program(`
      const { Worker } = require("node:worker_threads");
      const held = new storage.FileStorage(directory); await held.journals.list();
      const code = 'const s = require(' + JSON.stringify(${JSON.stringify(compiled)}) + '); new s.FileStorage(' + JSON.stringify(directory)
        + ').journals.list().catch((e) => require("node:worker_threads").parentPort.postMessage(e.message))';
      new Worker(code, { eval: true }).on("message", (message) => { say(message); process.exit(); });`);
    const [message] = await threads.hears(1);
    expect(message).toContain("is in use by another thread or copy of this process");
    await threads.ended;
  });
});
