import { mcpToolbox } from "../../../src/mcp/index.js";

jest.mock("@modelcontextprotocol/client", () => {
  throw Object.assign(new Error("Cannot find module '@modelcontextprotocol/client'"), { code: "MODULE_NOT_FOUND" });
});
jest.mock("@modelcontextprotocol/client/stdio", () => {
  throw Object.assign(new Error("Cannot find module '@modelcontextprotocol/client/stdio'"), { code: "MODULE_NOT_FOUND" });
});

describe("without @modelcontextprotocol/client", () => {
  it.each([[{ command: "node" }], [{ url: "http://127.0.0.1:9/mcp" }]])("mcpToolbox of %j says what to install", async (server) => {
    await expect(mcpToolbox(server, { prefix: "box" })).rejects.toThrow(
      "mcpToolbox needs the package @modelcontextprotocol/client, which isn't installed: npm install @modelcontextprotocol/client",
    );
  });
});
