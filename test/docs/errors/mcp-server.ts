import { type McpHandlerOptions, mcpHandler, type ServeMcpOptions, serveMcp } from "../../../src/mcp/index.js";
import { createRegistry } from "../../../src/registry/index.js";
import { type Example, errorOf, firstLine, warningOf } from "./example.js";

const shop = { name: "shop", version: "1.0.0", tools: [] };

const listTools = (): Request =>
  new Request("http://localhost/mcp", {
    method: "POST",
    headers: { host: "localhost", authorization: "Bearer token", "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });

/** The errors of wrong options when tools are served over MCP. */
export const mcpOptionErrors: readonly Example[] = [
  () => errorOf(() => mcpHandler({ ...shop, tools: undefined, registry: createRegistry() } as unknown as McpHandlerOptions)),
  () => errorOf(() => serveMcp({ ...shop, transport: { port: 0, host: "0.0.0.0" } })),
];

/** A server warns if the application gave it no handler, and of what can't be meant. */
export const mcpWarnings: readonly Example[] = [
  async () => {
    const verify = (): never => {
      throw new Error("disk full");
    };
    return firstLine(await warningOf(async () => (await mcpHandler({ ...shop, verify }))(listTools())));
  },
  () =>
    warningOf(async () => {
      const options: ServeMcpOptions = { ...shop, transport: { port: 0, host: "0.0.0.0", allowedHosts: ["tools.example.com"] } };
      await (await serveMcp(options)).close();
    }),
];
