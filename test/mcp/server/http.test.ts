import "reflect-metadata";
import { createServer } from "node:http";
import { type AddressInfo, connect as connectSocket } from "node:net";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { All, Controller, type INestApplication, Module, Req, Res } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import express from "express";
import { createTool, type ToolContext } from "../../../src/index.js";
import { type McpAccess, type McpCaller, type McpHandler, type McpHandlerOptions, mcpHandler, serveMcp } from "../../../src/mcp/index.js";
import { nodeRequestOf, toNodeHandler } from "../../../src/web/index.js";
import { closeServers, serve } from "../../web/support.js";
import { type Answer, clientOf, closeAll, closeLater, type Revision, revisions, textOf, yes } from "./support.js";
import { until } from "../../support/until.js";

const happened: string[] = [];
beforeEach(() => happened.splice(0));
afterEach(closeAll);
afterAll(closeServers);

const object = { type: "object" } as const;
const hello = createTool("hello", "Says hello.", object, (_, { userId = "nobody" }) => `Hello, ${userId}.`);
const refund = createTool({
  name: "refund",
  description: "Refunds.",
  inputSchema: object,
  requiresConfirmation: true,
  execute: () => "Refunded.",
});
const admin = createTool({
  name: "admin",
  description: "For admins.",
  inputSchema: object,
  access: { roles: ["admin"] },
  execute: (_, { auth }) => JSON.stringify(auth),
});
const wait = createTool("wait", "Waits.", object, async (_, { abortSignal, progress }: ToolContext) => {
  happened.push("waiting");
  progress(0.5);
  await new Promise((resolve) => abortSignal.addEventListener("abort", resolve));
  happened.push("aborted");
});

const served = { name: "shop", version: "1.0.0", tools: [hello, refund, admin, wait] };

async function listen(more: McpAccess = {}): Promise<string> {
  const { url } = closeLater(await serveMcp({ ...served, transport: { port: 0, ...more } }));
  return url as string;
}

const handlerOf = async (more: Partial<McpHandlerOptions> = {}): Promise<McpHandler> =>
  closeLater(await mcpHandler({ ...served, ...more } as McpHandlerOptions));

async function connectTo(url: string, revision: Revision, answer?: Answer, token?: string) {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const client = clientOf(revision, answer);
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}

describe.each(revisions)("over HTTP, a client of %s", (revision) => {
  it("lists and calls tools", async () => {
    const client = await connectTo(await listen(), revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["hello", "refund", "wait"]);
    expect(textOf(await client.callTool({ name: "hello" }))).toBe("Hello, nobody.");
    await expect(client.callTool({ name: "admin" })).rejects.toMatchObject({ code: -32602 });
  });

  it("has its user asked about a call that needs a person", async () => {
    const client = await connectTo(await listen(), revision, () => yes);
    expect(textOf(await client.callTool({ name: "refund" }))).toBe("Refunded.");
  });

  it("receives progress, and cancels a call", async () => {
    const client = await connectTo(await listen(), revision);
    const controller = new AbortController();
    const heard = new Promise((resolve) => {
      client.callTool({ name: "wait" }, { signal: controller.signal, onprogress: resolve }).catch(() => happened.push("cancelled"));
    });
    expect(await heard).toMatchObject({ progress: 0.5 });
    controller.abort();
    await until(() => happened.length === 3);
    expect([...happened].sort()).toEqual(["aborted", "cancelled", "waiting"]);
  });

  it("receives a notification when the list of tools changes", async () => {
    const tools = [hello];
    const serving = closeLater(await serveMcp({ ...served, tools: () => [...tools], transport: { port: 0 } }));
    let names: readonly string[] = [];
    const onChanged = (_: unknown, items: readonly { readonly name: string }[] | null): void => {
      names = items?.map(({ name }) => name) ?? [];
    };
    const client = clientOf(revision, undefined, { listChanged: { tools: { onChanged, debounceMs: 0 } } });
    await client.connect(new StreamableHTTPClientTransport(new URL(serving.url as string)));
    tools.push(wait);
    // A client of the older revision opens the stream that it listens by in its own time.
    const telling = setInterval(() => serving.notifyToolsChanged(), 20);
    await until(() => names.length === 2).finally(() => clearInterval(telling));
    expect(names).toEqual(["hello", "wait"]);
  });

  it("is known by its token, and sees what that token may", async () => {
    const callers: Record<string, McpCaller> = {
      "token-of-ada": { userId: "ada", roles: ["admin"], tenant: "acme" },
      "token-of-bob": { userId: "bob" },
    };
    const url = await listen({ verify: (token) => callers[token] });
    const ada = await connectTo(url, revision, undefined, "token-of-ada");
    const bob = await connectTo(url, revision, undefined, "token-of-bob");
    expect(textOf(await ada.callTool({ name: "hello" }))).toBe("Hello, ada.");
    expect(textOf(await bob.callTool({ name: "hello" }))).toBe("Hello, bob.");
    expect(textOf(await ada.callTool({ name: "admin" }))).toBe(JSON.stringify(callers["token-of-ada"]));
    await expect(bob.callTool({ name: "admin" })).rejects.toMatchObject({ code: -32602 });
    expect((await bob.listTools()).tools.map(({ name }) => name)).not.toContain("admin");
    await expect(connectTo(url, revision, undefined, "token-of-mallory")).rejects.toThrow();
    await expect(connectTo(url, revision)).rejects.toThrow();
  });
});

