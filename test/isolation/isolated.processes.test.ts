import "../../src/index.js";
import { createRunScope, isInterrupt, modelText, ToolExecutor } from "../../src/execution/index.js";
import { ToolAuthorizationError, type ToolClass, ToolTimeoutError } from "../../src/tool/index.js";
import { caller, recordingListener, rejection } from "../execution/support.js";
import { until } from "../support/until.js";
import * as tools from "./modules/tools.js";
import { compileTools, isRunning } from "./support.js";

beforeAll(compileTools);

const { WhereInWorker } = tools;

const places = [
  { where: "worker", Do: tools.DoInWorker, Where: tools.WhereInWorker, Quick: tools.QuickInWorker, Greet: tools.GreetInWorker },
  { where: "process", Do: tools.DoInProcess, Where: tools.WhereInProcess, Quick: tools.QuickInProcess, Greet: tools.GreetInProcess },
];

describe.each(places)("a tool in a $where", ({ where, Do, Where, Quick, Greet }) => {
  const does = (what: string) => caller(Do)({ what });

  it("runs there, with its arguments, the application's context, and the framework's members", async () => {
    const since = new Date(0);
    const call = caller(Where, {}, { runId: "r1", toolContext: { userId: "ada", team: { name: "blue", since } } as never });
    const { data } = (await call({ note: "hello", stops: [{ at: "2026-01-01T00:00:00Z" }] })) as { data: Record<string, unknown> };
    expect(data).toMatchObject({ note: "hello", stops: [true], userId: "ada", team: { name: "blue", since: since.toISOString() } });
    expect(data).toMatchObject({ runId: "r1", callId: "call_1", attempt: 1, idempotencyKey: "r1:call_1" });
    expect([data.pid === process.pid, data.isMainThread]).toEqual(where === "worker" ? [true, false] : [false, true]);
  });

  it("reports progress and logs to the application's listeners", async () => {
    const { listener, of } = recordingListener();
    await caller(Where, { listeners: [listener] })();
    expect(of("toolProgress")).toMatchObject([{ fraction: 0.5, message: "half" }]);
    expect(of("log")).toMatchObject([{ level: "info", message: "here", details: { in: expect.any(Number) } }]);
  });

  it.each(["loop", "expression"])("ends at its deadline although its code never does: %s", async (what) => {
    const { listener, of } = recordingListener();
    expect(await caller(Quick, { listeners: [listener] })({ what })).toMatchObject({ errorType: "timeout_error" });
    await eventually(async () => (await caller(Quick)({ what: "again" })).data === "again");
    expect(of("lateResult")).toEqual([]);
  });

  it("times out if it waits for its signal alone", async () => {
    expect(await caller(Quick)({ what: "clean up" })).toMatchObject({ errorType: "timeout_error" });
  });

  it("is cancelled with its run", async () => {
    const controller = new AbortController();
    const result = caller(Do, {}, { abortSignal: controller.signal })({ what: "loop" });
    setTimeout(() => controller.abort(), 50);
    expect(await result).toMatchObject({ errorType: "cancelled" });
  });

  it("fails if it ends its thread or process, and the next call works", async () => {
    expect(await does("exit")).toMatchObject({
      errorType: "execution_error",
      error: `The tool's ${where} ended with exit code 3 before the call did. It may have taken effect. Find out whether it did before you call it again with the same arguments.`,
    });
    expect(await does("hello")).toMatchObject({ data: "hello" });
  });

  it("fails if it throws outside of its call", async () => {
    const error = expect.stringContaining("The tool threw outside of its call: from a timer.");
    expect(await does("timer")).toMatchObject({ errorType: "execution_error", error });
    expect(await does("rejection")).toMatchObject({ error: expect.stringContaining("The tool threw outside of its call: forgotten.") });
  });

  it("gives its errors with their class, cause and members", async () => {
    const executor = new ToolExecutor({ tools: [Do] });
    const { cause } = await rejection(executor.run(Do, { what: "throw" }));
    expect(cause).toBeInstanceOf(RangeError);
    expect(cause).toMatchObject({
      name: "RangeError",
      message: "too far",
      code: "E_FAR",
      details: { by: 3 },
      cause: { message: "the cause" },
    });
    expect(cause.stack).toContain("build/test/isolation");
    expect(await does("throw text")).toMatchObject({ errorType: "unhandled_error", error: "only a text" });
    expect(await rejection(executor.run(Do, { what: "unauthorized" }))).toBeInstanceOf(ToolAuthorizationError);
    expect(isInterrupt(await rejection(executor.run(Do, { what: "interrupt" })))).toBe(true);
  });

  it("gives results as any tool does", async () => {
    expect(await does("fail")).toMatchObject({ errorType: "no_station", error: "No station." });
    expect(await does("map")).toMatchObject({ data: { map: { a: "1970-01-01T00:00:00.000Z" }, big: "10" } });
    expect(await does("proxy")).toMatchObject({ data: { a: 1 } });
    expect(modelText(await does("text"))).toBe("plain");
    expect(modelText(await does("json"))).toBe('"a text"');
    expect(await does("pictures")).toMatchObject({
      data: "Before\n[image/png, 70 bytes]\nafter",
      attachments: [{ type: "image", mediaType: "image/png" }],
    });
    expect(await does("stream")).toMatchObject({
      errorType: "execution_error",
      error: expect.stringContaining(`Tool '${Do.identifier}' returned a ReadableStream`),
    });
  });

  it("calls another tool of the application", async () => {
    const executor = new ToolExecutor({ tools: [Do, WhereInWorker] });
    expect(await executor.run(Do, { what: "call" })).toMatchObject({ note: "nested", callId: expect.stringMatching(/\/1$/) });
    expect(await does("call")).toMatchObject({ errorType: "unauthorized" });
  });

  it("gets a member of the context that can't be copied as an error, when it reads it", async () => {
    const call = caller(Do, {}, { toolContext: { database: { query() {} } } as never });
    expect(await call({ what: "hello" })).toMatchObject({ data: "hello" });
    expect(await call({ what: "database" })).toMatchObject({
      error: `The context's database can't be copied to a ${where}: query() { } could not be cloned. Make it in the set-up module of @isolated, or put only data into toolContext.`,
    });
  });

  it("gets its services from the set-up module, once per thread or process", async () => {
    const greetings = await Promise.all(Array.from({ length: 6 }, () => caller(Greet)()));
    for (const { data } of greetings) expect(data).toMatch(/^Hello from \d+\/\d+\/1$/);
  });

  it("runs many calls at once", async () => {
    const results = await Promise.all(Array.from({ length: 30 }, (_, index) => does(String(index))));
    expect(results.map(({ data }) => data)).toEqual(Array.from({ length: 30 }, (_, index) => String(index)));
  });

  it("lets waiting calls run after others were killed", async () => {
    const loops = Array.from({ length: 8 }, () => caller(Quick)({ what: "loop" }));
    const after = does("after");
    await Promise.all(loops);
    expect(await after).toMatchObject({ data: "after" });
  });
});

