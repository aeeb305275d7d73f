import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  FileStorage,
  type JournalEntry,
  type JournalError,
  LeaseHeldError,
  MemoryStorage,
  type PostgresPool,
  PostgresStorage,
  SqliteStorage,
  type Storage,
} from "../../../src/storage/index.js";
import { testDirectory } from "../../support/storage-programs.js";
import { errorOf, type Examples, type Met } from "./example.js";
import { notAccepted } from "./runtimes.js";
import { agentWith } from "./subjects.js";

const directory = testDirectory("storage-errors");

/** What the work throws with a storage in a directory that was prepared. Names no directory of this machine. */
async function inDirectory(name: string, files: Readonly<Record<string, string>>, work: (storage: Storage) => unknown): Promise<Met> {
  const path = join(directory, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  const storage = new FileStorage(path);
  const error = await errorOf(() => work(storage));
  await storage.close();
  return Object.assign(error, { message: error.message.replaceAll(path, "/srv/data") });
}

/** What `resume` throws for a journal with these entries. */
async function resumeAfter(...entries: readonly JournalEntry[]): Promise<Met> {
  const journal = new MemoryStorage();
  const lease = await journal.leases.acquire("run run_1", "another worker", 60_000);
  await journal.journals.append({ runId: "run_1", agent: "support_agent", status: "running", position: 0, entries }, lease);
  await journal.leases.release(lease);
  return errorOf(() => agentWith([]).resume("run_1", { journal }));
}

const began = (changes: object): JournalEntry => ({
  kind: "began",
  ...{ version: 1, runId: "run_1", agent: "support_agent", limits: {}, messages: [] },
  ...changes,
});

const entries = [{ kind: "step" }];
const append = { runId: "run_1", agent: "support_agent", status: "running", position: 0, entries } as const;

/** What an application meets whose data is kept. */
export const storageErrors: Examples<
  | "StorageInUseError"
  | "StorageError: broken"
  | "StorageError: unsupported"
  | "StorageError: unavailable"
  | "StorageError: version"
  | `JournalError: ${JournalError["reason"]}`
  | "LeaseHeldError"
  | "LeaseLostError"
> = {
  StorageInUseError: [
    () => {
      const lock = JSON.stringify({ id: "other", host: "web-1", pid: 4711, processSpace: "of web-1" });
      return inDirectory("in-use", { lock }, (storage) => storage.journals.list());
    },
  ],
  "StorageError: broken": [
    () => inDirectory("broken", { "claims.jsonl": "damaged\n" }, (storage) => storage.claims.claim(["a".repeat(64)], "2099-01-01")),
  ],
  "StorageError: unsupported": [
    () => {
      // As in Node 20, also if the tests run in a newer one.
      const load = jest.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
      return errorOf(() => new SqliteStorage("/srv/data/runs.sqlite").journals.list()).finally(() => load.mockRestore());
    },
  ],
  "StorageError: unavailable": [
    () => errorOf(() => new PostgresStorage({ connectionString: "postgres://user:password@127.0.0.1:9/app" }).journals.list()),
  ],
  "StorageError: version": [
    () => {
      // A database in which a newer version has been.
      const query = async () => ({ rows: [{ version: 99 }] });
      const client = { query, release: () => undefined, on: () => undefined, off: () => undefined };
      const pool: PostgresPool = { ...client, connect: async () => client, end: async () => undefined };
      return errorOf(() => new PostgresStorage({ pool }).journals.list());
    },
  ],
  "JournalError: broken": [
    async () => {
      const { journals, leases } = new MemoryStorage();
      const lease = await leases.acquire("run run_1", "worker", 60_000);
      return errorOf(() => journals.append({ ...append, position: 3 }, lease));
    },
  ],
  "JournalError: conflict": [
    async () => {
      const { journals, leases } = new MemoryStorage();
      const lease = await leases.acquire("run run_1", "worker", 60_000);
      const write = (kind: string) => journals.append({ ...append, entries: [{ kind }] }, lease);
      await write("started");
      return errorOf(() => write("paused"));
    },
  ],
  "JournalError: exists": [
    async () => {
      const journal = new MemoryStorage();
      await agentWith(["Hello."]).generate("Hi.", { journal, runId: "run_1" });
      return errorOf(() => agentWith(["Hello."]).generate("Hi.", { journal, runId: "run_1" }));
    },
  ],
  "JournalError: unknown": [() => errorOf(() => agentWith([]).resume("run_1", { journal: new MemoryStorage() }))],
  "JournalError: other_agent": [() => resumeAfter(began({ agent: "weather_agent" }))],
  "JournalError: not_accepted": [notAccepted],
  "JournalError: version": [() => resumeAfter(began({ version: 2 }))],
  "JournalError: kind": [() => resumeAfter(began({}), { kind: "dreamt" })],
  LeaseHeldError: [() => errorOf(() => Promise.reject(new LeaseHeldError({ key: "run run_1", expiresAt: "2026-11-29T14:00:00.000Z" })))],
  LeaseLostError: [
    async () => {
      const { journals, leases } = new MemoryStorage();
      const lease = await leases.acquire("run run_1", "worker", 60_000);
      await leases.release(lease);
      return errorOf(() => journals.append(append, lease));
    },
  ],
};
