import { Client, type ClientOptions, type ElicitResult } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { type McpHandler, type McpServerOptions, type McpServing, type McpToolSource, serveMcp } from "../../../src/mcp/index.js";

/** The newest revision and the last one before it, which asks and cancels in other ways. */
export const revisions = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof revisions)[number];

/** What a person answers, by the message that is shown. */
export type Answer = (message: string) => ElicitResult | Promise<ElicitResult>;

export const yes: ElicitResult = { action: "accept", content: { approve: true } };

const opened: { close(): Promise<void> }[] = [];

/** Ends what a test opened: to be called after each. */
export async function closeAll(): Promise<void> {
  await Promise.all(opened.splice(0).map((each) => each.close()));
}

export function closeLater<Closable extends { close(): Promise<void> }>(closable: Closable): Closable {
  opened.push(closable);
  return closable;
}

/** A client of the SDK that speaks the revision, and asks its user where it is given an answer. */
export function clientOf(revision: Revision, answer?: Answer, more: ClientOptions = {}): Client {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      versionNegotiation: { mode: revision === "2026-07-28" ? { pin: revision } : "legacy" },
      ...(answer !== undefined && { capabilities: { elicitation: { form: {} } } }),
      ...more,
    },
  );
  if (answer !== undefined) client.setRequestHandler("elicitation/create", ({ params }) => answer(params.message));
  return closeLater(client);
}

export interface Connected {
  readonly client: Client;
  readonly serving: McpServing;
}

/** A server in this process, and a client of it. */
export async function connect(
  options: McpToolSource & Partial<Omit<McpServerOptions, "tools" | "registry">>,
  revision: Revision = "2026-07-28",
  answer?: Answer,
  more?: ClientOptions,
): Promise<Connected> {
  const [one, other] = InMemoryTransport.createLinkedPair();
  const serving = closeLater(await serveMcp({ name: "shop", version: "1.0.0", ...options, transport: other }));
  const client = clientOf(revision, answer, more);
  await client.connect(one);
  return { client, serving };
}

interface TextResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

/** The text of a result that holds nothing else. */
export const textOf = (result: unknown): string | undefined => (result as TextResult).content[0]?.text;

/** One request of the newest revision as it goes over HTTP, for what no well-behaved client sends. */
export async function post(
  handler: McpHandler,
  method: string,
  params: Record<string, unknown>,
  {
    headers = {},
    capabilities = { elicitation: { form: {} } },
  }: { readonly headers?: Record<string, string>; readonly capabilities?: object } = {},
): Promise<{ readonly status: number; readonly body: JsonRpcAnswer; readonly headers: Headers }> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const response = await handler(
    new Request("http://localhost:3000/mcp", {
      method: "POST",
      headers: {
        host: "localhost:3000",
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": method,
        ...(typeof params.name === "string" && { "mcp-name": params.name }),
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } }),
    }),
  );
  const text = await response.text();
  const body = text.startsWith("{") ? text : "{}";
  return { status: response.status, headers: response.headers, body: JSON.parse(body) as JsonRpcAnswer };
}

export interface JsonRpcAnswer {
  readonly result?: {
    readonly resultType?: string;
    readonly requestState?: string;
    readonly inputRequests?: Record<string, unknown>;
    readonly content?: readonly { readonly text: string }[];
    readonly isError?: boolean;
    readonly tools?: readonly { readonly name: string }[];
  };
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}