describe("a tool in a process", () => {
  it("has a cleaned environment, and the variables that it names", async () => {
    process.env.SECRET_OF_TEST = "s3cret";
    expect(await caller(tools.DoInProcess)({ what: "environment" })).toMatchObject({ data: { path: "string" } });
    expect(await caller(tools.DoWithSecret)({ what: "environment" })).toMatchObject({ data: { secret: "s3cret" } });
  });

  it("takes the processes that it started with it", async () => {
    const call = caller(tools.DoInProcess);
    const { child, own } = (await call({ what: "child" })).data as { child: number; own: number };
    expect([isRunning(child), isRunning(own)]).toEqual([true, true]);
    // The process that was used last runs the next call.
    await call({ what: "exit" });
    await until(() => !isRunning(child) && !isRunning(own));
  });

  it("is refused the same arguments after a crash if it writes", async () => {
    const call = caller(tools.WriteInProcess);
    expect(await call({ what: "exit" })).toMatchObject({ error: expect.stringContaining("the same arguments are refused") });
    expect(await call({ what: "exit" })).toMatchObject({ errorType: "retries_exhausted" });
  });
});

describe("a tool that can't be loaded there", () => {
  const failure = async (tool: ToolClass) => (await caller(tool)()).error;

  it("isn't exported", async () => {
    const [NotExported] = tools.hidden.tools;
    expect(await failure(NotExported as ToolClass)).toMatch(
      /^NotExported: file:.*tools\.js doesn't export it\. It exports Do.*Write "export class NotExported"/,
    );
  });

  it.each([tools.ThrowsAtLoad, tools.ThrowsAtLoadInProcess])("has a module that throws, at each call", async (tool) => {
    const error = /its module file:.* failed while the (worker|process) imported it: the port is taken\. It is imported there once more/;
    expect(await failure(tool)).toMatch(error);
    expect(await failure(tool)).toMatch(error);
  });

  it("has a module that isn't there, or is TypeScript", async () => {
    expect(await failure(tools.NotThere)).toMatch(/its module file:.*not-there\.js isn't there\. If a bundler moved it/);
    expect(await failure(tools.InTypeScript)).toMatch(
      /its module file:.*tools\.ts is TypeScript, which the worker can't load: .* node --import tsx/,
    );
  });

  it("wants services, and has no set-up module or one without a container", async () => {
    expect(() => caller(tools.GreetWithoutSetUp)).toThrow(
      'GreetWithoutSetUp: its constructor wants 1 service, but there is no container to take them from. The tool runs in a worker, so name a set-up module that exports one: @isolated("worker", { module: ..., services: "./services.js" }).',
    );
    expect(await failure(tools.GreetWithoutContainer)).toMatch(/its set-up module file:.* gives no container/);
  });
});

it("throws ToolTimeoutError for code", async () => {
  const executor = new ToolExecutor({ tools: [tools.QuickInProcess] });
  expect(await rejection(executor.run(tools.QuickInProcess, { what: "loop" }, createRunScope()))).toBeInstanceOf(ToolTimeoutError);
});

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
