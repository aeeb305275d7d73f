import type {
  CallToolRequest,
  CallToolResult,
  ClientCapabilities,
  InputRequiredResult,
  McpRequestContext,
  McpServer,
  ServerContext,
} from "@modelcontextprotocol/server";
import { withinTime } from "../../timing/index.js";
import type { CloseOptions } from "./mcp-serving.js";
import { callTool } from "./call-tool.js";
import { Confirmations } from "./confirmations.js";
import type { Sdk } from "./load-server.js";
import type { OpenedRequest, ServedApplication } from "./served-application.js";

type Open = (context: ServerContext) => OpenedRequest | Promise<OpenedRequest>;

/** Makes the SDK's servers, one for each connection or, in the newest revision over HTTP, for each request. All serve one application. */
export class ProtocolServers {
  readonly sdk: Sdk;
  readonly application: ServedApplication;
  readonly confirmations: Confirmations;
  readonly #calls = new WeakMap<McpServer, Set<ServerContext>>();
  readonly #underWay = new Set<Promise<unknown>>();
  #isClosing = false;

  constructor(sdk: Sdk, application: ServedApplication) {
    this.sdk = sdk;
    this.application = application;
    this.confirmations = new Confirmations(sdk, application.options);
  }

  /** The factory that the SDK calls. */
  async create({ era, authInfo, requestInfo: req }: McpRequestContext): Promise<McpServer> {
    // A server for one request: what the application says of it holds for all that is asked.
    if (era !== "modern" || req === undefined) return this.#serve(({ http }) => this.application.open(http));
    const opened = await this.#withPublicErrors(() => this.application.open({ ...(authInfo !== undefined && { authInfo }), req }));
    const mcp = this.#serve(() => opened);
    // The SDK looks here for parameters that a client repeats in headers, and refuses a call in which they differ.
    mcp.toolInputSchemaJson = (name) => this.application.find(opened, name)?.definition.parametersSchema;
    return mcp;
  }

  #serve(open: Open): McpServer {
    const { name, version, instructions } = this.application.options;
    const mcp = new this.sdk.McpServer(
      { name, version },
      {
        capabilities: { tools: { listChanged: true } },
        ...(instructions !== undefined && { instructions }),
        requestState: { verify: this.confirmations.codec.verify },
      },
    );
    const calls = new Set<ServerContext>();
    this.#calls.set(mcp, calls);
    // The lower of the SDK's layers: the upper one would check arguments and results once more, in words of its own.
    mcp.server.setRequestHandler("tools/list", (_, context) =>
      this.#withPublicErrors(async () => ({ tools: this.application.list(await open(context)) })),
    );
    mcp.server.setRequestHandler("tools/call", async (request, context) => {
      if (this.#isClosing)
        throw new this.sdk.ProtocolError(this.sdk.ProtocolErrorCode.InternalError, "The server is shutting down. Call again.");
      calls.add(context);
      const call = this.#withPublicErrors(async () => this.#call(request, context, await open(context), mcp));
      this.#underWay.add(call);
      try {
        return await call;
      } finally {
        this.#underWay.delete(call);
        calls.delete(context);
      }
    });
    return mcp;
  }

  /** Lets calls under way end, for so many milliseconds. Further calls are refused. */
  async finish({ deadline = 0 }: CloseOptions): Promise<void> {
    this.#isClosing = true;
    if (deadline === 0) return;
    await withinTime(Promise.allSettled(this.#underWay), deadline);
    // Their results are on their way to the clients.
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Whether a tool runs for it, also if its client doesn't wait any more. */
  isCalling(mcp: McpServer): boolean {
    return (this.#calls.get(mcp)?.size ?? 0) > 0;
  }

  async #call(
    request: CallToolRequest,
    context: ServerContext,
    opened: OpenedRequest,
    { server }: McpServer,
  ): Promise<CallToolResult | InputRequiredResult> {
    // Said with each request since 2026-07-28, and once for a connection before. The SDK's type doesn't list what an envelope holds.
    const envelope = context.mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
    const said = envelope?.[this.sdk.CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
    const result = await callTool(request, context, opened, said ?? server.getClientCapabilities(), this);
    if (this.sdk.isInputRequiredResult(result)) return result;
    return server.projectCallToolResult(result, opened.tools.find(request.params.name)?.definition.outputSchema);
  }

  /** Other errors concern the application alone: a client reads only that something failed. */
  async #withPublicErrors<Value>(work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof this.sdk.ProtocolError) throw error;
      this.application.report(error);
      throw new this.sdk.ProtocolError(this.sdk.ProtocolErrorCode.InternalError, "Internal error");
    }
  }
}
