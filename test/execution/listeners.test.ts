import { AsyncLocalStorage } from "node:async_hooks";
import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createTool, type ToolListener } from "../../src/tool/index.js";
import { markAsInterrupt } from "../../src/tool/internal.js";
import { caller, recordingListener, rejection } from "./support.js";

const login = createTool({
  name: "login",
  description: "Logs in.",
  inputSchema: { type: "object", properties: { user: { type: "string" }, password: { type: "string" }, tries: { type: "integer" } } },
  execute: ({ user }: any) => ({ user, apiKey: "k-123", url: "https://u:p@db.test/" }),
});

describe("a listener", () => {
  it("seed 000, FR-025: receives the start and the end of each attempt, without secrets", async () => {
    const { events, listener } = recordingListener();
    const executor = new ToolExecutor({ tools: [login], listeners: [listener] });
    await executor.call(
      { id: "call_1", name: "login", arguments: '{"user":"ann","password":"hunter2","tries":"2"}' },
      createRunScope({ runId: "run_1", agent: "helper", tags: { tenant: "acme" } }),
    );
    const started = {
      runId: "run_1",
      callId: "call_1",
      tool: "login",
      agent: "helper",
      tags: { tenant: "acme" },
      attempt: 1,
      category: "side_effect",
      startedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      input: { user: "ann", password: "[redacted]", tries: 2 },
    };
    expect(events).toEqual([
      ["toolStarted", started],
      [
        "toolFinished",
        {
          ...started,
          duration: expect.any(Number),
          repairs: [{ path: "tries", from: "2", to: 2 }],
          result: {
            tool: "login",
            fetchedAt: expect.any(String),
            data: { user: "ann", apiKey: "[redacted]", url: "https://[redacted]@db.test/" },
          },
        },
      ],
    ]);
  });

  it("receives calls that never began, with the arguments as they came", async () => {
    const { listener, of } = recordingListener();
    const executor = new ToolExecutor({ tools: [login], listeners: [listener] });
    const scope = createRunScope();
    await executor.call({ id: "1", name: "nobody", arguments: { token: "t" } }, scope);
    await executor.call({ id: "2", name: "login", arguments: '{"user":5,"password":"hunter2"}' }, scope);
    await executor.call({ id: "3", name: "login", arguments: '{"user":"ann","password":"hunter2' }, scope);
    expect(of("toolStarted")).toEqual([]);
    expect(of("toolFinished").map(({ input, result }) => [input, result.errorType])).toEqual([
      [{ token: "[redacted]" }, "unknown_tool"],
      [{ user: 5, password: "[redacted]" }, "validation_error"],
      ['{"user":"ann","password":"[redacted]"', "validation_error"],
    ]);
  });

  it("receives refused arguments that contain themselves", async () => {
    const { listener, of } = recordingListener();
    const endless: Record<string, unknown> = { password: "hunter2" };
    endless.self = endless;
    const executor = new ToolExecutor({ tools: [login], listeners: [listener] });
    const result = await executor.call({ id: "1", name: "login", arguments: endless }, createRunScope());
    expect(result.errorType).toBe("validation_error");
    expect(of("toolFinished")).toMatchObject([{ input: { password: "[redacted]", self: "[circular]" } }]);
  });

  it("receives the repair of a secret, but not its value", async () => {
    const { listener, of } = recordingListener();
    const unlock = createTool({
      name: "unlock",
      description: "Unlocks.",
      inputSchema: { type: "object", properties: { passcode: { type: "integer" } } },
      execute: () => true,
    });
    await caller(unlock, { listeners: [listener] })({ passcode: "1234" });
    expect(of("toolFinished")).toMatchObject([{ repairs: [{ path: "passcode", from: "[redacted]", to: "[redacted]" }] }]);
  });

  it("receives the end of an attempt that an interrupt ended", async () => {
    const { listener, of } = recordingListener();
    const pausing = createTool({
      name: "pausing",
      description: "Pauses.",
      inputSchema: { type: "object" },
      execute: () => Promise.reject(markAsInterrupt(new Error("waits for a person"))),
    });
    await rejection(caller(pausing, { listeners: [listener] })());
    expect(of("toolFinished")).toEqual([
      expect.objectContaining({ result: expect.objectContaining({ error: "waits for a person", errorType: "interrupted" }) }),
    ]);
  });

  it("receives the arguments as they were given, though the tool changed them", async () => {
    const { listener, of } = recordingListener();
    const changing = createTool({
      name: "changing",
      description: "Changes its input.",
      inputSchema: { type: "object" },
      execute: ({ tags }: any) => tags.push("changed"),
    });
    await caller(changing, { listeners: [listener] })({ tags: ["a"] });
    expect(of("toolFinished")[0].input).toEqual({ tags: ["a"] });
  });

  it("that throws or rejects becomes a warning and disturbs neither the call nor other listeners", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const { listener, of } = recordingListener();
    const broken: ToolListener = {
      toolStarted: () => {
        throw new Error("disk full");
      },
      toolFinished: () => Promise.reject(new Error("network down")) as never,
    };
    expect((await caller(login, { listeners: [broken, listener] })({ user: "ann" })).error).toBeUndefined();
    await new Promise(setImmediate);
    expect(warn.mock.calls.map(([message]) => message)).toEqual([
      expect.stringContaining("toolStarted failed: Error: disk full"),
      expect.stringContaining("toolFinished failed: Error: network down"),
    ]);
    expect(of("toolFinished")).toHaveLength(1);
    warn.mockRestore();
  });

  it("that throws at progress, at a log entry or at a late result disturbs nothing either", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
    const fail = () => {
      throw new Error("disk full");
    };
    const talking = createTool({
      name: "talking",
      description: "Talks.",
      inputSchema: { type: "object" },
      timeout: 5,
      execute: async (_input, { progress, log, abortSignal }) => {
        progress(0.5);
        log.info("half");
        await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
      },
    });
    const result = await caller(talking, { listeners: [{ toolProgress: fail, log: fail, lateResult: fail }] })();
    expect(result.errorType).toBe("timeout_error");
    await new Promise(setImmediate);
    expect(warn.mock.calls.map(([message]) => String(message).split("\n")[0])).toEqual([
      "A tool listener's toolProgress failed: Error: disk full",
      "A tool listener's log failed: Error: disk full",
      "A tool listener's lateResult failed: Error: disk full",
    ]);
    warn.mockRestore();
  });

  it("receives with each call the id of its parent call, whether it ran or was refused", async () => {
    const { listener, of } = recordingListener();
    const outer = createTool({
      name: "outer",
      description: "Calls.",
      inputSchema: { type: "object" },
      dependsOn: ["login"],
      execute: async (_input, { call }) => {
        await call(login, { user: "ann" });
        await call(login, { user: 7 }).catch(() => {});
      },
    });
    await caller(outer, { listeners: [listener] }, { tags: { tenant: "acme" } })();
    expect(of("toolFinished").map(({ callId, parentCallId, tags, category }) => [callId, parentCallId, tags, category])).toEqual([
      ["call_1/1", "call_1", { tenant: "acme" }, "side_effect"],
      ["call_1/2", "call_1", { tenant: "acme" }, "side_effect"],
      ["call_1", undefined, { tenant: "acme" }, "side_effect"],
    ]);
    expect(of("toolStarted").map(({ parentCallId }) => parentCallId)).toEqual([undefined, "call_1"]);
  });

  it('seed 000, "Retry Policy": receives what the model changed after a failure, also after wrong arguments', async () => {
    const { listener, of } = recordingListener();
    const readFile = createTool({
      name: "read_file",
      description: "Reads.",
      inputSchema: { type: "object", properties: { path: { type: "string" }, key: { type: "string" }, lines: { type: "array" } } },
      execute: ({ path }: any) => (path === "b" ? "text" : Promise.reject(new Error("File not found"))),
    });
    const call = caller(readFile, { listeners: [listener] });
    await call({ path: 5, lines: [1, 2] });
    await call({ lines: [1, 3], path: "a" });
    await call({ path: "b", key: "password-1" });
    await call({ path: "c" });
    expect(of("toolFinished").map(({ attempt, changes }) => [attempt, changes])).toEqual([
      [1, undefined],
      [
        1,
        [
          { path: "path", from: 5, to: "a" },
          { path: "lines[1]", from: 2, to: 3 },
        ],
      ],
      [
        2,
        [
          { path: "lines", from: [1, 3] },
          { path: "path", from: "a", to: "b" },
          { path: "key", to: "password-1" },
        ],
      ],
      [1, undefined],
    ]);
  });

  it("seed 000, FR-030: receives the stack of what the tool threw, without secrets, which the model never receives", async () => {
    const { listener, of } = recordingListener();
    const failing = createTool({
      name: "failing",
      description: "Fails.",
      inputSchema: { type: "object" },
      execute: () => {
        throw new Error("GET https://u:hunter2@db.test failed");
      },
    });
    const result = await caller(failing, { listeners: [listener] })();
    const [{ stack }] = of("toolFinished");
    expect(stack).toMatch(/^Error: GET https:\/\/\[redacted\]@db\.test failed\n {4}at /);
    expect(JSON.stringify(result)).not.toContain("    at ");
  });
});

