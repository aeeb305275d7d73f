import { createRunScope, type ExecutorOptions, ToolExecutor } from "../../src/execution/index.js";
import { Agent, createTool, model, usesTools } from "../../src/index.js";
import { ScriptedModel } from "../../src/models/index.js";

/** Faults that users of like libraries met with timeouts and aborts. */

const waiting = (execute: (input: Record<string, unknown>, context: { abortSignal: AbortSignal }) => unknown, timeout = 50) =>
  createTool({ name: "waiting", description: "Waits.", inputSchema: { type: "object" }, timeout, execute });

const call = (tool: ReturnType<typeof waiting>, options: Partial<ExecutorOptions> = {}, abortSignal?: AbortSignal) =>
  new ToolExecutor({ tools: [tool], ...options }).call(
    { id: "c1", name: "waiting", arguments: {} },
    createRunScope(abortSignal === undefined ? {} : { abortSignal }),
  );

it("case 40: a tool that never settles is timed out, its signal aborted, and its late result ignored", async () => {
  let signal: AbortSignal | undefined;
  let finish: ((value: string) => void) | undefined;
  const late: string[] = [];
  const tool = waiting((_input, context) => {
    signal = context.abortSignal;
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  const result = await call(tool, { listeners: [{ lateResult: ({ outcome }) => late.push(outcome) }] });
  expect(result).toMatchObject({ errorType: "timeout_error", error: expect.stringMatching(/^Tool execution timed out after 50 ms/) });
  expect(signal?.aborted).toBe(true);
  finish?.("late");
  await new Promise(setImmediate);
  expect(late).toEqual(["returned"]);
});

it("case 41: the run's signal reaches the tool with the caller's reason", async () => {
  const controller = new AbortController();
  const reason = new Error("the user left");
  let seen: unknown;
  const tool = waiting(
    (_input, { abortSignal }) =>
      new Promise((resolve) => {
        abortSignal.addEventListener("abort", () => {
          seen = abortSignal.reason;
          resolve("stopped");
        });
        controller.abort(reason);
      }),
    10_000,
  );
  const script = new ScriptedModel([{ toolCalls: [{ name: "waiting", arguments: {} }] }, "done"]);
  @model(script)
  @usesTools([tool])
  class WaitingAgent extends Agent {}
  const response = await WaitingAgent.generate("go", { abortSignal: controller.signal });
  expect(seen).toBe(reason);
  expect(response.outcome.reason).toBe("aborted");
});

it("case 43: the message says that the tool was cancelled but may have finished, not that nothing happened", async () => {
  const timedOut = await call(waiting(() => new Promise(() => undefined), 10));
  expect(timedOut.error).toMatch(/was cancelled, but may have finished/);
  const controller = new AbortController();
  const cancelled = call(
    waiting(() => new Promise(() => undefined)),
    {},
    controller.signal,
  );
  await new Promise(setImmediate);
  controller.abort();
  expect((await cancelled).error).toMatch(/had started, and may have finished/);
});

it("case 44: a timeout that no timer can hold means none, instead of firing at once", async () => {
  for (const timeout of [2 ** 31, Number.POSITIVE_INFINITY]) {
    const slow = waiting(() => new Promise((resolve) => setTimeout(resolve, 20, "done")), timeout);
    expect(await call(slow)).toMatchObject({ data: "done" });
  }
});
