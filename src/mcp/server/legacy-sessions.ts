import { randomUUID } from "node:crypto";
import type { AuthInfo, McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { ProtocolServers } from "./protocol-servers.js";
import { refusal } from "./refusal.js";
import { shareOfUser, whenEnded } from "./user-shares.js";

/** What the SDK is given beside a request. */
interface RequestOptions {
  readonly authInfo?: AuthInfo;
  readonly parsedBody?: unknown;
}

interface Session {
  readonly mcp: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly user: string;
  /** Requests whose answers are still being sent: a call that runs, or waits for a person. */
  answering: number;
}

/** Open at a time; clients that leave without a word would otherwise fill the memory. */
const mostSessions = 1_000;

/**
 * Serves clients of the revisions before 2026-07-28 over HTTP. They hold a session, without which the server could neither ask
 * them anything nor learn that a call is cancelled. A session grants nothing: each request identifies its caller again.
 */
export class LegacySessions {
  readonly #servers: ProtocolServers;
  /** The one that was used last is the last. */
  readonly #sessions = new Map<string, Session>();

  constructor(servers: ProtocolServers) {
    this.#servers = servers;
  }

  /** `user`: who makes this request, in the application's view. */
  async handle(request: Request, options: RequestOptions, user: string): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return this.#begin(request, options, user);
    const session = this.#sessions.get(id);
    // The session of somebody else doesn't exist for this one.
    if (session === undefined || session.user !== user) return notFound();
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return answer(session, request, options);
  }

  toolsChanged(): void {
    // The client left.
    for (const { mcp } of this.#sessions.values()) mcp.server.sendToolListChanged().catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ mcp }) => mcp.close()));
  }

  /** The transport starts a session for an `initialize` request, and rejects everything else. */
  async #begin(request: Request, options: RequestOptions, user: string): Promise<Response> {
    const mcp = await this.#servers.create({ era: "legacy" });
    const transport: WebStandardStreamableHTTPServerTransport = new this.#servers.sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#keep(id, { mcp, transport, user, answering: 0 }),
      onsessionclosed: (id) => void this.#sessions.delete(id),
    });
    await mcp.connect(transport);
    const response = await transport.handleRequest(request, options);
    if (transport.sessionId === undefined) await mcp.close();
    return response;
  }

  #keep(id: string, session: Session): void {
    const leaving = this.#leavingFor(session.user);
    if (leaving !== undefined) {
      this.#sessions.delete(leaving[0]);
      void leaving[1].mcp.close();
    }
    this.#sessions.set(id, session);
  }

  /** Which session makes room for another of the user, if one must: the one unused the longest, of the same user first, none that is busy. */
  #leavingFor(user: string): [id: string, session: Session] | undefined {
    const all = [...this.#sessions];
    // Those who aren't known may be many.
    const own = user === "" ? [] : all.filter(([, session]) => session.user === user);
    const isIdle = ([, { mcp, answering }]: [string, Session]): boolean => answering === 0 && !this.#servers.isCalling(mcp);
    if (own.length >= shareOfUser) return own.find(isIdle) ?? own[0];
    if (all.length >= mostSessions) return own.find(isIdle) ?? all.find(isIdle) ?? own[0] ?? all[0];
    return undefined;
  }
}

async function answer(session: Session, request: Request, options: RequestOptions): Promise<Response> {
  const response = await session.transport.handleRequest(request, options);
  // A GET is a stream for what no request asks for: it may be open for ever.
  if (request.method !== "POST" || response.body === null) return response;
  session.answering += 1;
  return whenEnded(response, () => {
    session.answering -= 1;
  });
}

/** The client begins a new session then (revision 2025-11-25, "Session Management"). */
const notFound = (): Response => refusal(404, -32_001, "Session not found");