describe("over HTTP, the client of the first SDK", () => {
  it("lists, calls, and has its user asked", async () => {
    const client = closeLater(new OldClient({ name: "old", version: "1.0.0" }, { capabilities: { elicitation: {} } }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept" as const, content: { approve: true } }));
    // The transport's own type doesn't compile under exact optional properties.
    await client.connect(new OldTransport(new URL(await listen())) as never);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["hello", "refund", "wait"]);
    expect(textOf(await client.callTool({ name: "hello" }))).toBe("Hello, nobody.");
    expect(textOf(await client.callTool({ name: "refund" }))).toBe("Refunded.");
    await expect(client.callTool({ name: "admin" })).rejects.toMatchObject({ code: -32602 });
  });
});

describe("a server of its own", () => {
  it("listens on the loopback alone by default", async () => {
    const url = new URL(await listen());
    expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    await expect(reach("127.0.0.2", Number(url.port))).resolves.toBe(false);
  });

  it("answers at its path alone", async () => {
    const url = await listen();
    expect((await fetch(new URL("/", url))).status).toBe(404);
    const { url: other } = closeLater(await serveMcp({ ...served, transport: { port: 0, path: "/tools" } }));
    expect(new URL(other as string).pathname).toBe("/tools");
    expect(textOf(await (await connectTo(other as string, "2026-07-28")).callTool({ name: "hello" }))).toBe("Hello, nobody.");
  });

  it("refuses to listen for any name without knowing which ones are its own", async () => {
    await expect(serveMcp({ ...served, transport: { port: 0, host: "0.0.0.0" } })).rejects.toThrow(
      'serveMcp: host "0.0.0.0" is reached by any name. Say by which ones clients do, without ports: allowedHosts: ["tools.example.com"].',
    );
  });

  it("warns if everyone who reaches it may call", async () => {
    const warned = jest.spyOn(process, "emitWarning").mockImplementation();
    closeLater(await serveMcp({ ...served, transport: { port: 0, host: "0.0.0.0", allowedHosts: ["localhost"] } }));
    expect(warned).toHaveBeenCalledWith(
      'serveMcp: "shop" listens on 0.0.0.0 without verify: anyone who can reach it may call its tools.',
      "ToolwrightWarning",
    );
    warned.mockRestore();
  });

  it("rejects if the port is taken", async () => {
    const { port } = new URL(await listen());
    await expect(serveMcp({ ...served, transport: { port: Number(port) } })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  it.each(revisions)("ends the calls of clients of %s when it is closed", async (revision) => {
    const serving = await serveMcp({ ...served, transport: { port: 0 } });
    const client = await connectTo(serving.url as string, revision);
    client.callTool({ name: "wait" }).catch(() => undefined);
    await until(() => happened.includes("waiting"));
    await serving.close();
    await until(() => happened.includes("aborted"));
    await expect(fetch(serving.url as string)).rejects.toThrow();
  });
});

describe("closed with a deadline", () => {
  const SlowTool = createTool("slow", "Takes a moment.", { type: "object" }, async () => {
    happened.push("slow");
    await new Promise((resolve) => setTimeout(resolve, 50));
    return "Done.";
  });
  const slow = { name: "shop", version: "1.0.0", tools: [SlowTool] };

  it.each(revisions)("lets a call of a client of %s end, and takes no other", async (revision) => {
    const serving = await serveMcp({ ...slow, transport: { port: 0 } });
    const client = await connectTo(serving.url as string, revision);
    const calling = client.callTool({ name: "slow" });
    await until(() => happened.includes("slow"));
    const closing = serving.close({ deadline: 5_000 });
    await expect(client.callTool({ name: "slow" })).rejects.toThrow();
    expect(textOf(await calling)).toBe("Done.");
    await closing;
    expect(happened.filter((one) => one === "slow")).toHaveLength(1);
  });

  it("ends a call at the deadline", async () => {
    const serving = await serveMcp({ ...served, transport: { port: 0 } });
    const client = await connectTo(serving.url as string, "2026-07-28");
    client.callTool({ name: "wait" }).catch(() => undefined);
    await until(() => happened.includes("waiting"));
    await serving.close({ deadline: 30 });
    await until(() => happened.includes("aborted"));
  });

  it("needs a number of milliseconds", async () => {
    const serving = closeLater(await serveMcp({ ...served, transport: { port: 0 } }));
    await expect(serving.close({ deadline: "1s" as never })).rejects.toThrow("close: deadline is 1s, but is a number of milliseconds");
  });
});

/** Whether something listens there. */
const reach = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectSocket({ host, port });
    socket.once("connect", () => socket.destroy() && resolve(true)).once("error", () => resolve(false));
  });

describe("in an application's own server", () => {
  const toolContext: McpHandlerOptions["toolContext"] = ({ request }) => {
    const user = request && (nodeRequestOf(request) as { user?: string } | undefined)?.user;
    return user === undefined ? {} : { userId: user };
  };
  const signIn = (request: unknown, _response: unknown, next: () => void): void => {
    (request as { user?: string }).user = "ada";
    next();
  };
  const helloOf = async (url: string, revision: Revision) => {
    const client = await connectTo(`${url}/mcp`, revision, () => yes);
    expect(textOf(await client.callTool({ name: "refund" }))).toBe("Refunded.");
    return textOf(await client.callTool({ name: "hello" }));
  };

  it.each(revisions)("of node:http, for %s", async (revision) => {
    const handle = toNodeHandler(await handlerOf());
    expect(await helloOf(await serve((request, response) => void handle(request, response)), revision)).toBe("Hello, nobody.");
  });

  it.each(revisions)("of Express, behind a body parser and a session, for %s", async (revision) => {
    const app = express()
      .use(express.json())
      .use(signIn)
      .all("/mcp", toNodeHandler(await handlerOf({ toolContext })));
    expect(await helloOf(await serve(app), revision)).toBe("Hello, ada.");
  });

  it.each(revisions)("of Nest, for %s", async (revision) => {
    const handle = toNodeHandler(await handlerOf({ toolContext }));

    @Controller()
    class McpController {
      @All("mcp")
      mcp(@Req() request: never, @Res() response: never) {
        return handle(request, response);
      }
    }
    @Module({ controllers: [McpController] })
    class AppModule {}

    const app: INestApplication = await NestFactory.create(AppModule, { logger: false });
    app.use(signIn);
    await app.listen(0, "127.0.0.1");
    const { port } = app.getHttpServer().address() as AddressInfo;
    try {
      expect(await helloOf(`http://127.0.0.1:${port}`, revision)).toBe("Hello, ada.");
      await closeAll();
    } finally {
      await app.close();
    }
  });

  it("a client of 2026-07-28 that leaves aborts its call", async () => {
    const handle = toNodeHandler(await handlerOf());
    const server = createServer((request, response) => void handle(request, response)).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const client = await connectTo(`http://127.0.0.1:${port}/mcp`, "2026-07-28");
    client.callTool({ name: "wait" }).catch(() => undefined);
    await until(() => happened.includes("waiting"));
    server.closeAllConnections();
    await until(() => happened.includes("aborted"));
    await new Promise((resolve) => server.close(resolve));
  });
});
