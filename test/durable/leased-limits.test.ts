import { LeasedLimits } from "../../src/durable/engine/leased-limits.js";
import { shareLimits } from "../../src/execution/internal.js";
import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { MemoryStorage } from "../../src/storage/index.js";
import { createTool } from "../../src/tool/index.js";

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("the turns that all workers of a storage share", () => {
  it("are as many places as the limit allows, in whatever worker", async () => {
    const storage = new MemoryStorage();
    const [one, other] = [new LeasedLimits(storage), new LeasedLimits(storage)];
    const leaves = [await one.takePlace("ask", 2), await other.takePlace("ask", 2)];
    expect(leaves).toEqual([expect.any(Function), expect.any(Function)]);
    expect(await one.takePlace("ask", 2)).toBeUndefined();
    expect(await other.takePlace("ask", 2)).toBeUndefined();
    expect(await other.takePlace("other", 2)).toEqual(expect.any(Function));
    leaves[1]?.();
    expect(await one.takePlace("ask", 2)).toEqual(expect.any(Function));
  });

  it("are free again when a worker has died", async () => {
    const storage = new MemoryStorage({ leaseDuration: 30 });
    const dead = {
      ...storage,
      leases: { ...storage.leases, acquire: storage.leases.acquire.bind(storage.leases), renew: () => undefined },
    };
    expect(await new LeasedLimits(dead as never).takePlace("ask", 1)).toEqual(expect.any(Function));
    const live = new LeasedLimits(storage);
    expect(await live.takePlace("ask", 1)).toBeUndefined();
    await sleep(40);
    expect(await live.takePlace("ask", 1)).toEqual(expect.any(Function));
  });

  it("let so many begin in a period, and name the time until the next one", async () => {
    const storage = new MemoryStorage();
    const [one, other] = [new LeasedLimits(storage), new LeasedLimits(storage)];
    const rate = { calls: 2, period: 50 };
    expect([await one.begin("ask", rate), await other.begin("ask", rate)]).toEqual([0, 0]);
    const wait = await one.begin("ask", rate);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(50);
    await sleep(60);
    expect(await other.begin("ask", rate)).toBe(0);
  });
});

describe("a tool whose limits are shared by processes", () => {
  let running = 0;
  let most = 0;
  const toolOf = (limits: object) =>
    createTool({
      name: "shared",
      description: "Works.",
      inputSchema: { type: "object" },
      ...limits,
      async execute() {
        running += 1;
        most = Math.max(most, running);
        await sleep(5);
        running -= 1;
        return "Done.";
      },
    });
  let endSharing: () => void;
  const storage = new MemoryStorage();
  const elsewhere = new LeasedLimits(storage);
  beforeEach(() => {
    most = 0;
    endSharing = shareLimits(new LeasedLimits(storage));
  });
  afterEach(() => endSharing());

  const call = (limits: object, abortSignal?: AbortSignal) => {
    const executor = new ToolExecutor({ tools: [toolOf(limits)] });
    return executor.call({ id: "1", name: "shared", arguments: {} }, createRunScope(abortSignal && { abortSignal }));
  };
  const limitOf = (calls: number) => JSON.stringify(["shared", calls, ""]);

  it("runs no more calls at once than its limit, and waits for those of another process", async () => {
    const leave = await elsewhere.takePlace(limitOf(3), 3);
    const results = Promise.all(Array.from({ length: 8 }, () => call({ concurrency: { calls: 3 } })));
    await sleep(30);
    leave?.();
    expect((await results).every(({ data }) => data === "Done.")).toBe(true);
    expect(most).toBeLessThanOrEqual(3);
  });

  it("leaves the line when its run is cancelled", async () => {
    const leave = await elsewhere.takePlace(limitOf(1), 1);
    const controller = new AbortController();
    const waiting = call({ concurrency: { calls: 1 } }, controller.signal);
    await sleep(10);
    controller.abort();
    expect((await waiting).errorType).toBe("cancelled");
    leave?.();
    expect((await call({ concurrency: { calls: 1 } })).data).toBe("Done.");
  });

  it("is rejected if another process has its places or its rate, and it doesn't wait", async () => {
    const leave = await elsewhere.takePlace(limitOf(1), 1);
    expect(await call({ concurrency: { calls: 1, whenExceeded: "reject" } })).toMatchObject({ errorType: "limit_exceeded" });
    leave?.();
    await elsewhere.begin(JSON.stringify(["shared", 1, 60_000, ""]), { calls: 1, period: 60_000 });
    expect((await call({ rateLimit: { calls: 1, period: 60_000, whenExceeded: "reject" } })).error).toMatch(
      /can be called again in (60|59) s/,
    );
  });

  it("fails if the storage is away, and runs nothing", async () => {
    endSharing();
    const leases = { ...storage.leases, acquire: () => Promise.reject(new Error("No database.")) };
    endSharing = shareLimits(new LeasedLimits({ ...storage, leases } as never));
    expect(await call({ concurrency: { calls: 1 } })).toMatchObject({ errorType: "unhandled_error", error: "No database." });
    expect(most).toBe(0);
  });
});
