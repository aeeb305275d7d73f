import { equal, notEqual, ok } from "node:assert/strict";
import { type Case, deepEqual, difficultIds, minute, pause, takeOver } from "./storage-under-test.js";

/** `LeaseStore`. */
export const leaseCases: readonly Case[] = [
  {
    title: "gives a lease to the first who asks, and its lease to the others",
    check: async (test) => {
      const { leases } = await test.open();
      const lease = await leases.acquire("run 1", "first", minute);
      deepEqual([lease.key, lease.owner], ["run 1", "first"]);
      equal(new Date(lease.expiresAt).toISOString(), lease.expiresAt);
      deepEqual(await leases.acquire("run 1", "second", minute), lease);
    },
  },
  {
    title: "gives a lease to one of a hundred who ask at once",
    check: async (test) => {
      const { leases } = await test.open();
      const owners = Array.from({ length: 100 }, (_, index) => `owner ${index}`);
      const given = await Promise.all(owners.map((owner) => leases.acquire("run 1", owner, minute)));
      equal(given.filter((lease, index) => lease.owner === owners[index]).length, 1);
      equal(new Set(given.map(({ owner, fence }) => `${owner} ${fence}`)).size, 1);
    },
  },
  {
    title: "gives leases of different keys to different owners",
    check: async (test) => {
      const { leases } = await test.open();
      for (const key of difficultIds) equal((await leases.acquire(key, `owner of ${key}`, minute)).owner, `owner of ${key}`);
      for (const key of difficultIds) equal((await leases.acquire(key, "other", minute)).owner, `owner of ${key}`);
    },
  },
  {
    title: "gives an expired lease to the next, with a higher fence",
    check: async (test) => {
      const storage = await test.open();
      const first = await storage.leases.acquire("run 1", "first", 1);
      const second = await takeOver(storage, "run 1");
      ok(second.fence > first.fence);
      equal((await storage.leases.acquire("run 1", "third", minute)).owner, second.owner);
    },
  },
  {
    title: "gives a lease that was given back to the next at once, with a higher fence",
    check: async (test) => {
      const { leases } = await test.open();
      const first = await leases.acquire("run 1", "first", minute);
      await leases.release(first);
      const second = await leases.acquire("run 1", "second", minute);
      equal(second.owner, "second");
      ok(second.fence > first.fence);
    },
  },
  {
    title: "extends a lease that is renewed",
    check: async (test) => {
      const { leases } = await test.open();
      const lease = await leases.acquire("run 1", "first", 1);
      const renewed = await leases.renew(lease, minute);
      ok(renewed);
      deepEqual([renewed.key, renewed.owner, renewed.fence], [lease.key, lease.owner, lease.fence]);
      ok(renewed.expiresAt > lease.expiresAt);
      await pause(20);
      equal((await leases.acquire("run 1", "second", minute)).owner, "first");
    },
  },
  {
    title: "extends an expired lease without a new holder",
    check: async (test) => {
      const { leases } = await test.open();
      const lease = await leases.acquire("run 1", "first", 1);
      await pause(20);
      equal((await leases.renew(lease, minute))?.fence, lease.fence);
      equal((await leases.acquire("run 1", "second", minute)).owner, "first");
    },
  },
  {
    title: "doesn't renew or release a lease that somebody took over",
    check: async (test) => {
      const storage = await test.open();
      const first = await storage.leases.acquire("run 1", "first", 1);
      const second = await takeOver(storage, "run 1");
      equal(await storage.leases.renew(first, minute), undefined);
      await storage.leases.release(first);
      equal((await storage.leases.acquire("run 1", "third", minute)).owner, second.owner);
    },
  },
  {
    title: "doesn't renew a lease that was given back",
    check: async (test) => {
      const { leases } = await test.open();
      const lease = await leases.acquire("run 1", "first", minute);
      await leases.release(lease);
      await leases.release(lease);
      equal(await leases.renew(lease, minute), undefined);
      equal((await leases.acquire("run 1", "second", minute)).owner, "second");
    },
  },
  {
    title: "holds a lease if the clock of this process jumps",
    check: async (test) => {
      const storage = await test.open();
      const lease = await storage.leases.acquire("run 1", "first", minute);
      const short = await storage.leases.acquire("run 2", "first", 1);
      await withClockMoved(10 * minute, async () => {
        equal((await storage.leases.acquire("run 1", "second", minute)).owner, "first");
        equal((await storage.leases.renew(lease, minute))?.fence, lease.fence);
      });
      await withClockMoved(-10 * minute, async () => notEqual((await takeOver(storage, "run 2")).fence, short.fence));
    },
  },
  {
    title: "gives a lease to one of many in two processes",
    needs: "shared",
    check: async (test) => {
      const storages = [await test.open(), await test.open()];
      const owners = Array.from({ length: 50 }, (_, index) => `owner ${index}`);
      const given = await Promise.all(owners.map((owner, index) => storages[index % 2]?.leases.acquire("run 1", owner, minute)));
      equal(given.filter((lease, index) => lease?.owner === owners[index]).length, 1);
    },
  },
];

/** Runs work while `Date.now()` of this process is wrong by as many milliseconds. */
async function withClockMoved(milliseconds: number, work: () => Promise<void>): Promise<void> {
  const { now } = Date;
  Date.now = () => now() + milliseconds;
  try {
    await work();
  } finally {
    Date.now = now;
  }
}
