import { equal, rejects } from "node:assert/strict";
import { acquireRun, appendOf, type Case, deepEqual, entry, isJournalError, textsOf } from "./storage-under-test.js";

/** `JournalStore`: what an append adds, and which appends are rejected. */
export const journalAppendCases: readonly Case[] = [
  {
    title: "adds no entry of an append that can't be stored as a whole",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      await storage.journals.append(appendOf("run_1", 0, ["a"]), lease);
      const circle: { kind: string; self?: unknown } = { kind: "test" };
      circle.self = circle;
      await rejects(async () => storage.journals.append({ ...appendOf("run_1", 1, []), entries: [entry("b"), circle] }, lease));
      deepEqual(await textsOf(storage, "run_1"), ["a"]);
      await storage.journals.append(appendOf("run_1", 1, ["c"]), lease);
      deepEqual(await textsOf(storage, "run_1"), ["a", "c"]);
    },
  },
  {
    title: "adds the entries of a repeated append once",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      for (let time = 0; time < 3; time++) await storage.journals.append(appendOf("run_1", 0, ["a", "b"]), lease);
      for (let time = 0; time < 2; time++) await storage.journals.append(appendOf("run_1", 2, ["c"]), lease);
      await storage.journals.append(appendOf("run_1", 1, ["b", "c", "d"]), lease);
      deepEqual(await textsOf(storage, "run_1"), ["a", "b", "c", "d"]);
      equal((await storage.journals.head("run_1"))?.length, 4);
    },
  },
  {
    title: "rejects a repeated append with other content, and changes nothing",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      await storage.journals.append(appendOf("run_1", 0, ["a", "b", "c"]), lease);
      const head = await storage.journals.head("run_1");
      for (const append of [appendOf("run_1", 1, ["b", "other"]), appendOf("run_1", 0, ["other"]), appendOf("run_1", 2, ["other", "d"])]) {
        await rejects(async () => storage.journals.append(append, lease), isJournalError);
      }
      deepEqual(await textsOf(storage, "run_1"), ["a", "b", "c"]);
      deepEqual(await storage.journals.head("run_1"), head);
    },
  },
  {
    title: "changes nothing by an append that ends before the journal does",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      await storage.journals.append(appendOf("run_1", 0, ["a"]), lease);
      await storage.journals.append(appendOf("run_1", 1, ["b"], { status: "ended" }), lease);
      const head = await storage.journals.head("run_1");
      await storage.journals.append(appendOf("run_1", 0, ["a"]), lease);
      deepEqual(await storage.journals.head("run_1"), head);
    },
  },
  {
    title: "changes the status by an append without entries",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      await storage.journals.append(appendOf("run_1", 0, ["a"]), lease);
      for (const status of ["waiting", "running", "ended", "running", "waiting"] as const) {
        await storage.journals.append(appendOf("run_1", 1, [], { status }), lease);
        equal((await storage.journals.head("run_1"))?.status, status);
        deepEqual(
          (await storage.journals.list({ status })).map(({ runId }) => runId),
          ["run_1"],
        );
      }
      deepEqual(await textsOf(storage, "run_1"), ["a"]);
    },
  },
  {
    title: "rejects an append if entries before it are missing, and changes nothing",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      await rejects(async () => storage.journals.append(appendOf("run_1", 1, ["b"]), lease), isJournalError);
      equal(await storage.journals.head("run_1"), undefined);
      await storage.journals.append(appendOf("run_1", 0, ["a"]), lease);
      await rejects(async () => storage.journals.append(appendOf("run_1", 2, ["c"], { status: "ended" }), lease), isJournalError);
      deepEqual(await textsOf(storage, "run_1"), ["a"]);
      equal((await storage.journals.head("run_1"))?.status, "running");
    },
  },
  {
    title: "adds one of many appends at one position that are made at once",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      await Promise.all(Array.from({ length: 100 }, () => storage.journals.append(appendOf("run_1", 0, ["a"]), lease)));
      deepEqual(await textsOf(storage, "run_1"), ["a"]);
    },
  },
  {
    title: "keeps runs apart that are written at once",
    check: async (test) => {
      const storage = await test.open();
      const ids = Array.from({ length: 30 }, (_, index) => `run_${index}`);
      const record = async (runId: string): Promise<void> => {
        const lease = await acquireRun(storage, runId);
        for (let position = 0; position < 5; position++) {
          await storage.journals.append(appendOf(runId, position, [`${runId} ${position}`]), lease);
        }
      };
      await Promise.all(ids.map(record));
      for (const id of ids)
        deepEqual(
          await textsOf(storage, id),
          [0, 1, 2, 3, 4].map((position) => `${id} ${position}`),
        );
      equal((await storage.journals.list()).length, 30);
    },
  },
  {
    title: "rejects the next append to a run that was removed meanwhile",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      await storage.journals.append(appendOf("run_1", 0, ["a"]), lease);
      await storage.journals.delete("run_1");
      await rejects(async () => storage.journals.append(appendOf("run_1", 1, ["b"]), lease), isJournalError);
    },
  },
];
