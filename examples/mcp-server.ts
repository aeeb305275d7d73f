/**
 * A tool class as an MCP server over stdio. `serve` is what a client starts; in the configuration of one, with the class
 * compiled: { "command": "node", "args": ["weather-server.js", "serve"] }. Without it, the example is its own client, and
 * shows what one sees.
 */
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { description, identifier, required, Tool, tool } from "toolwright";
import { serveMcp } from "toolwright/mcp";

@identifier("get_weather")
@description("Gets the current weather for a city. Use when the user asks about weather now.")
@tool({ category: "read", effect: "none" })
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  call() {
    return { city: this.city, degrees: 21, sky: "sunny" };
  }
}

if (process.argv.includes("serve")) {
  await serveMcp({ name: "weather", version: "1.0.0", tools: [WeatherTool], transport: "stdio" });
} else {
  const client = new Client({ name: "example", version: "1.0.0" });
  const args = [...process.execArgv, fileURLToPath(import.meta.url), "serve"];
  // What compiles it on the fly, and no other variable of this process: they may hold keys.
  const { SWC_NODE_PROJECT = "tsconfig.json" } = process.env;
  const env = { SWC_NODE_PROJECT };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
  for (const { name, title, annotations } of (await client.listTools()).tools) console.log(`${name} (${title})`, annotations);
  for (const input of [{ city: "Paris" }, { town: "Paris" }]) {
    const { content, isError } = await client.callTool({ name: "get_weather", arguments: input });
    console.log(isError ? "refused:" : "result:", (content[0] as { text: string }).text);
  }
  await client.close();
}
