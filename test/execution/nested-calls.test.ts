import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import {
  createTool,
  dependsOn,
  description,
  required,
  access,
  requiresConfirmation,
  Tool,
  ToolAuthorizationError,
  type ToolClass,
  type ToolContext,
  ToolExecutionError,
  ToolInputValidationError,
  ToolInterrupt,
} from "../../src/tool/index.js";
import { caller, recordingListener, rejection } from "./support.js";

@description("Looks up a price.")
class PriceTool extends Tool {
  @required(String)
  product!: string;

  call({ userId, callId, runId }: ToolContext) {
    if (this.product === "unknown") throw new Error("No such product");
    return { price: 5, userId, callId, runId };
  }
}

/** A tool that runs the given function, in which it may call others. */
const outer = (execute: (context: ToolContext) => unknown, depends: (string | ToolClass)[] = ["price_tool"], timeout = 10_000) =>
  createTool({
    name: "outer",
    description: "Calls others.",
    inputSchema: { type: "object" },
    dependsOn: depends,
    timeout,
    execute: (_input, context) => execute(context),
  });

describe("a tool that calls another", () => {
  it("gets its data, with the context and the run of its own call", async () => {
    const tool = outer(({ call }) => call(PriceTool, { product: "tea" }));
    const result = await caller(tool, {}, { runId: "run_1", toolContext: { userId: "u1" } })();
    expect(result.data).toEqual({ price: 5, userId: "u1", runId: "run_1", callId: "call_1/1" });
  });

  it.each<[string, (string | ToolClass)[]]>([
    ["class", [PriceTool]],
    ["name", ["price_tool"]],
    ["class and name", [PriceTool, "other_tool"]],
  ])("declares it by %s", async (_form, depends) => {
    const tool = outer(({ call }) => call(PriceTool, { product: "tea" }), depends);
    expect((await caller(tool)()).data).toMatchObject({ price: 5 });
    expect(tool.definition.dependsOn).toEqual(depends.map((one) => (typeof one === "string" ? one : "price_tool")));
  });

  it.each<[string, (string | ToolClass)[]]>([
    ["class", [PriceTool]],
    ["name", ["price_tool"]],
  ])("declares it by %s in @dependsOn", async (_form, depends) => {
    @description("Makes an offer.")
    @dependsOn(...depends)
    class OfferTool extends Tool {
      call({ call }: ToolContext) {
        return call(PriceTool, { product: "tea" });
      }
    }
    expect(OfferTool.definition.dependsOn).toEqual(["price_tool"]);
    expect((await caller(OfferTool)()).data).toMatchObject({ price: 5 });
  });

  it("gets data of any size: the cap is for models", async () => {
    const big = createTool({ name: "big", description: "Big.", inputSchema: { type: "object" }, execute: () => "x".repeat(200_000) });
    const tool = outer(async ({ call }) => String(await call(big, {})).length, ["big"]);
    expect((await caller(tool)()).data).toBe(200_000);
  });

  it("gets typed errors, which it may catch", async () => {
    const caught: unknown[] = [];
    const tool = outer(async ({ call }) => {
      for (const product of [7, "unknown"]) await call<ToolClass>(PriceTool, { product }).catch((error) => caught.push(error));
    });
    await caller(tool)();
    expect(caught[0]).toBeInstanceOf(ToolInputValidationError);
    expect(caught[1]).toBeInstanceOf(ToolExecutionError);
    expect(caught[1]).toMatchObject({ toolName: "price_tool", cause: expect.objectContaining({ message: "No such product" }) });
  });

  it("fails by what it doesn't catch", async () => {
    const tool = outer(({ call }) => call(PriceTool, { product: "unknown" }));
    expect(await caller(tool)()).toMatchObject({
      tool: "outer",
      errorType: "execution_error",
      error: expect.stringContaining("No such product"),
    });
  });

  it("does not time out itself when the other does", async () => {
    const execute = (_input: unknown, { abortSignal }: ToolContext) =>
      new Promise((resolve) => abortSignal.addEventListener("abort", () => resolve("late")));
    const slow = createTool({ name: "slow", description: "Slow.", inputSchema: { type: "object" }, timeout: 5, execute });
    const result = await caller(outer(({ call }) => call(slow, {}), ["slow"]))();
    expect(result).toMatchObject({ tool: "outer", errorType: "execution_error" });
  });

  it("passes its own deadline and the run's cancellation on", async () => {
    const seen: unknown[] = [];
    const patient = createTool({
      name: "patient",
      description: "Waits.",
      inputSchema: { type: "object" },
      execute: (_input, { abortSignal }) => new Promise(() => abortSignal.addEventListener("abort", () => seen.push(abortSignal.reason))),
    });
    await caller(outer(({ call }) => call(patient, {}), ["patient"], 5))();
    const controller = new AbortController();
    const pending = caller(
      outer(({ call }) => call(patient, {}), ["patient"]),
      {},
      { abortSignal: controller.signal },
    )();
    controller.abort("enough");
    await pending;
    expect(seen).toEqual([expect.objectContaining({ name: "ToolTimeoutError", toolName: "outer" }), "enough"]);
  });

  it("is recorded as a call of its own", async () => {
    const { listener, of } = recordingListener();
    await caller(
      outer(({ call }) => call(PriceTool, { product: "tea" })),
      { listeners: [listener] },
    )();
    expect(of("toolFinished").map(({ tool, callId }) => [tool, callId])).toEqual([
      ["price_tool", "call_1/1"],
      ["outer", "call_1"],
    ]);
  });

  it("passes an interrupt of the other through", async () => {
    @description("Pays.")
    @requiresConfirmation()
    class PayTool extends Tool {
      call() {}
    }
    const error = await rejection(caller(outer(({ call }) => call(PayTool, {}), ["pay_tool"]))());
    expect(error).toBeInstanceOf(ToolInterrupt);
    expect(error).toMatchObject({ toolName: "pay_tool", callId: "call_1/1" });
  });
});

describe("which tools a tool may call", () => {
  const run = (tools: ToolClass[], toolContext = {}) =>
    new ToolExecutor({ tools }).call({ id: "1", name: "outer", arguments: {} }, createRunScope({ toolContext }));

  it("those that the run may call, and those that it declares", async () => {
    const tool = (depends: string[]) => outer(({ call }) => call(PriceTool, { product: "tea" }), depends);
    expect((await run([tool([]), PriceTool])).error).toBeUndefined();
    expect((await run([tool(["price_tool"])])).error).toBeUndefined();
    expect(await run([tool([])])).toMatchObject({ errorType: "unauthorized" });
  });

  it("none that the context doesn't allow", async () => {
    @description("Refunds.")
    @access({ scopes: ["refund"] })
    class RefundTool extends Tool {
      call() {
        return "refunded";
      }
    }
    let caught: unknown;
    const tool = outer(({ call }) => call(RefundTool, {}).catch((error) => (caught = error)), ["refund_tool"]);
    await run([tool]);
    expect(caught).toBeInstanceOf(ToolAuthorizationError);
    caught = undefined;
    await run([tool], { scopes: ["refund"] });
    expect(caught).toBeUndefined();
  });

  it("not each other in a circle for ever", async () => {
    @description("Calls itself.")
    @dependsOn("endless_tool")
    class EndlessTool extends Tool {
      call(context: ToolContext): Promise<unknown> {
        return context.call(EndlessTool, {});
      }
    }
    expect((await caller(EndlessTool)()).error).toMatch(/10 levels deep.*circle/);
  });
});
