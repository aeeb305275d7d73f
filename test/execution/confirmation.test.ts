import { createRunScope, PreparedCall, ToolExecutor } from "../../src/execution/index.js";
import { createTool, type ToolDefinition, ToolInterrupt } from "../../src/tool/index.js";
import { isInterrupt } from "../../src/tool/internal.js";
import { rejection } from "./support.js";

let runs = 0;

beforeEach(() => {
  runs = 0;
});

function refund(requiresConfirmation: ToolDefinition["requiresConfirmation"]) {
  const tool = createTool({
    name: "refund",
    description: "Refunds.",
    inputSchema: { type: "object", properties: { amount: { type: "number" }, apiKey: { type: "string" } }, required: ["amount"] },
    requiresConfirmation,
    execute: () => {
      runs += 1;
      return "refunded";
    },
  });
  const executor = new ToolExecutor({ tools: [tool] });
  return (input: object, toolContext = {}) =>
    executor.call({ id: "call_1", name: "refund", arguments: input as never }, createRunScope({ toolContext }));
}

describe('seed 003, "requiresConfirmation"', () => {
  it("stops the call by an interrupt that says what is asked, before the tool runs", async () => {
    const error = await rejection(refund(true)({ amount: 5, apiKey: "k" }));
    expect(error).toBeInstanceOf(ToolInterrupt);
    expect(isInterrupt(error)).toBe(true);
    expect(error).toMatchObject({
      toolName: "refund",
      callId: "call_1",
      request: { tool: "refund", input: { amount: 5, apiKey: "[redacted]" } },
    });
    expect(runs).toBe(0);
  });

  it("is not asked of invalid calls", async () => {
    expect((await refund(true)({})).errorType).toBe("validation_error");
  });

  it.each([
    ["", (input: Record<string, unknown>) => Number(input.amount) > 100],
    [", also later", async (input: Record<string, unknown>) => Number(input.amount) > 100],
  ])("may depend on the arguments%s", async (_when, rule) => {
    expect((await refund(rule)({ amount: 50 })).data).toBe("refunded");
    expect(await rejection(refund(rule)({ amount: 500 }))).toBeInstanceOf(ToolInterrupt);
  });

  it("may depend on the context", async () => {
    const rule: ToolDefinition["requiresConfirmation"] = (_input, context) => context.userId !== "boss";
    expect((await refund(rule)({ amount: 5 }, { userId: "boss" })).data).toBe("refunded");
    expect(await rejection(refund(rule)({ amount: 5 }, { userId: "clerk" }))).toBeInstanceOf(ToolInterrupt);
  });

  it("case 47: calls the rule once per call, and prepare returns its answer without running the tool", async () => {
    const rule = jest.fn(() => true);
    const tool = createTool({
      name: "t",
      description: "T.",
      inputSchema: { type: "object" },
      requiresConfirmation: rule,
      execute: () => (runs += 1),
    });
    const executor = new ToolExecutor({ tools: [tool] });
    const prepared = await executor.prepare({ id: "1", name: "t", arguments: {} }, createRunScope());
    expect(prepared).toBeInstanceOf(PreparedCall);
    expect((prepared as PreparedCall).requiresConfirmation).toBe(true);
    await rejection(executor.execute(prepared as PreparedCall));
    expect(rule).toHaveBeenCalledTimes(1);
    expect(runs).toBe(0);
  });

  it("has the tool's timeout and ends with the run, where the rule never answers", async () => {
    const tool = createTool({
      name: "t",
      description: "T.",
      inputSchema: { type: "object" },
      timeout: 10,
      requiresConfirmation: () => new Promise(() => {}),
      execute: () => (runs += 1),
    });
    const executor = new ToolExecutor({ tools: [tool] });
    const request = { id: "1", name: "t", arguments: {} };
    expect((await executor.call(request, createRunScope())).errorType).toBe("timeout_error");
    const controller = new AbortController();
    const pending = executor.call(request, createRunScope({ abortSignal: controller.signal }));
    controller.abort();
    expect((await pending).error).toBe("Request was cancelled");
    expect(runs).toBe(0);
  });

  it("keeps the gate shut where the rule fails or forgets to answer", async () => {
    const failing = await refund(() => {
      throw new Error("rule broke");
    })({ amount: 5 });
    expect(failing).toMatchObject({ errorType: "unhandled_error", error: "rule broke" });
    expect((await refund(() => Promise.reject(new Error("rule broke later")))({ amount: 5 })).error).toBe("rule broke later");
    expect(await rejection(refund((() => undefined) as never)({ amount: 5 }))).toBeInstanceOf(ToolInterrupt);
    expect(runs).toBe(0);
  });
});
