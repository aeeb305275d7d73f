import { Agent, model } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { InProcessRuntime, type InProcessRuntimeOptions, type ProcessRunLimits } from "../../src/durable/index.js";
import { type ChatModel, noUsage } from "../../src/models/index.js";
import { MemoryStorage } from "../../src/storage/index.js";
import { identifier } from "../../src/tool/index.js";
import { beginAnew, calling, firstPending, gate, isWaiting, shop } from "../support/runtime-shop.js";

const runtimes: InProcessRuntime[] = [];
beforeEach(beginAnew);
afterEach(async () => {
  await Promise.all(runtimes.splice(0).map((runtime) => runtime.drain({ deadline: 0 })));
});

function runtimeOf(options: Partial<InProcessRuntimeOptions> & Pick<InProcessRuntimeOptions, "agents">): InProcessRuntime {
  const runtime = new InProcessRuntime({ storage: new MemoryStorage(), ...options });
  runtimes.push(runtime);
  return runtime;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What runs of an agent did, by the tenant that their prompt names. */
class Log {
  readonly order: string[] = [];
  readonly running = new Map<string, number>();
  readonly most = new Map<string, number>();

  begin(tenant: string, prompt: string): void {
    this.order.push(prompt);
    for (const name of [tenant, "all"]) {
      const count = (this.running.get(name) ?? 0) + 1;
      this.running.set(name, count);
      this.most.set(name, Math.max(this.most.get(name) ?? 0, count));
    }
  }

  end(tenant: string): void {
    for (const name of [tenant, "all"]) this.running.set(name, (this.running.get(name) ?? 0) - 1);
  }
}

/** An agent whose runs take some milliseconds, and write down what goes on at once. Prompts are `tenant run`. */
function worker(milliseconds: number) {
  const log = new Log();
  const slow: ChatModel = {
    id: "test/slow",
    async generate({ messages }) {
      const prompt = String(messages.at(-1)?.content);
      const tenant = prompt.split(" ")[0] ?? "";
      log.begin(tenant, prompt);
      await pause(milliseconds);
      log.end(tenant);
      return { text: prompt, toolCalls: [], finishReason: "stop", usage: noUsage };
    },
  };
  @model(slow)
  @identifier("worker")
  class WorkerAgent extends Agent {}
  return { WorkerAgent, log };
}

const perTenant = (concurrency: number): ProcessRunLimits => ({ perKey: { key: ({ tenant }) => String(tenant), concurrency } });

/** Starts a run of each tenant in the list, each with the prompt `tenant number`. Returns their ids. */
async function startAll(runtime: InProcessRuntime, tenants: readonly string[]): Promise<readonly string[]> {
  const ids = tenants.map((tenant, index) => `${tenant} ${index}`);
  await Promise.all(ids.map((runId) => runtime.start("worker", runId, { runId, context: { tenant: runId.split(" ")[0] } })));
  return ids;
}

describe("a runtime with a limit per key", () => {
  it("carries on 1,000 runs of 10 tenants, never more than 3 of one at once, each tenant's in order, and none starves", async () => {
    const { WorkerAgent, log } = worker(2);
    const runtime = runtimeOf({ agents: [WorkerAgent], limits: perTenant(3) });
    // The first tenant comes with all its runs before the others.
    const tenants = [...Array<string>(100).fill("t0"), ...Array.from({ length: 900 }, (_, index) => `t${1 + (index % 9)}`)];
    const ids = await startAll(runtime, tenants);
    const results = await Promise.all(ids.map((runId) => runtime.result(runId)));

    expect(results.every(({ text }, index) => text === ids[index])).toBe(true);
    for (let tenant = 0; tenant < 10; tenant += 1) {
      const name = `t${tenant} `;
      expect(log.most.get(`t${tenant}`)).toBe(3);
      expect(log.order.filter((id) => id.startsWith(name))).toEqual(ids.filter((id) => id.startsWith(name)));
    }
    expect(log.most.get("all")).toBeLessThanOrEqual(30);
  });

  it("rejects a key that isn't a text, before anything is recorded", async () => {
    const { WorkerAgent } = worker(1);
    const runtime = runtimeOf({ agents: [WorkerAgent], limits: { perKey: { key: ({ tenant }) => tenant as string, concurrency: 1 } } });
    await expect(runtime.start("worker", "Hi", { runId: "run-1" })).rejects.toThrow(
      'InProcessRuntime: limits.perKey.key gave undefined for the run "run-1": return a string',
    );
    await expect(runtime.status("run-1")).rejects.toThrow();
  });
});

describe("a runtime with a limit for its process", () => {
  it("carries on so many runs at once, in the order in which they came", async () => {
    const { WorkerAgent, log } = worker(2);
    const runtime = runtimeOf({ agents: [WorkerAgent], limits: { concurrency: 2 } });
    const ids = await startAll(runtime, Array<string>(20).fill("a"));
    await Promise.all(ids.map((runId) => runtime.result(runId)));
    expect(log.most.get("all")).toBe(2);
    expect(log.order).toEqual(ids);
  });

  it("doesn't count a run that waits for a decision, or for its conversation", async () => {
    const storage = new MemoryStorage();
    const shopAgent = shop(calling("shop/refund"), calling("pay"), "Paid.", "Refunded.", "Hello.");
    const runtime = runtimeOf({ agents: [shopAgent], storage, limits: { concurrency: 1 } });
    await runtime.start("shop", "Refund", { runId: "waits" });
    const { confirmation, callId } = await firstPending(runtime);
    await runtime.start("shop", "Pay", { runId: "pays", conversation: "c" });
    await isWaiting.opened;
    await runtime.start("shop", "Hi", { runId: "next in the conversation", conversation: "c" });
    await runtime.decide("waits", callId, approve(confirmation));
    gate.open();
    expect((await runtime.result("waits")).text).toBe("Refunded.");
    expect((await runtime.result("next in the conversation")).text).toBe("Hello.");
  });

  it("lets a run that is cancelled leave the line, and those behind it come up", async () => {
    const { WorkerAgent, log } = worker(5);
    const runtime = runtimeOf({ agents: [WorkerAgent], limits: { concurrency: 1 } });
    const [first, second, third] = (await startAll(runtime, ["a", "a", "a"])) as [string, string, string];
    expect((await runtime.cancel(second)).outcome).toMatchObject({ reason: "aborted" });
    await Promise.all([first, third].map((runId) => runtime.result(runId)));
    expect(log.order).toEqual([first, third]);
  });

  it("leaves what waits to the next process when it is drained", async () => {
    const { WorkerAgent, log } = worker(20);
    const storage = new MemoryStorage();
    const limits = { concurrency: 1 };
    const runtime = runtimeOf({ agents: [WorkerAgent], storage, limits });
    const ids = await startAll(runtime, ["a", "a", "a"]);
    await runtime.drain();
    const next = runtimeOf({ agents: [WorkerAgent], storage, limits });
    await Promise.all(ids.map((runId) => next.result(runId)));
    expect([...log.order].sort()).toEqual(ids);
    expect(log.most.get("all")).toBe(1);
  });

  it("gives back the place of a run that fails by a mistake", async () => {
    const { WorkerAgent } = worker(1);
    let attempts = 0;
    const runtime = runtimeOf({
      agents: [WorkerAgent],
      storage: new MemoryStorage({ leaseDuration: 20 }),
      limits: { concurrency: 1 },
      services: () => {
        attempts += 1;
        if (attempts === 1) throw new Error("No database.");
        return { get: (Type) => new (Type as new () => never)() };
      },
      onError: () => undefined,
    });
    const ids = await startAll(runtime, ["a", "a"]);
    expect((await Promise.all(ids.map((runId) => runtime.result(runId)))).map(({ text }) => text)).toEqual(ids);
  });
});

it("a runtime with a rate begins so many runs in any period", async () => {
  const { WorkerAgent, log } = worker(1);
  const runtime = runtimeOf({ agents: [WorkerAgent], limits: { rate: { runs: 2, period: 100 } } });
  const start = performance.now();
  const ids = await startAll(runtime, Array<string>(5).fill("a"));
  await Promise.all(ids.map((runId) => runtime.result(runId)));
  expect(performance.now() - start).toBeGreaterThanOrEqual(199);
  expect(log.order).toEqual(ids);
});

describe('a runtime with whenExceeded: "reject"', () => {
  const reject = { whenExceeded: "reject" } as const;

  it.each([
    ["of its key", perTenant(2), '"a" has 2 runs already (limits.perKey)'],
    ["of its process", { concurrency: 2 }, "this process has 2 runs already (limits.concurrency)"],
    ["in a period", { rate: { runs: 2, period: 60_000 } }, "2 runs in 60000 ms may begin, and no more (limits.rate)"],
  ])("rejects a start over the limit %s, and records nothing of it", async (_, limits, reason) => {
    const { WorkerAgent, log } = worker(5);
    const runtime = runtimeOf({ agents: [WorkerAgent], limits: { ...limits, ...reject } });
    const start = (runId: string) => runtime.start("worker", runId, { runId, context: { tenant: "a" } });
    const [first, second, third] = await Promise.allSettled(["a 1", "a 2", "a 3"].map(start));
    expect([first?.status, second?.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(third).toMatchObject({
      status: "rejected",
      reason: {
        name: "RuntimeError",
        reason: "limit_exceeded",
        message: `start: the run "a 3" isn't accepted, because ${reason}. Start it again later, or let it wait: limits: { whenExceeded: "wait" }.`,
      },
    });
    await expect(runtime.status("a 3")).rejects.toMatchObject({ name: "JournalError", reason: "unknown" });
    expect(await start("a 1")).toMatchObject({ runId: "a 1" });
    await Promise.all(["a 1", "a 2"].map((runId) => runtime.result(runId)));
    expect(log.order).toEqual(["a 1", "a 2"]);
  });

  it("accepts a run again once another one has ended", async () => {
    const { WorkerAgent } = worker(1);
    const runtime = runtimeOf({ agents: [WorkerAgent], limits: { ...perTenant(1), ...reject } });
    for (let index = 0; index < 3; index += 1) {
      await runtime.start("worker", "a", { runId: `${index}`, context: { tenant: "a" } });
      expect((await runtime.result(`${index}`)).text).toBe("a");
    }
  });

  it("lets a run that was decided wait, because it was accepted before", async () => {
    const shopAgent = shop(calling("shop/refund"), calling("pay"), "Paid.", "Refunded.");
    const runtime = runtimeOf({ agents: [shopAgent], limits: { concurrency: 1, ...reject } });
    await runtime.start("shop", "Refund", { runId: "waits" });
    const { confirmation, callId } = await firstPending(runtime);
    await runtime.start("shop", "Pay", { runId: "pays" });
    await isWaiting.opened;
    await runtime.decide("waits", callId, approve(confirmation));
    gate.open();
    expect((await runtime.result("waits")).text).toBe("Refunded.");
  });
});

it.each([
  [{ concurrency: 0 }, RangeError, "InProcessRuntime: limits.concurrency is 0: give a whole number of at least 1."],
  [{ rate: { runs: 1, period: 2 ** 31 } }, RangeError, "limits.rate.period is 2147483648: give at most 2147483647 milliseconds."],
  [{ whenExceeded: "drop" }, TypeError, 'InProcessRuntime: limits.whenExceeded must be "wait" or "reject", got "drop".'],
  [{ perkey: {} }, TypeError, 'limits of InProcessRuntime: unknown option "perkey". Did you mean "perKey"?'],
])("a runtime rejects limits that make no sense: %j", (limits, type, message) => {
  const open = () => runtimeOf({ agents: [worker(1).WorkerAgent], limits: limits as never });
  expect(open).toThrow(type);
  expect(open).toThrow(message);
});
