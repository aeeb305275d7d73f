import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createTool, type ToolContext } from "../../src/tool/index.js";
import { caller, recordingListener } from "./support.js";

/** The context that a tool sees. */
async function contextOf(toolContext?: Record<string, unknown>, runId = "run_1"): Promise<any> {
  let seen: unknown;
  const spy = createTool({
    name: "spy",
    description: "Looks.",
    inputSchema: { type: "object" },
    execute: (_input, context) => {
      seen = context;
    },
  });
  await caller(spy, {}, { runId, ...(toolContext === undefined ? {} : { toolContext }) })();
  return seen;
}

describe('seed 003, "ToolContext"; seed 002, "Accessing Context"', () => {
  it("holds what the application put into its bag", async () => {
    const user = { id: 42 };
    const { userId, auth, ...rest } = await contextOf({ userId: "u1", auth: "jwt", user });
    expect({ userId, auth, rest }).toEqual({ userId: "u1", auth: "jwt", rest: { user } });
    expect((await contextOf({ user })).user).toBe(user);
  });

  it("holds what the framework manages, also after destructuring", async () => {
    const { abortSignal, runId, callId, attempt, idempotencyKey, progress, log, call } = await contextOf();
    expect(abortSignal).toBeInstanceOf(AbortSignal);
    expect({ runId, callId, attempt, idempotencyKey }).toEqual({
      runId: "run_1",
      callId: "call_1",
      attempt: 1,
      idempotencyKey: "run_1:call_1",
    });
    expect([typeof progress, typeof log.info, typeof call]).toEqual(["function", "function", "function"]);
    expect(() => progress(0.5)).not.toThrow();
  });

  it("does not let the bag override what the framework manages", async () => {
    const bag = JSON.parse(
      '{"abortSignal":1,"runId":"x","callId":"x","attempt":9,"idempotencyKey":"x","call":1,"log":1,"progress":1,"__proto__":{"evil":1}}',
    );
    const context = await contextOf(bag);
    expect(context.abortSignal).toBeInstanceOf(AbortSignal);
    expect([context.runId, context.callId, context.attempt, context.idempotencyKey]).toEqual(["run_1", "call_1", 1, "run_1:call_1"]);
    expect([typeof context.call, typeof context.log, typeof context.progress]).toEqual(["function", "object", "function"]);
    expect(context.evil).toBeUndefined();
  });

  it("is one per call: what a tool writes into it is not seen by others, nor by the application", async () => {
    const bag: Record<string, unknown> = { user: "u" };
    const context = await contextOf(bag);
    context.user = "changed";
    expect(bag.user).toBe("u");
    expect((await contextOf(bag)).user).toBe("u");
  });

  it("gives one signal however often it is asked", async () => {
    const context = await contextOf();
    expect(context.abortSignal).toBe(context.abortSignal);
  });
});

describe("progress and log", () => {
  const chatty = createTool({
    name: "chatty",
    description: "Talks.",
    inputSchema: { type: "object" },
    execute: async (_input, { progress, log }: ToolContext) => {
      progress(0.5, "half");
      progress(1);
      log.warn("slow", { host: "db", password: "hunter2", at: new Date(0) });
    },
  });

  it("reach the listeners, tagged with run, call and tool, without secrets", async () => {
    const { listener, of } = recordingListener();
    await new ToolExecutor({ tools: [chatty], listeners: [listener] }).call(
      { id: "call_7", name: "chatty", arguments: {} },
      createRunScope({ runId: "run_7" }),
    );
    const tags = { runId: "run_7", callId: "call_7", tool: "chatty" };
    expect(of("toolProgress")).toEqual([
      { ...tags, fraction: 0.5, message: "half" },
      { ...tags, fraction: 1 },
    ]);
    expect(of("log")).toEqual([
      { ...tags, level: "warn", message: "slow", details: { host: "db", password: "[redacted]", at: "1970-01-01T00:00:00.000Z" } },
    ]);
  });

  it("cause no error if there is no listener", async () => {
    expect((await caller(chatty)()).error).toBeUndefined();
  });

  const reporting = (report: (context: ToolContext) => unknown, timeout = 10_000) =>
    createTool({
      name: "reporting",
      description: "Reports.",
      inputSchema: { type: "object" },
      timeout,
      execute: async (_input, context) => {
        await report(context);
        return "done";
      },
    });

  it.each([
    [1.5, 1],
    [-2, 0],
    [Number.POSITIVE_INFINITY, 1],
    [0.25, 0.25],
  ])("progress of %p is reported as %p", async (reported, told) => {
    const { listener, of } = recordingListener();
    await caller(
      reporting(({ progress }) => progress(reported)),
      { listeners: [listener] },
    )();
    expect(of("toolProgress").map(({ fraction }) => fraction)).toEqual([told]);
  });

  it("progress that is no number fails no call: the log says so", async () => {
    const { listener, of } = recordingListener();
    const call = caller(
      reporting(({ progress }) => {
        progress(0 / 0);
        progress("half" as never);
      }),
      { listeners: [listener] },
    );
    expect((await call()).data).toBe("done");
    expect(of("toolProgress")).toEqual([]);
    expect(of("log").map(({ level, message }) => [level, message])).toEqual([
      ["warn", "progress takes a fraction from 0 to 1, got NaN. Was something divided by 0?"],
      ["warn", "progress takes a fraction from 0 to 1, got half. Was something divided by 0?"],
    ]);
  });

  it("take an error for a message, as JavaScript gives it", async () => {
    const { listener, of } = recordingListener();
    const call = caller(
      reporting(({ log, progress }) => {
        log.error(new Error("refused by https://u:hunter2@db.test") as never);
        progress(0.5, { page: 2 } as never);
      }),
      { listeners: [listener] },
    );
    expect((await call()).data).toBe("done");
    expect(of("log")[0].message).toBe("refused by https://[redacted]@db.test");
    expect(of("toolProgress")[0].message).toBe('{"page":2}');
  });

  it("of a call that was stopped: listeners receive what it logs, but not its progress", async () => {
    const { listener, of } = recordingListener();
    const late = reporting(async ({ progress, log, abortSignal }) => {
      await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
      progress(0.9);
      log.info("cleaning up");
    }, 5);
    expect((await caller(late, { listeners: [listener] })()).errorType).toBe("timeout_error");
    await new Promise(setImmediate);
    expect(of("toolProgress")).toEqual([]);
    expect(of("log")).toMatchObject([{ message: "cleaning up" }]);
  });
});
