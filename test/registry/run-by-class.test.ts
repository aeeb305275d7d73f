import {
  description,
  exclusive,
  identifier,
  required,
  access,
  Tool,
  ToolAuthorizationError,
  ToolInterrupt,
  type ToolListener,
  ToolNotFoundError,
} from "../../src/tool/index.js";
import { registryOf, tool } from "./support.js";

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@exclusive()
class RefundTool extends Tool {
  @required(String) order!: string;

  call() {
    return { refunded: this.order };
  }
}

@access({ roles: ["boss"] })
class LargeRefundTool extends RefundTool {}

const registry = registryOf({ billing: [RefundTool], shop: [tool("refund")] });
const both = registryOf({ billing: [RefundTool], shop: [RefundTool] });

/** The names under which the executor's listeners heard of calls. */
function names(): ToolListener & { readonly heard: string[] } {
  const heard: string[] = [];
  return { heard, toolFinished: ({ tool: name }) => void heard.push(name) };
}

describe("a tool of a registry, called by its class", () => {
  it("is the one that was added, with the types of the class", async () => {
    const { refunded } = await registry.executor({ allowedTools: ["*"] }).run(RefundTool, { order: "A-17" });
    expect(refunded.toUpperCase()).toBe("A-17");
  });

  it("has its full name for listeners and in errors", async () => {
    const listener = names();
    const executor = registry.executor({ allowedTools: ["*"] }, { listeners: [listener] });
    await executor.run(RefundTool, { order: "A-17" });
    await expect(executor.run(RefundTool, {})).rejects.toThrow("Invalid input provided for tool: billing/refund: order is required");
    expect(listener.heard).toEqual(["billing/refund", "billing/refund"]);
  });

  it("is the first that the profile allows, if several toolboxes have the class", async () => {
    for (const [allowed, called] of [
      ["*", "billing/refund"],
      ["billing/*", "billing/refund"],
      ["shop/*", "shop/refund"],
    ] as const) {
      const listener = names();
      await both.executor({ allowedTools: [allowed] }, { listeners: [listener] }).run(RefundTool, { order: "A-17" });
      expect(listener.heard).toEqual([called]);
    }
  });

  it("is the one of its name, if the registry's own class for that name is given", async () => {
    const listener = names();
    const executor = both.executor({ allowedTools: ["*"] }, { listeners: [listener] });
    expect(await executor.run(both.tool("shop/refund"), { order: "A-17" })).toEqual({ refunded: "A-17" });
    expect(listener.heard).toEqual(["shop/refund"]);
    const billing = both.executor({ allowedTools: ["billing/*"] });
    await expect(billing.run(both.tool("shop/refund"), { order: "A-17" })).rejects.toThrow("Permission denied for tool: shop/refund");
  });

  it("is denied if the profile doesn't allow it, and listeners receive the denied call", async () => {
    const listener = names();
    const executor = registry.executor({ allowedTools: ["shop/*"] }, { listeners: [listener] });
    await expect(executor.run(RefundTool, { order: "A-17" })).rejects.toThrow(ToolAuthorizationError);
    await expect(registry.executor().run(RefundTool, { order: "A-17" })).rejects.toThrow("No tools allowed in current context");
    expect(listener.heard).toEqual(["billing/refund"]);
  });

  it("is denied if it requires more than the context has", async () => {
    const executor = registryOf({ billing: [LargeRefundTool] }).executor({ allowedTools: ["*"] });
    await expect(executor.run(LargeRefundTool, { order: "A-17" })).rejects.toThrow(ToolAuthorizationError);
    expect(await executor.run(LargeRefundTool, { order: "A-17" }, { toolContext: { roles: ["boss"] } })).toEqual({ refunded: "A-17" });
  });

  it("is never another one of the same name", async () => {
    const others = registryOf({ "": [tool("refund")] }).executor({ allowedTools: ["*"] });
    await expect(others.run(RefundTool, { order: "A-17" })).rejects.toThrow(ToolNotFoundError);
    await expect(others.run(RefundTool, { order: "A-17" })).rejects.toThrow(
      "Tool not found in registry: refund. RefundTool isn't one of its tools. Add it: createWorkspace().addTool(RefundTool).",
    );
  });
});

describe("a call of a registry's tool that needs a confirmation", () => {
  const executor = registryOf({ bank: [tool("wire", { requiresConfirmation: true }), tool("drop")] }).executor({
    allowedTools: ["bank/wire"],
  });

  it("is run once a person has said yes", async () => {
    await expect(executor.run("wire", {})).rejects.toThrow(ToolInterrupt);
    await expect(executor.run("wire", {}, { decided: false })).rejects.toThrow(ToolInterrupt);
    await expect(executor.run("wire", {}, { decided: undefined as never })).rejects.toThrow(ToolInterrupt);
    expect(await executor.run("wire", {}, { decided: true })).toBe("wire");
  });

  it("isn't allowed by that", async () => {
    await expect(executor.run("drop", {}, { decided: true })).rejects.toThrow(ToolAuthorizationError);
  });
});
