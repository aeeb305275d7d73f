import { createServer, type Server } from "node:http";
import { type AddressInfo, isIPv6 } from "node:net";
import { withinTime } from "../../timing/index.js";
import { warnProcess } from "../../redaction/internal.js";
import { toNodeHandler } from "../../web/index.js";
import { handlerFor } from "./mcp-handler.js";
import type { McpServing } from "./mcp-serving.js";
import type { McpAccess, McpServerOptions } from "./server-options.js";

/** Options of `serveMcp` for HTTP: where to listen and who has access. See docs/12-mcp.md. */
export interface McpHttpOptions extends McpAccess {
  /** The port. 0 chooses a free one. */
  readonly port: number;
  /** The address to listen on. Default: `127.0.0.1`, which only this machine can reach. */
  readonly host?: string;
  /** The path of the endpoint. Default: `/mcp`. */
  readonly path?: string;
}

/** Milliseconds for the last results to reach their clients. */
const flushTime = 500;

const loopback: readonly string[] = ["127.0.0.1", "localhost", "::1"];

/** Listens by itself. Rejects if the port is taken. */
export async function serveHttp(
  options: McpServerOptions,
  { port, host = "127.0.0.1", path = "/mcp", ...access }: McpHttpOptions,
  owner: string,
): Promise<McpServing> {
  const allowedHosts = access.allowedHosts ?? hostsOf(host, owner);
  const handler = await handlerFor({ ...options, ...access, ...(allowedHosts !== undefined && { allowedHosts }) }, owner);
  if (!loopback.includes(host) && access.verify === undefined) {
    warnProcess(`${owner}: "${options.name}" listens on ${host} without verify: anyone who can reach it may call its tools.`);
  }
  const server = createServer(
    toNodeHandler((request) => (new URL(request.url).pathname === path ? handler(request) : new Response("Not found\n", { status: 404 }))),
  );
  await listening(server, port, host);
  // It listens on a port, not on a pipe.
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${nameInUrl(host)}:${taken}${path}`,
    notifyToolsChanged: handler.notifyToolsChanged,
    close: async (options) => {
      const closed = new Promise((resolve) => server.close(resolve));
      await handler.close(options);
      // What is written to clients arrives; connections that wait for requests are closed by `server.close`.
      if ((options?.deadline ?? 0) > 0) await withinTime(closed, flushTime);
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The names by which a server that listens there is addressed, if they aren't those of the loopback. */
function hostsOf(host: string, owner: string): readonly string[] | undefined {
  if (loopback.includes(host)) return undefined;
  if (host !== "0.0.0.0" && host !== "::") return [nameInUrl(host)];
  throw new TypeError(
    `${owner}: host "${host}" is reached by any name. Say by which ones clients do, without ports: allowedHosts: ["tools.example.com"].`,
  );
}

const nameInUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host);

const listening = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
