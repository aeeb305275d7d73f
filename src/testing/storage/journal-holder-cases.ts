import { equal, rejects } from "node:assert/strict";
import { acquireRun, appendOf, type Case, deepEqual, isLeaseLost, takeOver, textsOf } from "./storage-under-test.js";

/** `JournalStore`: only the holder of a run's lease appends. */
export const journalHolderCases: readonly Case[] = [
  {
    title: "rejects what a holder writes after another took over",
    check: async (test) => {
      const storage = await test.open();
      const first = await acquireRun(storage, "run_1", "first", 1);
      await storage.journals.append(appendOf("run_1", 0, ["a"]), first);
      const second = await takeOver(storage, "run run_1");
      await rejects(async () => storage.journals.append(appendOf("run_1", 1, ["late"], { status: "ended" }), first), isLeaseLost);
      await storage.journals.append(appendOf("run_1", 1, ["b"]), second);
      await rejects(async () => storage.journals.append(appendOf("run_1", 2, ["late"]), first), isLeaseLost);
      // Also what is there already, and a new run.
      await rejects(async () => storage.journals.append(appendOf("run_1", 0, ["a"]), first), isLeaseLost);
      deepEqual(await textsOf(storage, "run_1"), ["a", "b"]);
      equal((await storage.journals.head("run_1"))?.status, "running");
    },
  },
  {
    title: "rejects what a holder writes after it gave the lease back",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      await storage.leases.release(lease);
      await rejects(async () => storage.journals.append(appendOf("run_1", 0, ["late"]), lease), isLeaseLost);
      equal(await storage.journals.head("run_1"), undefined);
    },
  },
  {
    title: "rejects an append with the lease of another run",
    check: async (test) => {
      const storage = await test.open();
      const other = await acquireRun(storage, "run_2");
      await rejects(async () => storage.journals.append(appendOf("run_1", 0, ["a"]), other), isLeaseLost);
      await acquireRun(storage, "run_1");
      await rejects(async () => storage.journals.append(appendOf("run_1", 0, ["a"]), other), isLeaseLost);
    },
  },
  {
    title: "accepts an append with an expired lease without a new holder",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1", "first", 1);
      while ((await storage.journals.list({ unleased: true })).length === 0) {
        await storage.journals.append(appendOf("run_1", 0, ["a"]), lease);
      }
      await storage.journals.append(appendOf("run_1", 1, ["b"]), lease);
      deepEqual(await textsOf(storage, "run_1"), ["a", "b"]);
    },
  },
  {
    title: "fences off the holder in another process",
    needs: "shared",
    check: async (test) => {
      const [one, other] = [await test.open(), await test.open()];
      const first = await acquireRun(one, "run_1", "first", 1);
      await one.journals.append(appendOf("run_1", 0, ["a"]), first);
      const second = await takeOver(other, "run run_1");
      await rejects(async () => one.journals.append(appendOf("run_1", 1, ["late"]), first), isLeaseLost);
      await other.journals.append(appendOf("run_1", 1, ["b"]), second);
      deepEqual(await textsOf(one, "run_1"), ["a", "b"]);
      equal((await one.journals.list({ unleased: true })).length, 0);
    },
  },
];
