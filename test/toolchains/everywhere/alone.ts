import { createTool } from "toolwright";
import { mcpHandler, mcpToolbox } from "toolwright/mcp";
import "toolwright/web";
import { type Check, outcomesOf, readmeProgram, refusal } from "./readme.js";

/** The library with nothing beside it: what needs an optional peer says which. */
const mcp = (title: string, start: () => Promise<unknown>): Check => ({
  title,
  run: () =>
    start().then(
      () => undefined,
      (error: unknown) => refusal(error, "npm install @modelcontextprotocol/"),
    ),
});

const echo = createTool("echo", "Repeats a text. Use in tests.", { type: "object" }, () => "heard");

const checks = [
  readmeProgram,
  mcp("MCP server", () => mcpHandler({ name: "alone", version: "1.0.0", tools: [echo] })),
  mcp("MCP client", () => mcpToolbox({ url: "http://localhost:1/mcp" }, { prefix: "alone" })),
];

void outcomesOf(checks).then((lines) => {
  console.log(lines);
  process.exit();
});
