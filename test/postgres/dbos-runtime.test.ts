import { Client } from "pg";
import type { ScriptedStep } from "../../src/models/index.js";
import type { AgentClass } from "../../src/agent/index.js";
import { approve, deny } from "../../src/confirmation/index.js";
import { createWorker, DbosRuntime, type DbosRuntimeOptions, type Worker, type WorkerOptions } from "../../src/durable/index.js";
import { DatabaseProxy } from "../support/database-proxy.js";
import { runtimeCases } from "../support/runtime-cases.js";
import { allOf, beginAnew, calling, effects, firstPending, Gate, gate, isWaiting, shop } from "../support/runtime-shop.js";

const connectionString = process.env.DATABASE_URL;
if (connectionString === undefined) throw new Error("These tests need DATABASE_URL. Run them by: npm run test:durable");

const schema = `dbos_${process.pid}`;
const runtimes: DbosRuntime[] = [];
let worker: Worker | undefined;

function runtimeOf(options: Partial<DbosRuntimeOptions> = {}): DbosRuntime {
  const runtime = new DbosRuntime({ connectionString: String(connectionString), schema, leaseDuration: 1_000, ...options });
  runtimes.push(runtime);
  return runtime;
}

async function work(runtime: DbosRuntime, agent: AgentClass, options: Partial<WorkerOptions> = {}): Promise<Worker> {
  worker = await createWorker(runtime, { agents: [agent], version: "1", ...options });
  return worker;
}

/** Leaves the tables, and nothing in them. */
async function empty(): Promise<void> {
  const client = new Client({ connectionString: String(connectionString) });
  await client.connect();
  const { rows } = await client.query(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = ANY($1) AND tablename NOT LIKE '%migrations'",
    [[schema, `${schema}_limits`].flatMap((name) => [name, `${name}_dbos`])],
  );
  if (rows.length > 0) await client.query(`TRUNCATE ${rows.map(({ name }: { readonly name?: unknown }) => String(name)).join(", ")}`);
  await client.end();
}

beforeEach(async () => {
  await empty();
  beginAnew();
});
afterEach(async () => {
  gate.open();
  await worker?.drain({ deadline: 0 });
  worker = undefined;
  for (const runtime of runtimes.splice(0)) await runtime.close();
});

describe("a runtime on DBOS, whose worker is in this process", () => {
  runtimeCases(async (agent, services) => {
    const runtime = runtimeOf();
    await work(runtime, agent, services);
    return runtime;
  });
});

describe("a process without a worker", () => {
  it("starts runs, decides and reads; the worker does the rest", async () => {
    const page = runtimeOf();
    await work(runtimeOf(), shop(calling("shop/refund"), "Done."));
    await page.start("shop", "Refund", { runId: "run-1" });
    const { callId, confirmation } = await firstPending(page);
    await page.decide("run-1", callId, approve(confirmation));
    expect((await page.result("run-1")).text).toBe("Done.");
    expect(effects).toEqual(["refund all"]);
  });

  it("receives pieces of texts while the worker carries on the run", async () => {
    const page = runtimeOf();
    const streaming: ScriptedStep = async ({ onDelta }) => {
      onDelta?.({ type: "text", text: "Paid in " });
      await gate.opened;
      return "Paid in full.";
    };
    await work(runtimeOf(), shop(calling("look"), streaming));
    await page.start("shop", "Pay", { runId: "run-1" });
    const texts: string[] = [];
    for await (const { event } of page.events("run-1")) {
      if (event.type === "text_delta") gate.open();
      if (event.type === "text_delta") texts.push(event.delta);
    }
    expect(texts[0]).toBe("Paid in ");
  });

  it("cancels a run that goes on in the worker, and the worker stops it", async () => {
    const page = runtimeOf();
    const agent = shop(calling("pay"), "Never.");
    await work(runtimeOf({ leaseDuration: 60_000 }), agent);
    await page.start("shop", "Pay", { runId: "run-1" });
    await isWaiting.opened;
    expect(await page.cancel("run-1")).toMatchObject({ status: "ended", outcome: { reason: "aborted" } });
    expect(await worker?.drain({ deadline: 20_000 })).toEqual({ left: [] });
    expect(agent.scripted.requests).toHaveLength(1);
  });

  it("starts runs before any worker has made the tables", async () => {
    const page = runtimeOf({ schema: `${schema}_new` });
    await page.start("shop", "Hi", { runId: "run-1" });
    await work(runtimeOf({ schema: `${schema}_new` }), shop("Hello."));
    expect((await page.result("run-1")).text).toBe("Hello.");
  });
});

