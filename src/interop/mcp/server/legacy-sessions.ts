import { randomUUID } from "node:crypto";
import type { AuthInfo, McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { ProtocolServers } from "./protocol-servers.js";

interface Session {
  readonly mcp: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly user: string;
}

/** More are open at a time nowhere; clients that leave without a word would otherwise fill the memory. */
const mostSessions = 1_000;

/**
 * Serves clients of the revisions before 2026-07-28 over HTTP. They hold a session, without which the server could neither ask
 * them anything nor hear that a call is cancelled. A session grants nothing: every request says again who calls.
 */
export class LegacySessions {
  readonly #servers: ProtocolServers;
  /** The one that was used last is the last. */
  readonly #sessions = new Map<string, Session>();

  constructor(servers: ProtocolServers) {
    this.#servers = servers;
  }

  async handle(request: Request, authInfo: AuthInfo | undefined): Promise<Response> {
    const options = authInfo === undefined ? {} : { authInfo };
    const user = await this.#userOf(request, options);
    if (user === undefined) return failed();
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request, options, user);
    const session = this.#sessions.get(id);
    // The session of somebody else doesn't exist for this one.
    if (session === undefined || session.user !== user) return notFound();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session.transport.handleRequest(request, options);
  }

  toolsChanged(): void {
    // Who left meanwhile hears nothing.
    for (const { mcp } of this.#sessions.values()) mcp.server.sendToolListChanged().catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ mcp }) => mcp.close()));
  }

  /** `undefined` where the application failed to say it. */
  async #userOf(request: Request, options: { readonly authInfo?: AuthInfo }): Promise<string | undefined> {
    const { application } = this.#servers;
    try {
      return (await application.identify({ ...options, req: request })).user;
    } catch (error) {
      application.report(error);
      return undefined;
    }
  }

  /** The transport begins a session where it is asked to initialize one, and refuses everything else. */
  async #begin(request: Request, options: { readonly authInfo?: AuthInfo }, user: string): Promise<Response> {
    const mcp = await this.#servers.create({ era: "legacy" });
    const transport: WebStandardStreamableHTTPServerTransport = new this.#servers.sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#keep(id, { mcp, transport, user }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await mcp.connect(transport);
    const response = await transport.handleRequest(request, options);
    if (transport.sessionId === undefined) await mcp.close();
    return response;
  }

  #keep(id: string, session: Session): void {
    const [oldest] = this.#sessions;
    if (oldest !== undefined && this.#sessions.size >= mostSessions) {
      this.#sessions.delete(oldest[0]);
      void oldest[1].mcp.close();
    }
    this.#sessions.set(id, session);
  }
}

/** The client begins a new session then (revision 2025-11-25, "Session Management"). */
const notFound = (): Response => refusal(404, -32_001, "Session not found");

const failed = (): Response => refusal(500, -32_603, "Internal error");

const refusal = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
