import type { McpServer, Transport } from "@modelcontextprotocol/server";
import { takeStdout } from "./guarded-stdout.js";
import { loadServer, loadStdio, type Stdio } from "./load-server.js";
import { checkCloseOptions, type McpServing } from "./mcp-serving.js";
import { ProtocolServers } from "./protocol-servers.js";
import { ServedApplication } from "./served-application.js";
import type { McpServerOptions } from "./server-options.js";

/** Serves one connection over a transport of the SDK, whichever revision its client opens it with. */
export function serveConnection(servers: ProtocolServers, { serveStdio }: Stdio, transport: Transport): McpServing {
  const connected = new Set<McpServer>();
  const handle = serveStdio(
    async (context) => {
      const mcp = await servers.create(context);
      connected.add(mcp);
      mcp.server.onclose = () => connected.delete(mcp);
      return mcp;
    },
    { transport },
  );
  return {
    notifyToolsChanged: () => {
      // The client left.
      for (const { server } of connected) server.sendToolListChanged().catch(() => undefined);
    },
    close: async (options = {}) => {
      checkCloseOptions(options);
      await servers.finish(options);
      await handle.close();
    },
  };
}

/** How long a process may go on that something still holds after its client left, in milliseconds. */
const patience = 2_000;

/**
 * Serves the process that started this one. When standard input ends, pending calls are aborted and the process ends. Standard
 * output is taken at once: nothing that the application prints from now on may come before the protocol.
 */
export async function serveStandardStreams(options: McpServerOptions, owner: string): Promise<McpServing> {
  const { stream, release } = takeStdout();
  try {
    const application = new ServedApplication(options, owner);
    const servers = new ProtocolServers(await loadServer(owner), application);
    const stdio = await loadStdio(owner);
    const connection = serveConnection(servers, stdio, new stdio.StdioServerTransport(process.stdin, stream));
    // The timer by itself holds nothing: it is for a process that a pool of connections, or a tool that ignores its signal, would keep.
    const leave = (): void => void setTimeout(() => process.exit(), patience).unref();
    process.stdin.once("end", leave).once("close", leave);
    return {
      notifyToolsChanged: connection.notifyToolsChanged,
      close: async (options) => {
        process.stdin.off("end", leave).off("close", leave);
        await connection.close(options);
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
