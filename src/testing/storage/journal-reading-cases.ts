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
  isJournalError,
  textsOf,
  write,
} from "./storage-under-test.js";

/** `JournalStore`: what is read, listed and removed. */
export const journalReadingCases: readonly Case[] = [
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
    title: "gives entries back as JSON has them",
    check: async (test) => {
      const storage = await test.open();
      const values = { texts: difficultTexts, number: 1.5e300, none: null, nested: { list: [1, [true, {}]], absent: undefined } };
      const entries = [{ kind: "test", ...values }, ...difficultTexts.map((text) => ({ kind: text, [text]: text }))];
      const lease = await acquireRun(storage, "run_1");
      await storage.journals.append({ ...appendOf("run_1", 0, []), entries }, lease);
      deepEqual(await storage.journals.read("run_1"), JSON.parse(JSON.stringify(entries)));
      // Entries are read as what was written.
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
      // Entries are frozen for the compiler only: what is read here is changed.
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
