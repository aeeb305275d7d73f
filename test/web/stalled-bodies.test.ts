import { connect, type Socket } from "node:net";
import { Agent, model } from "../../src/agent/index.js";
import { type McpHandler, mcpHandler, serveMcp } from "../../src/mcp/index.js";
import { agentHandler } from "../../src/web/index.js";
import { BodyIntake } from "../../src/web/internal.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createTool } from "../../src/tool/index.js";

const hello = createTool("hello", "Says hello.", { type: "object" }, () => "Hello.");
const megabyte = 1024 * 1024;
const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });

/** A body of which so many bytes come, and then neither more nor an end. */
function stalled(bytes: number | Uint8Array, cancelled: () => void = () => undefined): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent) return new Promise<void>(() => undefined);
      sent = true;
      controller.enqueue(typeof bytes === "number" ? new Uint8Array(bytes) : bytes);
      return undefined;
    },
    cancel: cancelled,
  });
}

const request = (body: ReadableStream<Uint8Array> | string, token = "ada"): Request =>
  new Request("http://localhost/mcp", {
    method: "POST",
    headers: {
      host: "localhost",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: `Bearer ${token}`,
    },
    body,
    duplex: "half",
  } as RequestInit);

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** The statuses of those that are answered by now. */
async function answered(answers: readonly Promise<Response>[]): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const answer of answers) {
    answer.then(({ status }) => {
      counts[status] = (counts[status] ?? 0) + 1;
    });
  }
  await turns();
  return counts;
}

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask", "Date", "performance"] });
});
afterEach(() => {
  jest.useRealTimers();
});

describe("a body that doesn't end", () => {
  class HelloAgent extends Agent {}
  model(new ScriptedModel(["Hello."]))(HelloAgent);

  it("is answered 408 after 30 s by a handler of an agent, its connection closed and the body given up", async () => {
    let given = 0;
    const handler = agentHandler({ agent: () => new HelloAgent(), format: "json" });
    const answer = handler(
      request(
        stalled(1_000, () => {
          given += 1;
        }),
      ),
    );
    await turns();
    await jest.advanceTimersByTimeAsync(29_999);
    expect(given).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    const { status, headers } = await answer;
    expect([status, headers.get("connection"), given]).toEqual([408, "close", 1]);
  });

  it("has more time if more may be sent", async () => {
    const handler = agentHandler({ agent: () => new HelloAgent(), format: "json", bodyLimit: 12 * megabyte });
    const answer = handler(request(stalled(1_000)));
    await turns();
    await jest.advanceTimersByTimeAsync(89_999);
    expect(await answered([answer as Promise<Response>])).toEqual({});
    await jest.advanceTimersByTimeAsync(1);
    expect((await answer).status).toBe(408);
  });

  it("is answered 413 at once if it is too large, though its source goes on waiting", async () => {
    const handler = agentHandler({ agent: () => new HelloAgent(), format: "json", bodyLimit: 1_000 });
    expect((await handler(request(stalled(1_001)))).status).toBe(413);
  });
});

describe("an MCP server over HTTP", () => {
  const opened: McpHandler[] = [];
  const open = async (): Promise<McpHandler> => {
    const handler = await mcpHandler({ name: "shop", version: "1.0.0", tools: [hello], verify: (token) => ({ userId: token }) });
    opened.push(handler);
    return handler;
  };

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((handler) => handler.close()));
  });

  it("holds 32 MB of what one user doesn't finish: the rest of 500 bodies is answered 429, and others are served", async () => {
    const handler = await open();
    const most = new Uint8Array(3.9 * megabyte);
    const bodies = Array.from({ length: 500 }, () => handler(request(stalled(most))));
    expect(await answered(bodies)).toEqual({ 429: 492 });
    const { headers } = (await Promise.race(bodies)) as Response;
    expect([headers.get("connection"), headers.get("retry-after")]).toEqual(["close", "1"]);
    expect((await handler(request(message, "grace"))).status).not.toBe(429);
  });

  it("holds a hundred small bodies of one user", async () => {
    const handler = await open();
    expect(await answered(Array.from({ length: 130 }, () => handler(request(stalled(10)))))).toEqual({ 429: 30 });
  });

  it("answers them 408 after 30 s, and then takes the user's next one", async () => {
    const handler = await open();
    const bodies = Array.from({ length: 100 }, () => handler(request(stalled(10))));
    await turns();
    expect((await handler(request(message))).status).toBe(429);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(await answered(bodies)).toEqual({ 408: 100 });
    expect((await handler(request(message))).status).not.toBe(429);
  });

  it("reads nothing of a body before the token is known", async () => {
    const handler = await mcpHandler({ name: "shop", version: "1.0.0", tools: [hello], verify: () => undefined });
    opened.push(handler);
    const body = stalled(10);
    expect((await handler(request(body))).status).toBe(401);
  });

  it("closes the connection of a body that it refuses", async () => {
    jest.useRealTimers();
    const serving = await serveMcp({
      name: "shop",
      version: "1.0.0",
      tools: [hello],
      transport: { port: 0, verify: (token) => ({ userId: token }) },
    });
    const { port } = new URL(serving.url as string);
    const head = `POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ada\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: 1000\r\n\r\n{`;
    const sockets: Socket[] = [];
    const first = await new Promise<string>((resolve) => {
      for (let index = 0; index < 101; index += 1) {
        let text = "";
        const socket = connect(Number(port), "127.0.0.1", () => socket.write(head));
        socket.on("data", (data) => {
          text += String(data);
        });
        socket.on("close", () => resolve(text));
        socket.on("error", () => undefined);
        sockets.push(socket);
      }
    });
    expect(first).toMatch(/^HTTP\/1\.1 429 /);
    expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(1);
    for (const socket of sockets) socket.destroy();
    await serving.close();
  });
});

describe("a body in pieces", () => {
  const inPieces = (bytes: Uint8Array, size: number): Request => {
    let at = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) controller.close();
        else controller.enqueue(bytes.slice(at, at + size));
        at += size;
      },
    });
    return request(body);
  };

  it.each([1, 2, 7, 1_000])("of %d bytes is the whole text", async (size) => {
    const text = "Größe \u{1f389} ".repeat(50);
    expect(await new BodyIntake(10_000).read(inPieces(new TextEncoder().encode(text), size))).toBe(text);
  });

  it("may have as many bytes as the limit, and no more", async () => {
    const bytes = new Uint8Array(100).fill(0x20);
    expect(await new BodyIntake(100).read(inPieces(bytes, 3))).toHaveLength(100);
    await expect(new BodyIntake(99).read(inPieces(bytes, 3))).rejects.toMatchObject({ status: 413 });
  });
});
