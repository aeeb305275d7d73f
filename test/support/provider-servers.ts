import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A JSON answer, or one of the ways in which a connection goes wrong. A text body is sent as it is. */
export type ServerReply =
  | { readonly status?: number; readonly headers?: Record<string, string>; readonly body: unknown }
  | StreamReply
  | "hang"
  | "break"
  | "break in the body";

/** A body that comes in pieces of a few bytes, which split lines and characters, as networks do. */
export interface StreamReply {
  readonly stream: string;
  /** What happens instead of a proper end: the connection breaks, or nothing comes any more. */
  readonly ending?: "break" | "hang";
}

export interface ServerRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON body; tests look into it with matchers. */
  readonly body: any;
}

/**
 * A local HTTP server that stands for a model provider: it plays a list of replies, one per request, and keeps what it
 * was sent. The functions below write replies in the wire formats of the large providers.
 */
export class ProviderServer {
  readonly requests: ServerRequest[] = [];
  readonly #replies: ServerReply[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    server.on("request", async (request, response: ServerResponse) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      this.requests.push({ path: request.url ?? "", headers: request.headers, body: JSON.parse(text) });
      send(response, this.#replies.shift() ?? { status: 500, body: { error: { message: "The server has no reply left." } } });
    });
  }

  static async start(): Promise<ProviderServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new ProviderServer(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds replies for the next requests, and forgets the requests of the test before. */
  play(...replies: ServerReply[]): void {
    this.requests.length = 0;
    this.#replies.splice(0, this.#replies.length, ...replies);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function send(response: ServerResponse, reply: ServerReply): void {
  if (reply === "hang") return;
  if (reply === "break") return void response.destroy();
  if (typeof reply === "object" && "stream" in reply) return void sendStream(response, reply);
  if (reply === "break in the body") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
    response.write('{"id": "cut', () => response.destroy());
    return;
  }
  response.writeHead(reply.status ?? 200, { "content-type": "application/json", ...reply.headers });
  response.end(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
}

async function sendStream(response: ServerResponse, { stream, ending }: StreamReply): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const bytes = Buffer.from(stream);
  for (let start = 0; start < bytes.length; start += 37) {
    response.write(bytes.subarray(start, start + 37));
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (ending === "break") response.destroy();
  else if (ending === undefined) response.end();
}

export interface WireCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as the model wrote it. */
  readonly arguments: string;
}

/** POST /chat/completions of OpenAI and of whatever is compatible with it. */
export const chatCompletion = (message: { text?: string; calls?: readonly WireCall[] }): ServerReply => ({
  body: {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "test-model",
    choices: [
      {
        index: 0,
        finish_reason: message.calls ? "tool_calls" : "stop",
        message: {
          role: "assistant",
          content: message.text ?? null,
          ...(message.calls && {
            tool_calls: message.calls.map(({ id, ...call }) => ({ id, type: "function", function: call })),
          }),
        },
      },
    ],
    usage: {
      prompt_tokens: 20,
      completion_tokens: 9,
      total_tokens: 29,
      prompt_tokens_details: { cached_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 4 },
    },
  },
});

/** POST /responses of OpenAI; `output` are its items. */
export const openAiResponse = (output: readonly Record<string, unknown>[]): ServerReply => ({
  body: {
    id: "resp_1",
    object: "response",
    created_at: 1_700_000_000,
    status: "completed",
    model: "test-model",
    output,
    usage: {
      input_tokens: 20,
      output_tokens: 9,
      total_tokens: 29,
      input_tokens_details: { cached_tokens: 5 },
      output_tokens_details: { reasoning_tokens: 4 },
    },
  },
});

/** POST /messages of Anthropic; `content` are its blocks. */
export const anthropicMessage = (content: readonly Record<string, unknown>[], stopReason = "end_turn"): ServerReply => ({
  body: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "test-model",
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    usage: { input_tokens: 15, output_tokens: 9, cache_read_input_tokens: 5, cache_creation_input_tokens: 0 },
  },
});

/** POST /models/...:generateContent of Gemini; `parts` are those of its one candidate. */
export const geminiAnswer = (parts: readonly Record<string, unknown>[]): ServerReply => ({
  body: {
    candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts } }],
    usageMetadata: {
      promptTokenCount: 20,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 4,
      cachedContentTokenCount: 5,
      totalTokenCount: 29,
    },
  },
});
