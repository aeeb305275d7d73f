import { setTimeout as sleep } from "node:timers/promises";
import type {
  CallToolRequest,
  CallToolResult,
  Client,
  ElicitRequestFormParams,
  InputRequiredResult,
  InputResponses,
  JSONRPCMessage,
  StreamableHTTPClientTransport,
  Tool,
} from "@modelcontextprotocol/client";
import type { ToolContext } from "../../tool/index.js";
import { longestTimer } from "../../tool/internal.js";
import { withoutHidden } from "../../redaction/internal.js";
import { namedValues } from "./address-secrets.js";
import { Backoff } from "./backoff.js";
import { readContent } from "./content-intake.js";
import { answersTo, elicit, type CallUnderWay, type OnMcpElicitation } from "./elicitation.js";
import { forDeveloper, explainFailure, type FailureReader, forModel, isLost } from "./explain-failure.js";
import { httpTransport } from "./http-transport.js";
import { KnownSecrets } from "./known-secrets.js";
import { loadSdk } from "./load-sdk.js";
import { McpError } from "./mcp-error.js";
import type { McpServerAddress } from "./mcp-server-address.js";
import type { OpenTransport } from "./open-transport.js";
import type { RemoteTool } from "./remote-tool.js";
import { stdioTransport } from "./stdio-transport.js";
import { ListIntake, type ToolList } from "./listed-tools.js";

interface Session {
  readonly client: Client;
  readonly open: OpenTransport;
  /** Of the list that is being read. */
  intake: ListIntake;
  /** How many wait for an answer. */
  inFlight: number;
  readonly calls: Set<CallUnderWay>;
}

/** Milliseconds. Servers older than the revision 2026-07-28 may leave the question for it unanswered. */
const longestProbe = 10_000;

/** Revision 2026-07-28, "Multi Round-Trip Requests". */
interface CallAnswers {
  readonly inputResponses?: InputResponses;
  /** As the server gave it. */
  readonly requestState?: string;
}

/** How often a server may ask amid one call. */
const mostRounds = 10;

/** Milliseconds before a call is made again that the server put off without a question. */
const pauseOfPutOff = 250;

/** Milliseconds that a server gets to end a session. */
const longestFarewell = 2_000;

/**
 * The connection to one server, made when it is needed: a server that has ended is started again by the next call, and left alone
 * for a while where it fails again and again.
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
    const call = { tool: toolName, context };
    session.calls.add(call);
    try {
      return await this.#call(session, listed, { name: listed.name, arguments: input }, call);
    } finally {
      session.calls.delete(call);
    }
  }

  /** Answers what the server asks amid the call, and makes it again with the answers. */
  async #call(
    session: Session,
    { name, inputSchema }: Tool,
    first: CallToolRequest["params"],
    call: CallUnderWay,
  ): Promise<CallToolResult> {
    const { context } = call;
    let params: CallToolRequest["params"] & CallAnswers = first;
    for (let round = 0; round <= mostRounds; round += 1) {
      const result = await this.#use(
        session,
        "call",
        // Its type leaves out what allowInputRequired lets through.
        (): Promise<CallToolResult | InputRequiredResult> =>
          session.client.callTool(params, {
            signal: context.abortSignal,
            // The tool's own deadline ends a call.
            timeout: longestTimer,
            onprogress: ({ progress, total, message }) => context.progress(fractionOf(progress, total), message && withoutHidden(message)),
            // Without an output schema, because the executor checks results.
            toolDefinition: { name, inputSchema },
            allowInputRequired: true,
          }),
      );
      if (!isInputRequired(result)) {
        this.#backoff.succeeded();
        return result;
      }
      params = { ...first, ...(await this.#answer(result, call)) };
    }
    throw new McpError(`The MCP server "${this.#name}" asked ${mostRounds} times amid one call, and didn't come to an end. Tell the user.`);
  }

  /** What a call is made again with. */
  async #answer(result: InputRequiredResult, call: CallUnderWay): Promise<CallAnswers> {
    const { inputRequests = {}, requestState } = result;
    const state = requestState === undefined ? {} : { requestState };
    if (Object.keys(inputRequests).length > 0)
      return { ...state, inputResponses: await answersTo(inputRequests, call, this.#name, this.#onElicitation) };
    await sleep(pauseOfPutOff, undefined, { signal: call.context.abortSignal });
    return state;
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
      const session = await this.#begin(open);
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

  async #begin(open: OpenTransport): Promise<Session> {
    const sdk = await loadSdk();
    const onElicitation = this.#onElicitation;
    // It offers no model and no folder, and a person to ask where the application does.
    const client = new sdk.Client(
      // The protocol wants a version; no server has to go by it.
      { name: "toolwright", version: "0" },
      {
        capabilities: onElicitation === undefined ? {} : { elicitation: { form: {} } },
        versionNegotiation: { mode: "auto", probe: { timeoutMs: longestProbe } },
        listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => this.onListChanged("server") } },
      },
    );
    const { transport } = open;
    const session: Session = { client, open, intake: new ListIntake(), inFlight: 0, calls: new Set() };
    if (onElicitation !== undefined) {
      // As revisions before 2026-07-28 ask: by a request of their own. The SDK refuses other modes than forms.
      client.setRequestHandler("elicitation/create", ({ params }) =>
        elicit(params as ElicitRequestFormParams, [...session.calls], onElicitation),
      );
    }
    // The SDK calls it with each message before it reads that itself.
    transport.onmessage = (message: JSONRPCMessage) => {
      session.intake.clean(message, sdk, client.getProtocolEra());
      readContent(message, sdk, client.getProtocolEra());
    };
    client.onclose = () => this.#lose(session);
    await client.connect(transport, this.#isOlder ? { prior: { kind: "legacy" } } : {});
    if (client.transport === undefined || this.#closed) throw new Error("It ended while it was started.");
    this.#isOlder = "command" in this.#address && client.getProtocolEra() === "legacy";
    return session;
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

  /** A process has ended by itself, where the session is still in use. */
  #lose(session: Session): void {
    session.open.forget();
    this.#open.delete(session.open);
    if (this.#session !== session) return;
    this.#session = undefined;
    this.#backoff.failed();
  }
}

/** Of a total that isn't known yet, nothing; servers count beyond theirs, too. */
const fractionOf = (progress: number, total: number | undefined): number =>
  total === undefined || total <= 0 ? 0 : Math.min(1, Math.max(0, progress / total));

const isInputRequired = (result: CallToolResult | InputRequiredResult): result is InputRequiredResult =>
  result.resultType === "input_required";

/** Says goodbye to a server that keeps sessions, and ends one that is a process. */
async function leave({ transport, forget }: OpenTransport): Promise<void> {
  const { terminateSession } = transport as Partial<StreamableHTTPClientTransport>;
  if (terminateSession !== undefined) {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, longestFarewell);
    });
    await Promise.race([terminateSession.call(transport).catch(() => undefined), patience]);
    clearTimeout(timer);
  }
  await transport.close().catch(() => undefined);
  forget();
}
