import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveMcp } from "../../src/mcp/index.js";
import type { ToolClass } from "../../src/tool/index.js";
import type { Door, DoorCall, DoorOptions } from "./door.js";
import { settingsOf } from "./own-doors.js";

/** The official client, over a transport in this process. */
export const mcpDoor: Door = {
  name: "MCP",
  told: async (tools, options) => withClient(tools, async (client) => (await client.listTools()).tools.length, options),
  run: async (tools, calls, options) => withClient(tools, (client) => callAll(client, calls, options?.abortSignal), options),
};

async function callAll(client: Client, calls: readonly DoorCall[], signal: AbortSignal | undefined): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { tool, arguments: input } of calls) {
    const request = { name: tool.identifier, arguments: input as Record<string, unknown> };
    const called = client.callTool(request, signal === undefined ? {} : { signal });
    texts.push(
      await called.then(
        ({ content }) => (content[0]?.type === "text" ? content[0].text : JSON.stringify(content)),
        (error: Error) => error.message,
      ),
    );
  }
  return texts;
}

async function withClient<Result>(
  tools: readonly ToolClass[],
  work: (client: Client) => Promise<Result>,
  { toolContext, answer, ...options }: DoorOptions = {},
): Promise<Result> {
  const [one, other] = InMemoryTransport.createLinkedPair();
  const serving = await serveMcp({
    ...settingsOf(options),
    name: "tools",
    version: "1.0.0",
    tools,
    transport: other,
    ...(toolContext !== undefined && { toolContext: () => toolContext }),
  });
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
      ...(answer !== undefined && { capabilities: { elicitation: { form: {} } } }),
    },
  );
  if (answer !== undefined) {
    client.setRequestHandler("elicitation/create", () =>
      answer() === "yes" ? { action: "accept", content: { approve: true } } : { action: "decline" },
    );
  }
  try {
    await client.connect(one);
    return await work(client);
  } finally {
    await client.close();
    await serving.close();
  }
}