describe("workers", () => {
  it("take no place for a run that waits", async () => {
    const runtime = runtimeOf();
    await work(runtime, shop(calling("shop/refund"), calling("shop/refund"), "Third.", "Done.", "Done."), { concurrency: 1 });
    for (const runId of ["run-1", "run-2", "run-3"]) await runtime.start("shop", "Go", { runId });
    expect((await runtime.result("run-3")).text).toBe("Third.");
    for (const { runId, callId, confirmation } of await runtime.pending()) await runtime.decide(runId, callId, deny(confirmation));
    for (const runId of ["run-1", "run-2"]) expect((await runtime.result(runId)).text).toBe("Done.");
  });

  it("of a new version go on with what waited under an old one", async () => {
    const page = runtimeOf();
    const old = await work(runtimeOf(), shop(calling("shop/refund")), { version: "1" });
    await page.start("shop", "Refund", { runId: "run-1" });
    const { callId, confirmation } = await firstPending(page);
    await old.drain();
    await page.decide("run-1", callId, approve(confirmation));
    await work(runtimeOf(), shop("Done."), { version: "2" });
    expect((await page.result("run-1")).text).toBe("Done.");
  });

  it("of an old version take the work after a rollback", async () => {
    const page = runtimeOf();
    const newer = await work(runtimeOf(), shop(), { version: "2" });
    await newer.drain();
    await page.start("shop", "Hi", { runId: "run-1" });
    await work(runtimeOf(), shop("Hello."), { version: "1" });
    expect((await page.result("run-1")).text).toBe("Hello.");
  });

  it("take the work if no worker of the latest version lives", async () => {
    const runtime = runtimeOf();
    await work(runtime, shop("Hello."), { version: "1" });
    const client = new Client({ connectionString: String(connectionString) });
    await client.connect();
    // A worker of version 2 registered itself, and died.
    await client.query(
      `INSERT INTO "${schema}_dbos".application_versions (version_id, version_name, version_timestamp) VALUES ('x', '2', (EXTRACT(EPOCH FROM now()) * 1000)::bigint + 1000)`,
    );
    await client.end();
    await runtime.start("shop", "Hi", { runId: "run-1" });
    expect((await runtime.result("run-1")).text).toBe("Hello.");
  });

  it("hand a run over when they are drained, to another one", async () => {
    const page = runtimeOf();
    const first = await work(runtimeOf(), shop(calling("pay"), "Never."));
    await page.start("shop", "Pay", { runId: "run-1" });
    await isWaiting.opened;
    const draining = first.drain();
    gate.open();
    expect(await draining).toEqual({ left: [{ runId: "run-1", agent: "shop", cutOff: false }] });
    await work(runtimeOf(), shop("Done."));
    expect((await page.result("run-1")).text).toBe("Done.");
    expect(effects).toEqual(["pay"]);
  });

  it("need an id that no other process has", async () => {
    await work(runtimeOf(), shop(), { executorId: "pod-1" });
    await expect(createWorker(runtimeOf(), { agents: [shop()], version: "1", executorId: "pod-1" })).rejects.toMatchObject({
      name: "RuntimeError",
      reason: "in_use",
    });
  });

  it("are one in a process", async () => {
    await work(runtimeOf(), shop());
    await expect(createWorker(runtimeOf(), { agents: [shop()], version: "1" })).rejects.toMatchObject({
      name: "RuntimeError",
      reason: "unsupported",
    });
  });

  it.each([1, 2])("carry on no more runs of one key than its limit of %d, in the order in which they came", async (concurrency) => {
    const limits = { perKey: { key: ({ tenantId }: { readonly tenantId?: unknown }) => String(tenantId), concurrency } };
    let now = 0;
    let most = 0;
    const full = new Gate();
    const agent = shop(
      ...Array.from({ length: 8 }, () => async () => {
        now += 1;
        most = Math.max(most, now);
        // The first ones wait until as many go on as may.
        if (now === concurrency) full.open();
        await full.opened;
        await new Promise((resolve) => setTimeout(resolve, 5));
        now -= 1;
        return "Done.";
      }),
    );
    const runtime = runtimeOf({ limits, schema: `${schema}_limits` });
    const begun: string[] = [];
    const options = (_: unknown, { runId }: { readonly runId: string }) => {
      begun.push(runId);
      return {};
    };
    await work(runtime, agent, { options });
    const ids = Array.from({ length: 8 }, (_, index) => `run-${concurrency}-${index}`);
    for (const runId of ids) await runtime.start("shop", "Go", { runId, context: { tenantId: "a" } });
    for (const runId of ids) await runtime.result(runId);
    expect(most).toBe(concurrency);
    // Those that begin at once may overtake each other.
    for (const [index, runId] of ids.entries()) expect(Math.abs(begun.indexOf(runId) - index)).toBeLessThan(concurrency);
  });

  it("begin no more runs in a period than its limit", async () => {
    const runtime = runtimeOf({ limits: { rate: { runs: 2, period: 400 } }, schema: `${schema}_limits` });
    const begun: number[] = [];
    const options = () => {
      begun.push(performance.now());
      return {};
    };
    await work(runtime, shop(...Array.from({ length: 5 }, () => "Done.")), { options });
    const ids = Array.from({ length: 5 }, (_, index) => `rate-${index}`);
    for (const runId of ids) await runtime.start("shop", "Go", { runId });
    for (const runId of ids) await runtime.result(runId);
    // The fifth begins in the third period.
    expect(Math.max(...begun) - Math.min(...begun)).toBeGreaterThan(400);
  });

  it.each([
    ["of its key", { perKey: { key: () => "acme", concurrency: 2 } }, '"acme" has 2 runs already (limits.perKey)'],
    ["in a period", { rate: { runs: 2, period: 60_000 } }, "2 runs in 60000 ms may begin, and no more (limits.rate)"],
  ])("get no run over the limit %s, if it is to be rejected", async (_, limits, reason) => {
    const runtime = runtimeOf({ limits: { ...limits, whenExceeded: "reject" }, schema: `${schema}_limits` });
    const ids = [1, 2].map((index) => `${reason} ${index}`);
    for (const runId of ids) await runtime.start("shop", "Go", { runId });
    await expect(runtime.start("shop", "Go", { runId: "over" })).rejects.toMatchObject({
      name: "RuntimeError",
      reason: "limit_exceeded",
      message: `start: the run "over" isn't accepted, because ${reason}. Start it again later, or let it wait: limits: { whenExceeded: "wait" }.`,
    });
    await expect(runtime.status("over")).rejects.toMatchObject({ reason: "unknown" });
    expect(await runtime.start("shop", "Go", { runId: ids[0] as string })).toMatchObject({ status: "queued" });
    await work(runtime, shop("Done.", "Done."));
    for (const runId of ids) expect((await runtime.result(runId)).text).toBe("Done.");
  });

  it.each([[undefined], [42], [""], [{}]])("have no run whose key is %j: start rejects it", async (tenantId) => {
    const limits = { perKey: { key: (context: { readonly tenantId?: unknown }) => context.tenantId as string, concurrency: 1 } };
    const runtime = runtimeOf({ limits });
    const starting = runtime.start("shop", "Go", { runId: "run-1", ...(tenantId !== undefined && { context: { tenantId } }) });
    await expect(starting).rejects.toThrow(/limits\.perKey\.key gave .+ for the run "run-1": return a string/);
    await expect(runtime.status("run-1")).rejects.toMatchObject({ reason: "unknown" });
  });

  it("carry on what was started before there was a limit", async () => {
    await runtimeOf().start("shop", "Hi", { runId: "run-1" });
    const limits = { perKey: { key: () => "all", concurrency: 1 } };
    const runtime = runtimeOf({ limits });
    await work(runtime, shop("Hello."));
    expect((await runtime.result("run-1")).text).toBe("Hello.");
  });

  it("leave the runs of agents that they don't have, and say so", async () => {
    const warned = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const runtime = runtimeOf();
    await work(runtime, shop());
    await runtime.start("other", "Hi", { runId: "run-1" });
    while (warned.mock.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(String(warned.mock.calls[0]?.[0])).toContain('The run run-1 waits for the agent "other"');
    expect(await runtime.status("run-1")).toMatchObject({ status: "queued" });
    warned.mockRestore();
  });

  it("give all events by their positions, wherever they are read", async () => {
    const runtime = runtimeOf();
    await work(runtime, shop("Hello."));
    await runtime.start("shop", "Hi", { runId: "run-1" });
    const heard = await allOf(runtime.events("run-1"));
    const read = await allOf(runtimeOf().events("run-1"));
    expect(read).toEqual(heard.filter(({ id }) => !id.includes("+")));
  });
});

describe("a worker, if the database goes away while it carries on runs", () => {
  it("goes on with them when it is back, and does nothing twice", async () => {
    const proxy = new DatabaseProxy(new URL(String(connectionString)));
    await proxy.start();
    const runtime = runtimeOf({ connectionString: proxy.address });
    await work(runtime, shop(calling("pay"), calling("look"), ...Array.from({ length: 5 }, () => "Done.")), { onError: () => undefined });
    await runtime.start("shop", "Pay", { runId: "run-1", context: { userId: "42" } });
    await isWaiting.opened;

    await proxy.stop();
    gate.open();
    await expect(runtime.start("shop", "Hi", { runId: "run-2" })).rejects.toMatchObject({ name: "StorageError" });
    // The lease of the run ends meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await proxy.start();

    expect((await runtime.result("run-1")).text).toBe("Done.");
    expect(effects.filter((effect) => effect === "pay")).toHaveLength(1);
    await runtime.start("shop", "Hi", { runId: "run-2" });
    expect((await runtime.result("run-2")).text).toBe("Done.");
    await worker?.drain({ deadline: 0 });
    worker = undefined;
    await runtime.close();
    runtimes.splice(runtimes.indexOf(runtime), 1);
    await proxy.stop();
  });
});
