/** A call over MCP, in memory, of a tool that Toolwright serves and of the same one in the official SDK's own server. */
import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { serveMcp } from "toolwright/mcp";
import { z } from "zod";
import { description, name, searchOrders, statuses, validArguments, zipPattern } from "./fixture.mjs";

const shape = z.strictObject({
  customer: z.string().min(1).describe("Customer name"),
  status: z.enum(statuses).default("open").describe("Order status"),
  limit: z.int().min(1).max(100).default(10).describe("Most orders to return"),
  tags: z.array(z.string()).optional().describe("Tags"),
  address: z.strictObject({ street: z.string(), zip: z.string().regex(new RegExp(zipPattern)) }).optional(),
});

function officialServer() {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool(name, { description, inputSchema: shape }, async (input) => ({
    content: [{ type: "text", text: searchOrders(input) }],
  }));
  return server;
}

/** The text that a call gives, by a client of its own. */
async function caller(serve) {
  const [one, other] = InMemoryTransport.createLinkedPair();
  await serve(other);
  const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(one);
  return async () => (await client.callTool({ name, arguments: validArguments })).content[0].text;
}

export const mcpCallers = async (toolClass) => ({
  served: await caller((transport) => serveMcp({ name: "bench", version: "1.0.0", tools: [toolClass], transport })),
  official: await caller((transport) => serveStdio(officialServer, { transport })),
});