describe("a listener's around", () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const looking = createTool({
    name: "looking",
    description: "Looks.",
    inputSchema: { type: "object" },
    execute: async () => {
      seen.push(storage.getStore());
      await Promise.resolve();
      seen.push(storage.getStore());
      return "done";
    },
  });
  let warn: jest.SpyInstance;

  beforeEach(() => {
    seen.length = 0;
    warn = jest.spyOn(process, "emitWarning").mockImplementation(() => {});
  });
  afterEach(() => warn.mockRestore());

  it("gives the tool's code an async context, by the event that toolStarted had", async () => {
    const events: unknown[] = [];
    const listener: ToolListener = {
      toolStarted: (event) => void events.push(event),
      around: (event, run) => {
        events.push(event);
        storage.run(`${event.tool} of ${event.callId}`, run);
      },
    };
    expect((await caller(looking, { listeners: [listener] })()).data).toBe("done");
    expect(seen).toEqual(["looking of call_1", "looking of call_1"]);
    expect(events).toHaveLength(2);
    expect(events[0]).toBe(events[1]);
    expect(storage.getStore()).toBeUndefined();
  });

  it("goes inside those of the listeners before it", async () => {
    const order: string[] = [];
    const named = (name: string): ToolListener => ({
      around: (_event, run) => {
        order.push(name);
        run();
        order.push(`/${name}`);
      },
    });
    await caller(looking, { listeners: [named("a"), {}, named("b")] })();
    expect(order).toEqual(["a", "b", "/b", "/a"]);
  });

  it.each<[string, NonNullable<ToolListener["around"]>, number]>([
    [
      "throws before",
      () => {
        throw new Error("no span");
      },
      1,
    ],
    [
      "throws after",
      (_event, run) => {
        run();
        throw new Error("no span");
      },
      1,
    ],
    ["never runs it", () => {}, 1],
    ["runs it too late", (_event, run) => void setImmediate(run), 1],
    [
      "runs it twice",
      (_event, run) => {
        run();
        run();
      },
      0,
    ],
    ["rejects", (async (_event: unknown, run: () => void) => Promise.reject(run())) as never, 1],
  ])("that %s is at most warned of, and the tool runs exactly once", async (_how, around, warnings) => {
    expect((await caller(looking, { listeners: [{ around }] })()).data).toBe("done");
    await new Promise(setImmediate);
    expect(seen).toHaveLength(2);
    expect(warn).toHaveBeenCalledTimes(warnings);
  });

  it("does not see what the tool throws, which fails the call as ever", async () => {
    const failing = createTool({
      name: "failing",
      description: "Fails.",
      inputSchema: { type: "object" },
      execute: () => {
        throw new Error("File not found");
      },
    });
    const around = jest.fn((_event: unknown, run: () => void) => run());
    expect((await caller(failing, { listeners: [{ around }] })()).error).toBe("File not found");
    expect(around).toHaveReturned();
    expect(warn).not.toHaveBeenCalled();
  });
});
