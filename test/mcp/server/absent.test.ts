import { createTool } from "../../../src/index.js";
import { mcpHandler, serveMcp } from "../../../src/mcp/index.js";

jest.mock("@modelcontextprotocol/server", () => {
  throw Object.assign(new Error("Cannot find module '@modelcontextprotocol/server'"), { code: "MODULE_NOT_FOUND" });
});

describe("without @modelcontextprotocol/server", () => {
  const served = { name: "shop", version: "1.0.0", tools: [createTool("hello", "Says hello.", { type: "object" }, () => "Hello.")] };
  const missing = "needs the package @modelcontextprotocol/server, which isn't installed: npm install @modelcontextprotocol/server";

  it("serveMcp says what to install", async () => {
    await expect(serveMcp({ ...served, transport: "stdio" })).rejects.toThrow(`serveMcp ${missing}`);
    await expect(serveMcp({ ...served, transport: { port: 0 } })).rejects.toThrow(`serveMcp ${missing}`);
  });

  it("mcpHandler says it when it is called, not when a request comes", async () => {
    await expect(mcpHandler(served)).rejects.toThrow(`mcpHandler ${missing}`);
  });
});
