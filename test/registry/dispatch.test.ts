import { HttpTool, http } from "../../src/http/index.js";
import { type McpServing, type McpToolbox, mcpToolbox, serveMcp } from "../../src/mcp/index.js";
import { createRegistry, createWorkspace, type ToolRegistry } from "../../src/registry/index.js";
import { createTool, description, identifier, required, Tool, ToolInputValidationError } from "../../src/tool/index.js";
import { type Api, answerWith, startApi } from "../http/support.js";

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
class RefundTool extends Tool {
  @required(String) order!: string;

  call() {
    return `Refunded ${this.order}.`;
  }
}

const track = createTool({
  name: "track",
  description: "Tracks an order. Use when the user asks where it is.",
  inputSchema: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
  execute: ({ order }) => `${String(order)} is on its way.`,
});

describe('seed 004, "Execution Service": the registry calls every kind of tool in one way', () => {
  let api: Api;
  let serving: McpServing;
  let remote: McpToolbox;
  let registry: ToolRegistry;

  beforeAll(async () => {
    api = await startApi();
    api.answer = answerWith({ lines: 2 });

    @identifier("invoice")
    @description("Gets the invoice of an order. Use when the user asks for it.")
    @http({ method: "GET", url: `${api.url}/invoices/{order}` })
    class InvoiceTool extends HttpTool {
      @required(String) order!: string;
    }

    serving = await serveMcp({ name: "warehouse", version: "1.0.0", tools: [RefundTool], transport: { port: 0 } });
    remote = await mcpToolbox({ url: String(serving.url) }, { prefix: "warehouse" });
    const project = createWorkspace().toolbox("shop").addTool(RefundTool).addTool(track).addTool(InvoiceTool).toolbox(remote).build();
    registry = createRegistry({ project });
  });

  afterAll(async () => {
    await remote?.close();
    await serving?.close();
    await api?.close();
  });

  it.each([
    ["a class", "shop/refund", "Refunded A-17."],
    ["a function", "shop/track", "A-17 is on its way."],
    ["an HTTP request", "shop/invoice", { lines: 2 }],
    ["a tool of an MCP server", "warehouse/warehouse_refund", "Refunded A-17."],
  ])("%s", async (_kind, name, data) => {
    const executor = registry.executor({ allowedTools: ["shop/*", "warehouse/*"] });
    expect(await executor.run(name, { order: "A-17" })).toEqual(data);
    await expect(executor.run(name, {})).rejects.toThrow(ToolInputValidationError);
  });
});
