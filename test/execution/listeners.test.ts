import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createTool, markAsInterrupt, type ToolListener } from "../../src/tool/index.js";
import { caller, recordingListener, rejection } from "./support.js";

const login = createTool({
  name: "login",
  description: "Logs in.",
  inputSchema: { type: "object", properties: { user: { type: "string" }, password: { type: "string" }, tries: { type: "integer" } } },
  execute: ({ user }: any) => ({ user, apiKey: "k-123", url: "https://u:p@db.test/" }),
});

describe("a listener", () => {
  it("seed 000, FR-025: hears of the start and the end of each attempt, without secrets", async () => {
    const { events, listener } = recordingListener();
    const executor = new ToolExecutor({ tools: [login], listeners: [listener] });
    await executor.call(
      { id: "call_1", name: "login", arguments: '{"user":"ann","password":"hunter2","tries":"2"}' },
      createRunScope({ runId: "run_1", agent: "helper" }),
    );
    const tags = { runId: "run_1", callId: "call_1", tool: "login", attempt: 1, input: { user: "ann", password: "[redacted]", tries: 2 } };
    expect(events).toEqual([
      ["toolStarted", tags],
      [
        "toolFinished",
        {
          ...tags,
          agent: "helper",
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

  it("hears of calls that never began, with the arguments as they came", async () => {
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

  it("hears of refused arguments that contain themselves", async () => {
    const { listener, of } = recordingListener();
    const endless: Record<string, unknown> = { password: "hunter2" };
    endless.self = endless;
    const executor = new ToolExecutor({ tools: [login], listeners: [listener] });
    const result = await executor.call({ id: "1", name: "login", arguments: endless }, createRunScope());
    expect(result.errorType).toBe("validation_error");
    expect(of("toolFinished")).toMatchObject([{ input: { password: "[redacted]", self: "[circular]" } }]);
  });

  it("hears of a repaired secret, but not what it was", async () => {
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

  it("hears of the end of an attempt that an interrupt ended", async () => {
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

  it("hears the arguments as they were given, though the tool changed them", async () => {
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
});
