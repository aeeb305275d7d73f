import { createGate } from "./access.js";
import { checkHandlerOptions } from "./check-server-options.js";
import { LegacySessions } from "./legacy-sessions.js";
import { ListeningShares } from "./user-shares.js";
import { loadServer } from "./load-server.js";
import { checkCloseOptions, type CloseOptions } from "./mcp-serving.js";
import { ProtocolServers } from "./protocol-servers.js";
import { refusal } from "./refusal.js";
import { ServedApplication } from "./served-application.js";
import { BodyIntake } from "../../web/internal.js";
import { largestBody, readMessage } from "./read-message.js";
import type { McpAccess, McpServerOptions } from "./server-options.js";

/** Options of `mcpHandler`. See docs/12-mcp.md. */
export type McpHandlerOptions = McpServerOptions & McpAccess;

/** An MCP endpoint as a web handler: a function from `Request` to `Response`, for all revisions of the protocol. */
export interface McpHandler {
  (request: Request): Promise<Response>;
  /** Notifies subscribed clients that their list of tools may have changed. */
  notifyToolsChanged(): void;
  /** Ends all calls and sessions. Later requests get status 503. Calls under way may end first, if there is a `deadline`. */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * Serves tools over MCP inside your own HTTP server. Mount the handler for all methods of its path.
 *
 * ```ts
 * const mcp = await mcpHandler({ name: "shop", version: "1.0.0", tools: [RefundTool], verify, allowedHosts: ["shop.example"] });
 * app.all("/mcp", toNodeHandler(mcp));
 * ```
 *
 * `toNodeHandler` of `toolwright/web` converts it for `node:http`, Express and Nest.
 *
 * - 401: `verify` rejects the token.
 * - 403: the request is for another host, or from a page of another site. By default only the loopback address is allowed; set
 *   `allowedHosts` and `allowedOrigins`.
 *
 * Rejects if `@modelcontextprotocol/server` isn't installed, with `ToolDefinitionError` for invalid tools, and with `TypeError` or
 * `RangeError` for invalid options. See docs/12-mcp.md.
 */
export async function mcpHandler(options: McpHandlerOptions): Promise<McpHandler> {
  const owner = "mcpHandler";
  checkHandlerOptions(options, owner);
  return handlerFor(options, owner);
}

/** `owner` begins the errors. */
export async function handlerFor(options: McpHandlerOptions, owner: string): Promise<McpHandler> {
  // Before anything is awaited: it takes the container that is named now.
  const application = new ServedApplication(options, owner);
  const sdk = await loadServer(owner);
  const servers = new ProtocolServers(sdk, application);
  const gate = createGate(sdk, options, (error) => application.report(error), owner);
  const sessions = new LegacySessions(servers);
  const modern = sdk.createMcpHandler((context) => servers.create(context), { legacy: "reject" });
  const listening = new ListeningShares();
  const bodies = new BodyIntake(largestBody);
  let closed = false;
  const handle = async (request: Request): Promise<Response> => {
    if (closed) return new Response("Closed\n", { status: 503 });
    application.receive(request);
    const entered = await gate(request);
    if (entered instanceof Response) return entered;
    const auth = entered === undefined ? {} : { authInfo: entered };
    let user: string;
    try {
      ({ user } = await application.identify({ ...auth, req: request }));
    } catch (error) {
      application.report(error);
      return refusal(500, -32_603, "Internal error");
    }
    const message = request.method === "POST" ? await readMessage(bodies, request, user) : {};
    if (message instanceof Response) return message;
    // Read here, once: the SDK would hold copies of it for as long as its end takes to come.
    const options = { ...auth, ...message };
    const isLegacy = await sdk.isLegacyRequest(request, message.parsedBody);
    const answer = (): Promise<Response> => modern.fetch(request, options);
    // A header that says something else than the body is refused by the SDK.
    if (!isLegacy && request.headers.get("mcp-method") !== "subscriptions/listen") return answer();
    return isLegacy ? sessions.handle(request, options, user) : listening.serve(user, answer);
  };
  return Object.assign(handle, {
    notifyToolsChanged: () => {
      modern.notify.toolsChanged();
      sessions.toolsChanged();
    },
    close: async (options: CloseOptions = {}) => {
      checkCloseOptions(options);
      closed = true;
      await servers.finish(options);
      await Promise.all([modern.close(), sessions.close()]);
    },
  });
}
