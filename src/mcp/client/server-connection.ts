import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/client";
import type { ToolContext } from "../../tool/index.js";
import { namedValues } from "./mcp-server-address.js";
import { Backoff } from "./backoff.js";
import { callInRounds } from "./call-rounds.js";
import type { CallUnderWay, OnMcpElicitation } from "./elicitation.js";
import { forDeveloper, explainFailure, type FailureReader, forModel, isLost } from "./explain-failure.js";
import { httpTransport } from "./http-transport.js";
import { KnownSecrets } from "./known-secrets.js";
import { McpError } from "./mcp-error.js";
import type { McpServerAddress } from "./mcp-server-address.js";
import type { OpenTransport } from "./open-transport.js";
import type { RemoteTool } from "./remote-tool.js";
import { beginSession, endedAtStart, leave, type Session } from "./session.js";
import { stdioTransport } from "./stdio-transport.js";
import { ListIntake, type ToolList } from "./listed-tools.js";

/**
 * The connection to one server, made on the first call. The next call restarts a server that has ended. A server that fails again and again
 * is left alone for a while.
 */
export class ServerConnection {
  readonly #name: string;
  readonly #address: McpServerAddress;
  readonly #onElicitation: OnMcpElicitation | undefined;
  readonly #backoff = new Backoff();
  readonly #secrets: KnownSecrets;
  #session: Session | undefined;
  #connecting: Promise<Session> | undefined;
  /** One, and those that are given up, but still wait for answers. */
  readonly #open = new Set<OpenTransport>();
  /** A process that is older than the revision 2026-07-28 needn't be asked for it again. */
  #isOlder = false;
  #closed = false;
  /** Until its tools have been read once, only who starts it reads of failures. */
  #reader: FailureReader;
  /** What a server lists may have changed: it says so, or another session has begun. */
  onListChanged: (by: "server" | "session") => void = () => undefined;

  constructor(name: string, address: McpServerAddress, onElicitation: OnMcpElicitation | undefined) {
    this.#name = name;
    this.#address = address;
    this.#onElicitation = onElicitation;
    this.#secrets = new KnownSecrets(namedValues(address));
    this.#reader = forDeveloper(address);
  }

  /** Connects if there is no connection. Rejects with `McpError`. */
  async ready(): Promise<void> {
    await this.#connected();
  }

  /** What all pages list. Rejects with `McpError`. */
  async listTools(): Promise<ToolList> {
    const session = await this.#connected();
    session.intake = new ListIntake();
    // Of a server without tools the SDK would write to the console.
    const hasTools = session.client.getServerCapabilities()?.tools !== undefined;
    const { tools } = hasTools
      ? await this.#use(session, "list", () => session.client.listTools(undefined, { cacheMode: "refresh" }))
      : { tools: [] };
    this.#reader = forModel;
    return { tools, refused: session.intake.refused };
  }

  /** Calls by the session that there is, in which the tool was looked at. Rejects with `McpError`. */
  async callTool({ toolName, listed }: RemoteTool, input: Record<string, unknown>, context: ToolContext): Promise<CallToolResult> {
    const session = this.#session;
    if (session === undefined) throw new McpError(`The MCP server "${this.#name}" ended before the call was made. Try again.`);
    const call: CallUnderWay = { tool: toolName, context };
    session.calls.add(call);
    try {
      const result = await callInRounds(call, listed, input, {
        name: this.#name,
        onElicitation: this.#onElicitation,
        // Its type leaves out what allowInputRequired lets through.
        request: (params, options) =>
          this.#use(session, "call", (): Promise<CallToolResult | InputRequiredResult> => session.client.callTool(params, options)),
      });
      this.#backoff.succeeded();
      return result;
    } finally {
      session.calls.delete(call);
    }
  }

  /** Ends the server if it is a process; what is in flight fails. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#session = undefined;
    await Promise.all([...this.#open].map(leave));
    this.#secrets.forget();
  }

  async #connected(): Promise<Session> {
    if (this.#closed) throw new McpError(`The application has closed its connection to the MCP server "${this.#name}".`);
    if (this.#session !== undefined) return this.#session;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(): Promise<Session> {
    this.#refuseWhileWaiting();
    const open = "command" in this.#address ? await stdioTransport(this.#address) : await httpTransport(this.#address, this.#secrets);
    this.#open.add(open);
    try {
      const session = await beginSession(open, {
        onElicitation: this.#onElicitation,
        isOlder: this.#isOlder,
        onListChanged: () => this.onListChanged("server"),
        onLost: (lost) => this.#lose(lost),
      });
      if (this.#closed) throw new Error(endedAtStart);
      this.#isOlder = "command" in this.#address && session.client.getProtocolEra() === "legacy";
      this.#session = session;
      this.onListChanged("session");
      return session;
    } catch (error) {
      this.#backoff.failed();
      await leave(open);
      this.#open.delete(open);
      throw explainFailure(error, this.#name, "start", this.#reader, open.lastWords());
    }
  }

  #refuseWhileWaiting(): void {
    const { failures, remaining } = this.#backoff;
    if (remaining === 0) return;
    throw new McpError(
      `The MCP server "${this.#name}" has failed ${failures} times in a row, and is tried again in ${Math.ceil(remaining / 1_000)} s ` +
        "at the earliest. Do without it, or tell the user.",
    );
  }

  /**
   * After a failure of the connection the next call begins a new one. The old one is kept until all that was sent over it has its
   * answer: what fails one request over HTTP needn't fail another.
   */
  async #use<Result>(session: Session, during: "list" | "call", request: () => Promise<Result>): Promise<Result> {
    const { transport, failure, lastWords } = session.open;
    session.inFlight += 1;
    try {
      return await request();
    } catch (error) {
      if (isLost(error, transport.sessionId !== undefined) && this.#session === session) this.#session = undefined;
      throw explainFailure(failure() ?? error, this.#name, during, this.#reader, during === "list" ? lastWords() : undefined);
    } finally {
      session.inFlight -= 1;
      if (this.#session !== session && session.inFlight === 0) void leave(session.open);
    }
  }

  /** The process has ended by itself while the session is in use. */
  #lose(session: Session): void {
    session.open.forget();
    this.#open.delete(session.open);
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#backoff.failed();
  }
}
