import type { Transport } from "@modelcontextprotocol/server";
import { checkServeOptions, isTransport } from "./check-server-options.js";
import { loadServer, loadStdio } from "./load-server.js";
import type { McpServing } from "./mcp-serving.js";
import { ProtocolServers } from "./protocol-servers.js";
import { serveConnection, serveStandardStreams } from "./serve-connection.js";
import { type McpHttpOptions, serveHttp } from "./serve-http.js";
import { ServedApplication } from "./served-application.js";
import type { McpServerOptions } from "./server-options.js";

/** A transport of the MCP SDK for one connection, such as `InMemoryTransport`. */
export interface McpTransport {
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Options of `serveMcp`. See docs/12-mcp.md. */
export type ServeMcpOptions = McpServerOptions & {
  /** `"stdio"` for the process that started this one, HTTP options to listen on a port, or a transport for one connection. */
  readonly transport: "stdio" | McpHttpOptions | McpTransport;
};

/**
 * Serves tools over MCP. Supports revision 2026-07-28 and earlier ones; calls go through the executor.
 *
 * ```ts
 * await serveMcp({ name: "weather", version: "1.0.0", tools: [WeatherTool], transport: "stdio" });
 * const { url } = await serveMcp({ name: "weather", version: "1.0.0", tools: [WeatherTool], transport: { port: 3000 } });
 * ```
 *
 * Over stdio, everything that the tools print goes to standard error, and the process ends when the client closes standard input.
 *
 * Rejects if `@modelcontextprotocol/server` isn't installed, with `ToolDefinitionError` for invalid tools, `TypeError` or
 * `RangeError` for invalid options, and Node's error if the port is in use. See docs/12-mcp.md.
 */
export async function serveMcp(options: ServeMcpOptions): Promise<McpServing> {
  const owner = "serveMcp";
  checkServeOptions(options, owner);
  const { transport, ...served } = options;
  if (transport === "stdio") return serveStandardStreams(served, owner);
  if (!isTransport(transport)) return serveHttp(served, transport, owner);
  const application = new ServedApplication(served, owner);
  const servers = new ProtocolServers(await loadServer(owner), application);
  // The public type names what the SDK's has, because the SDK may be absent when this entry's declarations are read.
  return serveConnection(servers, await loadStdio(owner), transport as unknown as Transport);
}
