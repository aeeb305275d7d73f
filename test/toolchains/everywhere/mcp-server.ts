import { createTool } from "toolwright";
import { serveMcp } from "toolwright/mcp";

/** The server of the check "MCP over stdio". */
const echo = createTool({
  name: "echo",
  description: "Repeats a text. Use in tests.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const,
  execute: ({ text }) => `heard ${text}`,
});

void serveMcp({ name: "everywhere", version: "1.0.0", tools: [echo], transport: "stdio" });
