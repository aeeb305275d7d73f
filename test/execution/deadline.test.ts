import { deadlines, type Expiring } from "../../src/execution/attempt/deadlines.js";
import { modelText } from "../../src/execution/index.js";
import { createTool, type ToolContext, ToolTimeoutError } from "../../src/tool/index.js";
import { caller, recordingListener, sleep } from "./support.js";

const never = () => new Promise<never>(() => {});

const toolOf = (timeout: number, execute: (input: any, context: ToolContext) => unknown) =>
  createTool({ name: "slow", description: "A slow one.", inputSchema: { type: "object" }, timeout, execute });

/** Timers that keep the process alive. */
const livingTimers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

describe("a tool that overruns its deadline", () => {
  it('case 40; seed 002, "Timeout Configuration": is left, and the model receives a timeout error', async () => {
    const result = await caller(toolOf(20, never))();
    expect(result).toMatchObject({ tool: "slow", errorType: "timeout_error" });
    expect(modelText(result)).toMatch(/timed out after 20 ms/);
  });

  it("case 43: the error warns the model that the tool may have finished", async () => {
    expect((await caller(toolOf(5, never))()).error).toMatch(/was cancelled, but may have finished/);
  });

  it("sees its signal aborted, with the timeout as the reason", async () => {
    let seen: AbortSignal | undefined;
    await caller(
      toolOf(5, (_input, { abortSignal }) => {
        seen = abortSignal;
        return never();
      }),
    )();
    expect(seen?.aborted).toBe(true);
    expect(seen?.reason).toBeInstanceOf(ToolTimeoutError);
  });

  it("sees an aborted signal if it asks only afterwards", async () => {
    let kept: ToolContext | undefined;
    await caller(
      toolOf(5, (_input, context) => {
        kept = context;
        return never();
      }),
    )();
    expect(kept?.abortSignal.aborted).toBe(true);
  });

  it.each([
    ["returned", () => "late"],
    ["threw", () => Promise.reject(new Error("late"))],
  ])("that %s after all changes nothing, and listeners receive it", async (outcome, end) => {
    const { listener, of } = recordingListener();
    const result = await caller(
      toolOf(5, (_input, { abortSignal }) => aborted(abortSignal).then(end)),
      { listeners: [listener] },
    )();
    expect(result.errorType).toBe("timeout_error");
    await sleep(10);
    expect(of("lateResult")).toEqual([expect.objectContaining({ tool: "slow", callId: "call_1", outcome })]);
    expect(of("toolFinished")).toHaveLength(1);
  });

  it("keeps the result that it gave by blocking the process past the deadline: the work is done", async () => {
    const result = await caller(
      toolOf(5, async () => {
        const end = Date.now() + 20;
        while (Date.now() < end);
        return "done";
      }),
    )();
    expect(result.data).toBe("done");
  });
});

/** Resolves after all that an abort does at once. */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => setTimeout(resolve, 1), { once: true }));

describe("the one timer of all deadlines", () => {
  it("ends each call at its own time", async () => {
    const order: number[] = [];
    const calls = [1_500, 10, 600].map(async (timeout) => {
      await caller(toolOf(timeout, never))();
      order.push(timeout);
    });
    await Promise.all(calls);
    expect(order).toEqual([10, 600, 1_500]);
  });

  it("is one however many calls run, and holds the process only while one does", async () => {
    const before = livingTimers();
    const call = caller(toolOf(40, never));
    const calls = Array.from({ length: 200 }, () => call());
    expect(livingTimers()).toBe(before + 1);
    const results = await Promise.all(calls);
    expect(results.every(({ errorType }) => errorType === "timeout_error")).toBe(true);
    // jest has timers of its own that come and go.
    for (const end = Date.now() + 1_000; livingTimers() > before && Date.now() < end; ) await new Promise(setImmediate);
    expect(livingTimers()).toBeLessThanOrEqual(before);
  });

  it("does not hold the process after calls that ended in time", async () => {
    const before = livingTimers();
    await caller(toolOf(60_000, async () => "quick"))();
    expect(livingTimers()).toBe(before);
    await caller(toolOf(60_000, async () => "quick"))();
    expect(livingTimers()).toBe(before);
  });

  it.each([0, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 40])("case 44: never ends a call whose timeout is %d", async (timeout) => {
    const call = caller(toolOf(timeout, () => sleep(15).then(() => "done")));
    expect((await call()).data).toBe("done");
  });

  it("keeps to a test's fake timers", async () => {
    await caller(toolOf(60_000, async () => "real time"))();
    jest.useFakeTimers();
    try {
      const pending = caller(toolOf(60_000, never))();
      await jest.advanceTimersByTimeAsync(60_000);
      expect((await pending).errorType).toBe("timeout_error");
    } finally {
      jest.useRealTimers();
    }
    expect((await caller(toolOf(5, never))()).errorType).toBe("timeout_error");
  });

  it("keeps to fake timers that leave the clock as it is, as those of node:test do", async () => {
    jest.useFakeTimers({ doNotFake: ["performance", "setImmediate", "queueMicrotask", "nextTick"] });
    try {
      const pending = caller(toolOf(60_000, never))();
      await jest.advanceTimersByTimeAsync(60_000);
      expect((await pending).errorType).toBe("timeout_error");
    } finally {
      jest.useRealTimers();
    }
  });

  it("keeps to the whole milliseconds of fake timers however long the process has run", async () => {
    jest.useFakeTimers({ doNotFake: ["performance", "setImmediate", "queueMicrotask", "nextTick"] });
    const uptime = 988_576.0998862445;
    expect(uptime + 60_000 - uptime).toBeGreaterThan(60_000);
    const clock = jest.spyOn(performance, "now").mockReturnValue(uptime);
    try {
      const pending = caller(toolOf(60_000, never))();
      await jest.advanceTimersByTimeAsync(60_000);
      expect((await pending).errorType).toBe("timeout_error");
    } finally {
      clock.mockRestore();
      jest.useRealTimers();
    }
  });

  it("ends entries in any order, and forgets those that were removed", async () => {
    const expired: string[] = [];
    const entry = (name: string): Expiring => ({
      expiresAt: 0,
      nextExpiring: undefined,
      previousExpiring: undefined,
      expire: () => void expired.push(name),
    });
    const [first, middle, last] = [entry("first"), entry("middle"), entry("last")];
    for (const each of [first, middle, last]) deadlines.add(each, 5);
    deadlines.remove(middle);
    deadlines.remove(middle);
    await sleep(20);
    expect(expired.sort()).toEqual(["first", "last"]);
  });
});
