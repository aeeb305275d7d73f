import { equal, ok, rejects } from "node:assert/strict";
import type { Lease } from "../../storage/index.js";
import {
  acquireRun,
  appendOf,
  type Case,
  deepEqual,
  difficultIds,
  difficultTexts,
  entry,
  takeOver,
  textsOf,
  write,
} from "./storage-under-test.js";

// By name: an application's own form may use another copy of the package.
const isLeaseLost = ({ name }: Error): boolean => name === "LeaseLostError";
const isJournalError = ({ name }: Error): boolean => name === "JournalError";

/** `JournalStore`. */
export const journalCases: readonly Case[] = [
  {
    title: "reads the entries of a run in the order in which they were added",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      await storage.journals.append(appendOf("run_1", 0, ["a", "b"]), lease);
      await storage.journals.append(appendOf("run_1", 2, ["c"]), lease);
      await storage.journals.append(appendOf("run_1", 3, ["d", "e", "f"]), lease);
      deepEqual(await textsOf(storage, "run_1"), ["a", "b", "c", "d", "e", "f"]);
    },
  },
  {
    title: "reads a run from any position on",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      await storage.journals.append(appendOf("run_1", 0, ["a", "b"]), lease);
      await storage.journals.append(appendOf("run_1", 2, ["c", "d", "e"]), lease);
      deepEqual(await textsOf(storage, "run_1", 0), ["a", "b", "c", "d", "e"]);
      deepEqual(await textsOf(storage, "run_1", 1), ["b", "c", "d", "e"]);
      deepEqual(await textsOf(storage, "run_1", 2), ["c", "d", "e"]);
      deepEqual(await textsOf(storage, "run_1", 4), ["e"]);
      deepEqual(await textsOf(storage, "run_1", 5), []);
      deepEqual(await textsOf(storage, "run_1", 9), []);
    },
  },
  {
    title: "gives no entries and no head of an unknown run",
    check: async (test) => {
      const storage = await test.open();
      deepEqual(await storage.journals.read("run_1"), []);
      equal(await storage.journals.head("run_1"), undefined);
      deepEqual(await storage.journals.list(), []);
    },
  },
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
    title: "gives entries back as JSON has them",
    check: async (test) => {
      const storage = await test.open();
      const values = { texts: difficultTexts, number: 1.5e300, none: null, nested: { list: [1, [true, {}]], absent: undefined } };
      const entries = [{ kind: "test", ...values }, ...difficultTexts.map((text) => ({ kind: text, [text]: text }))];
      const lease = await acquireRun(storage, "run_1");
      await storage.journals.append({ ...appendOf("run_1", 0, []), entries }, lease);
      deepEqual(await storage.journals.read("run_1"), JSON.parse(JSON.stringify(entries)));
      ok(!("absent" in ((await storage.journals.read("run_1"))[0] as unknown as typeof values).nested));
    },
  },
  {
    title: "keeps an entry of a megabyte",
    check: async (test) => {
      const storage = await test.open();
      const long = "é".repeat(500_000);
      await write(storage, "run_1", [long, "b"]);
      deepEqual(await textsOf(storage, "run_1"), [long, "b"]);
      deepEqual(
        (await storage.journals.list()).map(({ length }) => length),
        [2],
      );
    },
  },
  {
    title: "gives copies of entries",
    check: async (test) => {
      const storage = await test.open();
      const mine = { kind: "test", text: "a" };
      const lease = await acquireRun(storage, "run_1");
      await storage.journals.append({ ...appendOf("run_1", 0, []), entries: [mine] }, lease);
      mine.text = "changed";
      const [first] = (await storage.journals.read("run_1")) as unknown as [{ text: string }];
      first.text = "changed";
      deepEqual(await textsOf(storage, "run_1"), ["a"]);
    },
  },
  {
    title: "keeps any two ids of runs apart",
    check: async (test) => {
      const storage = await test.open();
      for (const id of difficultIds) await write(storage, id, [`of ${id.length} ${JSON.stringify(id).slice(0, 20)}`]);
      for (const id of difficultIds) {
        deepEqual(await textsOf(storage, id), [`of ${id.length} ${JSON.stringify(id).slice(0, 20)}`]);
        equal((await storage.journals.head(id))?.runId, id);
      }
      deepEqual(
        (await storage.journals.list()).map(({ runId }) => runId),
        difficultIds,
      );
    },
  },
  {
    title: "lists runs with their heads, the longest untouched first",
    check: async (test) => {
      const storage = await test.open();
      const lease = await acquireRun(storage, "run_1");
      await storage.journals.append(appendOf("run_1", 0, ["a"]), lease);
      await write(storage, "run_2", ["a", "b"], { status: "waiting", agent: "weather_agent" });
      await write(storage, "run_3", ["a"], { status: "ended" });
      await storage.journals.append(appendOf("run_1", 1, ["b"]), lease);
      const heads = await storage.journals.list();
      deepEqual(
        heads.map(({ runId, agent, status, length }) => ({ runId, agent, status, length })),
        [
          { runId: "run_2", agent: "weather_agent", status: "waiting", length: 2 },
          { runId: "run_3", agent: "support_agent", status: "ended", length: 1 },
          { runId: "run_1", agent: "support_agent", status: "running", length: 2 },
        ],
      );
      for (const { runId, updatedAt } of heads) {
        equal(new Date(updatedAt).toISOString(), updatedAt);
        equal((await storage.journals.head(runId))?.updatedAt, updatedAt);
      }
    },
  },
  {
    title: "lists runs by status, at most as many as were asked for",
    check: async (test) => {
      const storage = await test.open();
      for (const status of ["running", "waiting", "ended"] as const) {
        for (const number of [1, 2, 3]) await write(storage, `${status}_${number}`, ["a"], { status });
      }
      for (const status of ["running", "waiting", "ended"] as const) {
        const ids = async (limit?: number) =>
          (await storage.journals.list({ status, ...(limit !== undefined && { limit }) })).map(({ runId }) => runId);
        deepEqual(
          await ids(),
          [1, 2, 3].map((number) => `${status}_${number}`),
        );
        deepEqual(
          await ids(2),
          [1, 2].map((number) => `${status}_${number}`),
        );
        deepEqual(await ids(0), []);
      }
      equal((await storage.journals.list({ limit: 4 })).length, 4);
    },
  },
  {
    title: "lists runs whose lease is free",
    check: async (test) => {
      const storage = await test.open();
      for (const id of ["run_1", "run_2", "run_3"]) await write(storage, id, ["a"]);
      const lease = await acquireRun(storage, "run_1");
      await acquireRun(storage, "run_2", "dead", 1);
      const unleased = async () => (await storage.journals.list({ unleased: true, status: "running" })).map(({ runId }) => runId);
      while ((await unleased()).length < 2);
      deepEqual(await unleased(), ["run_2", "run_3"]);
      equal((await storage.journals.list({ unleased: true, limit: 1 })).length, 1);
      await storage.leases.release(lease);
      deepEqual(await unleased(), ["run_1", "run_2", "run_3"]);
    },
  },
  {
    title: "removes a run with its entries",
    check: async (test) => {
      const storage = await test.open();
      await write(storage, "run_1", ["a"], { status: "ended" });
      await write(storage, "run_2", ["a"], { status: "ended" });
      await storage.journals.delete("run_1");
      await storage.journals.delete("run_7");
      deepEqual(await textsOf(storage, "run_1"), []);
      equal(await storage.journals.head("run_1"), undefined);
      deepEqual(
        (await storage.journals.list()).map(({ runId }) => runId),
        ["run_2"],
      );
      await write(storage, "run_1", ["new"]);
      deepEqual(await textsOf(storage, "run_1"), ["new"]);
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
  {
    title: "has runs after it was closed and opened again",
    needs: "persistent",
    check: async (test) => {
      const before = await test.open();
      await write(before, "run_2", ["a"], { status: "ended" });
      await write(before, "run_1", ["a", "b"], { status: "waiting" });
      const heads = await before.journals.list();
      const after = await test.reopen();
      deepEqual(await after.journals.list(), heads);
      deepEqual(await textsOf(after, "run_1"), ["a", "b"]);
      const lease = await acquireRun(after, "run_1");
      await after.journals.append(appendOf("run_1", 2, ["c"]), lease);
      deepEqual(await textsOf(await test.reopen(), "run_1"), ["a", "b", "c"]);
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
  {
    title: "reads images of entries as they were added, also after another run that has them was removed",
    check: async (test) => {
      const storage = await test.open();
      const image = { type: "image", data: "iVBORw0KGgo".repeat(400), mediaType: "image/png" };
      const messages = [{ role: "user", content: [{ type: "text", text: "What is this?" }, image, image] }];
      const leases = new Map<string, Lease>();
      for (const runId of ["run_1", "run_2"]) {
        const lease = await acquireRun(storage, runId);
        leases.set(runId, lease);
        const entries = [entry("a"), { kind: "test", messages }] as const;
        for (let time = 0; time < 2; time++) await storage.journals.append({ ...appendOf(runId, 0, []), entries }, lease);
        await storage.journals.append(appendOf(runId, 2, ["b"]), lease);
      }
      await storage.journals.delete("run_1");
      deepEqual(await storage.journals.read("run_1"), []);
      deepEqual(await storage.journals.read("run_2", 1), [{ kind: "test", messages }, entry("b")]);
      const changed = [{ kind: "test", messages: [{ ...messages[0], content: "Another." }] }];
      const lease = leases.get("run_2") as Lease;
      await rejects(async () => storage.journals.append({ ...appendOf("run_2", 1, []), entries: changed }, lease), isJournalError);
      deepEqual((await storage.journals.read("run_2", 1))[0], { kind: "test", messages });
    },
  },
];
