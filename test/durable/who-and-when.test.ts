import { approve, approveEdited, deny } from "../../src/confirmation/index.js";
import { DecidingRuntime } from "../../src/durable/internal.js";
import { InProcessRuntime, type RunEvent, type Runtime } from "../../src/durable/index.js";
import type { JournalEntry, MemoryStorage, Storage } from "../../src/storage/index.js";
import { afterCrash, watchedStorage } from "../support/journals.js";
import { allOf, beginAnew, calling, firstPending, gate, shop } from "../support/runtime-shop.js";

const runtimes: InProcessRuntime[] = [];
beforeEach(beginAnew);
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.drain({ deadline: 0 })));
});

/** A run whose refund waits. */
async function waitingRun(storage: Storage): Promise<Runtime> {
  const agent = shop(calling("shop/refund"), "Done.");
  const runtime = new InProcessRuntime({ storage, agents: [agent] });
  runtimes.push(runtime);
  await runtime.start(agent, "Refund", { runId: "run-1" });
  for await (const { event } of runtime.events("run-1")) if (event.type === "confirmation_required") break;
  return runtime;
}

/** The run as an earlier version recorded it. */
async function withoutTimes(appends: Parameters<typeof afterCrash>[0]): Promise<MemoryStorage> {
  const untimed = appends.map((append) => ({
    ...append,
    entries: append.entries.map(({ at: _, ...entry }: JournalEntry & { readonly at?: number }) => entry),
  }));
  return afterCrash(untimed, untimed.length);
}

const ofType = (events: readonly RunEvent[], type: string): RunEvent => events.find(({ event }) => event.type === type) as RunEvent;

describe("a recorded run", () => {
  it("says who decided, when, and how long the person was waited for", async () => {
    const { storage } = watchedStorage();
    const runtime = await waitingRun(storage);
    const { confirmation } = await firstPending(runtime);
    await runtime.decideAll("run-1", [{ ...approve(confirmation), decidedBy: "ada@example.com" }]);
    await runtime.result("run-1");

    const askedAt = Date.parse(confirmation.requestedAt);
    const { decided } = await runtime.status("run-1");
    expect(decided).toEqual([
      {
        ...{ callId: confirmation.callId, tool: "shop/refund", decision: "approve", decidedBy: "ada@example.com" },
        ...{ askedAt, decidedAt: expect.any(Number) },
      },
    ]);
    const events = await allOf(runtime.events("run-1"));
    expect(events.filter(({ event }) => event.type === "decided")).toHaveLength(1);
    expect(ofType(events, "decided")).toMatchObject({
      event: { tool: "shop/refund", decision: "approve", decidedBy: "ada@example.com", step: 1 },
      ...{ startedAt: askedAt, at: decided?.[0]?.decidedAt },
    });
  });

  it("says so in another process, of a denial with its reason, before the run goes on", async () => {
    const { storage } = watchedStorage();
    const runtime = await waitingRun(storage);
    const { confirmation } = await firstPending(runtime);
    await Promise.all(runtimes.splice(0).map((one) => one.drain()));
    const elsewhere = new DecidingRuntime(storage);
    const { decided } = await elsewhere.decideAll("run-1", [{ ...deny(confirmation, "Too much."), decidedBy: "ada" }]);
    expect(decided).toMatchObject([{ decision: "deny", reason: "Too much.", decidedBy: "ada" }]);
  });

  it("has the arguments that a person wrote in place of the model's, in its status and its events", async () => {
    const { storage } = watchedStorage();
    const runtime = await waitingRun(storage);
    const { confirmation } = await firstPending(runtime);
    const edited = { amount: 5 };
    const { decided } = await runtime.decideAll("run-1", [approveEdited(confirmation, edited)]);
    expect(decided).toMatchObject([{ decision: "approve_edited", arguments: edited }]);
    await runtime.result("run-1");
    expect(ofType(await allOf(runtime.events("run-1")), "decided").event).toMatchObject({ arguments: edited });
  });

  it("has the times in which the model and the tools worked", async () => {
    const { storage } = watchedStorage();
    const agent = shop(calling("look", "pay"), "Done.");
    const runtime = new InProcessRuntime({ storage, agents: [agent] });
    runtimes.push(runtime);
    const before = Date.now();
    await runtime.start(agent, "Pay", { runId: "run-1" });
    gate.open();
    await runtime.result("run-1");
    const events = await allOf(runtime.events("run-1"));
    const timed = events.filter(({ event }) => event.type === "usage" || event.type === "tool_result");
    expect(timed).toHaveLength(4);
    for (const { at = 0, startedAt = 0 } of timed) {
      expect(startedAt).toBeGreaterThanOrEqual(before);
      expect(at).toBeGreaterThanOrEqual(startedAt);
    }
    expect(ofType(events, "done").at).toBeUndefined();
  });

  it("is read and goes on if an earlier version recorded it without times", async () => {
    const { storage, appends } = watchedStorage();
    await waitingRun(storage);
    const old = await withoutTimes(appends);
    const agent = shop("Done.");
    const runtime = new InProcessRuntime({ storage: old, agents: [agent] });
    runtimes.push(runtime);
    const { confirmation } = await firstPending(runtime);
    await runtime.decide("run-1", confirmation.callId, approve(confirmation));
    expect((await runtime.result("run-1")).text).toBe("Done.");
    const events = await allOf(runtime.events("run-1"));
    expect(ofType(events, "confirmation_required").at).toBeUndefined();
    expect(ofType(events, "decided").at).toEqual(expect.any(Number));
    expect((await runtime.status("run-1")).decided).toMatchObject([{ decision: "approve", decidedAt: expect.any(Number) }]);
  });

  it("is the same run if it is started again later", async () => {
    const { storage } = watchedStorage();
    const runtime = await waitingRun(storage);
    expect((await runtime.start("shop", "Refund", { runId: "run-1" })).status).toBe("waiting");
  });
});

it.each([
  ["an empty text", " ", "got one of 1 characters"],
  ["a text of 201 characters", "a".repeat(201), "got one of 201 characters"],
  ["what isn't a text", 7 as unknown as string, "got 7"],
])("rejects %s as the one who decided", async (_, decidedBy, got) => {
  const { storage } = watchedStorage();
  const runtime = await waitingRun(storage);
  const { confirmation } = await firstPending(runtime);
  await expect(runtime.decideAll("run-1", [{ ...approve(confirmation), decidedBy }])).rejects.toThrow(got);
});
