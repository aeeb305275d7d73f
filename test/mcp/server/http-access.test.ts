import { createTool, type ToolContext } from "../../../src/index.js";
import { type McpHandler, type McpHandlerOptions, mcpHandler } from "../../../src/mcp/index.js";
import { closeAll, closeLater, post } from "./support.js";
import { until } from "../../support/until.js";

afterEach(closeAll);

const object = { type: "object" } as const;
const hello = createTool("hello", "Says hello.", object, () => "Hello.");

const handlerOf = async (more: Partial<McpHandlerOptions> = {}): Promise<McpHandler> =>
  closeLater(await mcpHandler({ name: "shop", version: "1.0.0", tools: [hello], ...more } as McpHandlerOptions));

describe("who is let in", () => {
  it.each(["localhost:3000", "127.0.0.1", "[::1]:80"])("the host %s", async (host) => {
    expect((await post(await handlerOf(), "tools/list", {}, { headers: { host } })).status).toBe(200);
  });

  it.each(["shop.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:3000", ""])(
    "not the host %p, which a page could have rebound to this machine",
    async (host) => {
      const { status, body } = await post(await handlerOf(), "tools/list", {}, { headers: { host } });
      expect(status).toBe(403);
      expect(body.result).toBeUndefined();
    },
  );

  it.each(["http://localhost:8080", "http://127.0.0.1"])("pages of %s", async (origin) => {
    expect((await post(await handlerOf(), "tools/list", {}, { headers: { origin } })).status).toBe(200);
  });

  it.each(["https://evil.example", "null", "http://localhost.evil.example", "file://"])("not pages of %s", async (origin) => {
    expect((await post(await handlerOf(), "tools/list", {}, { headers: { origin } })).status).toBe(403);
  });

  it("the hosts and sites that the application names, in place of the loopback", async () => {
    const handler = await handlerOf({ allowedHosts: ["shop.example"], allowedOrigins: ["app.example"] });
    const statusOf = async (headers: Record<string, string>) => (await post(handler, "tools/list", {}, { headers })).status;
    expect(await statusOf({ host: "shop.example", origin: "https://app.example" })).toBe(200);
    expect(await statusOf({ host: "localhost", origin: "https://app.example" })).toBe(403);
    expect(await statusOf({ host: "shop.example", origin: "https://shop.example" })).toBe(403);
  });

  it("the checks hold for clients of older revisions too", async () => {
    const body = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };
    const send = async (headers: Record<string, string>) =>
      (await handlerOf())(new Request("http://localhost/mcp", { method: "POST", headers, body: JSON.stringify(body) }));
    expect((await send({ host: "evil.example" })).status).toBe(403);
    expect((await send({ host: "localhost", origin: "https://evil.example" })).status).toBe(403);
  });
});

describe("tokens", () => {
  const verify = (token: string) => (token === "good" ? { userId: "ada" } : undefined);

  it.each<[string, Record<string, string>]>([
    ["without one", {}],
    ["that is unknown", { authorization: "Bearer bad" }],
    ["of another kind", { authorization: "Basic good" }],
    ["that is empty", { authorization: "Bearer " }],
  ])("a request %s is answered 401, with the way to get one", async (_name, headers) => {
    const resourceMetadataUrl = "https://shop.example/.well-known/oauth-protected-resource/mcp";
    const { status, headers: answered } = await post(
      await handlerOf({ verify, resourceMetadataUrl }),
      "tools/call",
      { name: "hello" },
      { headers },
    );
    expect(status).toBe(401);
    expect(answered.get("www-authenticate")).toMatch(/^Bearer .*resource_metadata="https:\/\/shop\.example\/\.well-known/);
  });

  it("one that expired is refused, whatever verify says else", async () => {
    const handler = await handlerOf({ verify: () => ({ userId: "ada", expiresAt: Date.now() / 1_000 - 1 }) });
    expect((await post(handler, "tools/list", {}, { headers: { authorization: "Bearer good" } })).status).toBe(401);
  });

  describe("an answer of verify that is no caller is answered 401, and the application learns why:", () => {
    class User {
      readonly userId = "ada";
    }
    const callers: Record<string, object> = { good: { userId: "ada" } };
    const callerOf = (token: string): unknown => callers[token];

    it.each<[string, unknown, string]>([
      ["false", false, "verify returned a boolean, which isn't a caller. Return a plain object"],
      ["true", true, "verify returned a boolean"],
      ["0", 0, "verify returned a number"],
      ["an empty text", "", "verify returned a string"],
      ["a text", "ada", "verify returned a string"],
      ["an error", new Error("expired"), "verify returned an error. Throw it"],
      ["an error of another kind, with members", Object.assign(new TypeError("expired"), { userId: "ada" }), "verify returned an error"],
      ["an object without members", {}, "verify returned an object without members"],
      ["an object with inherited members alone", Object.create({ userId: "ada" }), "isn't a plain object"],
      ["what every object inherits (callers[token] for the token constructor)", callerOf("constructor"), "verify returned a function"],
      ["what every object inherits (callers[token] for the token __proto__)", callerOf("__proto__"), "an object without members"],
      ["a list", [{ userId: "ada" }], "verify returned a list"],
      ["a map", new Map([["userId", "ada"]]), "verify returned an instance of Map"],
      [
        "an instance of a class",
        new User(),
        "verify returned an instance of User, which isn't a plain object. Return a plain object, such as { userId: user.id",
      ],
      ["a token that isn't active (RFC 7662)", { active: false }, 'whose member "active" says no'],
      ["a token of which active is no yes", { active: "false", sub: "ada" }, 'whose member "active" says no'],
      ["a result that says no", { ok: false, userId: "ada" }, 'whose member "ok" says no'],
      ["an answer with an error (RFC 6749)", { error: "invalid_token" }, 'with the member "error"'],
      ["a result with errors", { errors: ["expired"] }, 'with the member "errors"'],
      ["a token that was revoked", { userId: "ada", revoked: true }, 'with the member "revoked"'],
      ["a user who isn't authorized", { userId: "ada", authorized: false }, 'whose member "authorized" says no'],
      ["a session without a user", { user: null }, "verify returned an object without members that say anything"],
      ["a user who isn't there", { userId: undefined, roles: undefined }, "verify returned an object without members that say anything"],
      ["a userId that is no text", { userId: 7 }, "userId is a number. Return a string"],
      ["an empty userId", { userId: "" }, "userId is empty"],
      ["scopes that are one text", { userId: "ada", scopes: "admin" }, "scopes aren't a list of strings"],
      ["roles that are one text, which holds parts of it", { userId: "ada", roles: "administrator" }, "roles aren't a list of strings"],
      [
        "an expiry in milliseconds, which never comes",
        { userId: "ada", expiresAt: Date.now() + 60_000 },
        "expiresAt isn't a time in seconds",
      ],
      ["an expiry that is no number", { userId: "ada", expiresAt: new Date() }, "expiresAt isn't a time in seconds"],
      ["an expiry that is NaN", { userId: "ada", expiresAt: Number.NaN }, "expiresAt isn't a time in seconds"],
    ])("%s", async (_name, answer, reason) => {
      for (const verifying of [() => answer, async () => answer]) {
        const heard: unknown[] = [];
        const handler = await handlerOf({ verify: verifying as never, onError: (error) => heard.push(error) });
        const { status, body } = await post(handler, "tools/list", {}, { headers: { authorization: "Bearer any" } });
        expect(status).toBe(401);
        expect(JSON.stringify(body)).not.toContain("verify");
        expect(heard).toEqual([expect.objectContaining({ name: "TypeError", message: expect.stringContaining(reason) })]);
      }
    });

    it.each<[string, unknown]>([
      ["undefined", undefined],
      ["null", null],
    ])("%s refuses quietly", async (_name, answer) => {
      const heard: unknown[] = [];
      const handler = await handlerOf({ verify: () => answer as never, onError: (error) => heard.push(error) });
      expect((await post(handler, "tools/list", {}, { headers: { authorization: "Bearer any" } })).status).toBe(401);
      expect(heard).toEqual([]);
    });

    it.each<[string, object]>([
      ["a plain object", { userId: "ada" }],
      ["one whose token has neither expired nor failed", { userId: "ada", expired: false, error: null }],
      ["an active token (RFC 7662)", { active: true, sub: "ada", exp: Date.now() / 1_000 + 60 }],
      ["an object without a prototype", Object.assign(Object.create(null), { tenant: "acme" })],
    ])("but %s is a caller", async (_name, answer) => {
      const handler = await handlerOf({ verify: () => answer as never });
      expect((await post(handler, "tools/list", {}, { headers: { authorization: "Bearer any" } })).status).toBe(200);
    });
  });

  it("one that expired by the claim exp of a JWT is refused", async () => {
    const handler = await handlerOf({ verify: () => ({ sub: "ada", exp: Date.now() / 1_000 - 1 }) });
    expect((await post(handler, "tools/list", {}, { headers: { authorization: "Bearer good" } })).status).toBe(401);
  });

  it("a verify that fails lets no one in, and is reported to the application", async () => {
    const told: unknown[] = [];
    const error = new Error("keys.internal is down");
    const verifying = () => {
      throw error;
    };
    const handler = await handlerOf({ verify: verifying, onError: (each) => told.push(each) });
    const { status, body } = await post(handler, "tools/list", {}, { headers: { authorization: "Bearer good" } });
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain("keys.internal");
    expect(told).toEqual([error]);
  });

  it("the token itself isn't in the context", async () => {
    const contexts: ToolContext[] = [];
    const look = createTool("look", "Looks.", object, (_, context) => {
      contexts.push(context);
      return null;
    });
    const handler = await handlerOf({ verify: () => ({ userId: "ada" }), tools: [look] } as Partial<McpHandlerOptions>);
    await post(handler, "tools/call", { name: "look" }, { headers: { authorization: "Bearer secret-token" } });
    expect(JSON.stringify(contexts[0])).not.toContain("secret-token");
    expect(contexts[0]).toMatchObject({ userId: "ada", auth: { userId: "ada" } });
  });
});

describe("sessions of older revisions", () => {
  const headers = { host: "localhost", "content-type": "application/json", accept: "application/json, text/event-stream" };
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1.0.0" } },
  };
  const send = (handler: McpHandler, message: object, more: Record<string, string> = {}) =>
    handler(new Request("http://localhost/mcp", { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(message) }));
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };

  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "begin in revision %s for a client that speaks it",
    async (protocolVersion) => {
      const begun = await send(await handlerOf(), { ...initialize, params: { ...initialize.params, protocolVersion } });
      expect(await begun.text()).toContain(`"protocolVersion":"${protocolVersion}"`);
    },
  );

  it("begin in the newest of them for a client of an unknown revision", async () => {
    const begun = await send(await handlerOf(), { ...initialize, params: { ...initialize.params, protocolVersion: "1999-01-01" } });
    expect(await begun.text()).toContain('"protocolVersion":"2025-11-25"');
  });

  it("a request without one is refused", async () => {
    expect((await send(await handlerOf(), list)).status).toBe(400);
  });

  it("one that was never opened is not found, so that the client opens another", async () => {
    expect((await send(await handlerOf(), list, { "mcp-session-id": "guessed" })).status).toBe(404);
  });

  it("one that was ended is not found any more", async () => {
    const handler = await handlerOf();
    const begun = await send(handler, initialize);
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id") as string };
    expect((await send(handler, list, session)).status).toBe(200);
    expect((await handler(new Request("http://localhost/mcp", { method: "DELETE", headers: { ...headers, ...session } }))).status).toBe(
      200,
    );
    expect((await send(handler, list, session)).status).toBe(404);
  });

  it("that of one user doesn't exist for another, nor without a user", async () => {
    const handler = await handlerOf({ verify: (token) => ({ userId: token }) });
    const begun = await send(handler, initialize, { authorization: "Bearer ada" });
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id") as string };
    expect((await send(handler, list, { ...session, authorization: "Bearer ada" })).status).toBe(200);
    expect((await send(handler, list, { ...session, authorization: "Bearer mallory" })).status).toBe(404);
    expect((await send(handler, list, session)).status).toBe(401);
  });

  it("that of one user doesn't exist for another, also if toolContext says who calls, by a cookie", async () => {
    const asked: string[] = [];
    const toolContext: NonNullable<McpHandlerOptions["toolContext"]> = ({ request }) => {
      const userId = request?.headers.get("cookie") ?? "";
      asked.push(userId);
      return { userId };
    };
    const handler = await handlerOf({ toolContext });
    const begun = await send(handler, initialize, { cookie: "ada" });
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id") as string };
    const end = (cookie: string) =>
      handler(new Request("http://localhost/mcp", { method: "DELETE", headers: { ...headers, ...session, cookie } }));
    expect((await send(handler, list, { ...session, cookie: "mallory" })).status).toBe(404);
    expect((await send(handler, { jsonrpc: "2.0", id: 0, result: {} }, { ...session, cookie: "mallory" })).status).toBe(404);
    expect((await end("mallory")).status).toBe(404);
    const listed = await send(handler, list, { ...session, cookie: "ada" });
    expect(await listed.text()).toContain('"hello"');
    expect((await end("ada")).status).toBe(200);
    // Once for each request.
    expect(asked).toEqual(["ada", "mallory", "mallory", "mallory", "ada", "ada"]);
  });

  it("a toolContext that fails lets no one in, and is reported to the application", async () => {
    const told: unknown[] = [];
    const error = new Error("sessions.internal is down");
    const toolContext = () => {
      throw error;
    };
    const refused = await send(await handlerOf({ toolContext, onError: (each) => told.push(each) }), initialize);
    expect(refused.status).toBe(500);
    expect(await refused.text()).not.toContain("sessions.internal");
    expect(told).toEqual([error]);
  });

  it("there are at most a thousand: the one that was unused the longest ends first", async () => {
    const handler = await handlerOf();
    const begin = async () => ({ "mcp-session-id": (await send(handler, initialize)).headers.get("mcp-session-id") as string });
    const [first, second] = [await begin(), await begin()];
    for (let count = 2; count < 1_000; count += 1) await begin();
    expect((await send(handler, list, first)).status).toBe(200);
    await begin();
    expect((await send(handler, list, first)).status).toBe(200);
    expect((await send(handler, list, second)).status).toBe(404);
  });
});

describe("one user can't push the others out", () => {
  const headers = { host: "localhost", "content-type": "application/json", accept: "application/json, text/event-stream" };
  const begin = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1.0.0" } };
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list", params: {} };
  const verify = (token: string) => ({ userId: token });

  const send = (handler: McpHandler, user: string, message: object, session: Record<string, string> = {}) =>
    handler(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: { ...headers, ...session, authorization: `Bearer ${user}` },
        body: JSON.stringify(message),
      }),
    );
  const open = async (handler: McpHandler, user: string) => {
    const begun = await send(handler, user, { jsonrpc: "2.0", id: 1, method: "initialize", params: begin });
    await begun.text();
    return { "mcp-session-id": begun.headers.get("mcp-session-id") as string };
  };
  /** The answer, read to its end. */
  const statusOf = async (handler: McpHandler, user: string, session: Record<string, string>) => {
    const response = await send(handler, user, list, session);
    await response.text();
    return response.status;
  };

  it("by sessions: a user has a hundred at most, and their own that was unused the longest ends for another", async () => {
    const handler = await handlerOf({ verify });
    const ofAda = await open(handler, "ada");
    const [first, second] = [await open(handler, "mallory"), await open(handler, "mallory")];
    for (let count = 2; count < 100; count += 1) await open(handler, "mallory");
    expect(await statusOf(handler, "mallory", first)).toBe(200);
    await open(handler, "mallory");
    expect(await statusOf(handler, "mallory", first)).toBe(200);
    expect(await statusOf(handler, "mallory", second)).toBe(404);
    expect(await statusOf(handler, "ada", ofAda)).toBe(200);
  });

  it("by sessions of many users: one with a running call stays while others are idle, also if its client doesn't wait for the answer", async () => {
    const happened: string[] = [];
    let finish = (): void => undefined;
    const slow = createTool("slow", "Takes its time.", object, async (_, { abortSignal }) => {
      abortSignal.addEventListener("abort", () => happened.push("aborted"));
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      happened.push("done");
      return "Done.";
    });
    const handler = await handlerOf({ verify, tools: [slow] } as Partial<McpHandlerOptions>);
    const [calling, idle] = [await open(handler, "ada"), await open(handler, "ada")];
    const call = { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "slow", arguments: {} } };
    await (await send(handler, "ada", call, calling)).body?.cancel();
    for (let count = 2; count < 1_000; count += 1) await open(handler, `mallory-${count % 20}`);
    await open(handler, "eve");
    expect(await statusOf(handler, "ada", idle)).toBe(404);
    expect(await statusOf(handler, "ada", calling)).toBe(200);
    finish();
    await until(() => happened.length > 0);
    expect(happened).toEqual(["done"]);
  });

  it("by sessions: one that waits for its user's decision isn't idle", async () => {
    const pay = createTool({ name: "pay", description: "Pays.", inputSchema: object, requiresConfirmation: true, execute: () => "Paid." });
    const handler = await handlerOf({ verify, tools: [pay] } as Partial<McpHandlerOptions>);
    const begun = await send(handler, "ada", {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { ...begin, capabilities: { elicitation: {} } },
    });
    await begun.text();
    const session = { "mcp-session-id": begun.headers.get("mcp-session-id") as string };
    const call = await send(
      handler,
      "ada",
      { jsonrpc: "2.0", id: 3, method: "tools/call", params: { name: "pay", arguments: {} } },
      session,
    );
    const texts = (call.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    let asked = "";
    while (!asked.includes("elicitation/create")) asked += (await texts.read()).value;
    const { id } = JSON.parse(/data: (\{.*elicitation.*)/.exec(asked)?.[1] ?? "{}") as { readonly id: number };
    for (let count = 1; count <= 100; count += 1) await open(handler, "ada");
    await send(handler, "ada", { jsonrpc: "2.0", id, result: { action: "accept", content: { approve: true } } }, session);
    let answered = "";
    while (!answered.includes("Paid.")) answered += (await texts.read()).value;
    expect(answered).toContain("Paid.");
    await texts.cancel();
  });

  it("by listening: a user's hundred-and-first subscription is refused until another ends", async () => {
    const handler = await handlerOf({ verify });
    const listenAs = (user: string): Promise<Response> => {
      const method = "subscriptions/listen";
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      const message = { jsonrpc: "2.0", id: 1, method, params: { notifications: { toolsListChanged: true }, _meta } };
      return send(handler, user, message, { "mcp-protocol-version": "2026-07-28", "mcp-method": method });
    };
    const streams = await Promise.all(Array.from({ length: 100 }, () => listenAs("mallory")));
    expect(streams.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 200));
    const refused = await listenAs("mallory");
    expect(refused.status).toBe(429);
    expect(await refused.text()).toContain("Subscription limit reached: 100 for a user");
    const ofAda = await listenAs("ada");
    expect(ofAda.status).toBe(200);
    handler.notifyToolsChanged();
    const texts = (ofAda.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
    let heard = "";
    while (!heard.includes("notifications/tools/list_changed")) heard += (await texts.read()).value;
    await texts.cancel();
    await streams[0]?.body?.cancel();
    await new Promise((resolve) => setImmediate(resolve));
    const again = await listenAs("mallory");
    expect(again.status).toBe(200);
    await Promise.all([again, ...streams.slice(1)].map(({ body }) => body?.cancel()));
  });
});

describe("parameters that clients repeat in headers", () => {
  const regionalOptions = {
    name: "regional",
    description: "Looks in a region.",
    inputSchema: { type: "object", properties: { region: { type: "string", "x-mcp-header": "Region" } }, required: ["region"] },
    execute: ({ region }: Record<string, unknown>) => String(region),
  } as const;
  const regional = createTool(regionalOptions);

  it("are refused if they differ from the arguments, which a proxy may have trusted", async () => {
    const handler = await handlerOf({ tools: () => [regional] } as Partial<McpHandlerOptions>);
    const call = { name: "regional", arguments: { region: "eu" } };
    const said = (region: string) => post(handler, "tools/call", call, { headers: { "mcp-param-region": region } });
    expect((await said("eu")).body.result?.content?.[0]?.text).toBe("eu");
    expect((await said("us")).status).toBe(400);
  });

  it("reveal nothing about a tool that the caller may not call: the server answers as if it didn't exist", async () => {
    const hidden = createTool({ ...regionalOptions, access: { scopes: ["admin"] } });
    const handler = await handlerOf({ tools: [hidden], verify: () => ({ userId: "eve" }) });
    const answersOf = async (name: string) => {
      const call = { name, arguments: { region: "eu" } };
      const authorization = "Bearer any";
      const answers = [
        await post(handler, "tools/call", call, { headers: { authorization } }),
        await post(handler, "tools/call", call, { headers: { authorization, "mcp-param-region": "us" } }),
      ];
      return answers.map(({ status, body }) => JSON.stringify({ status, body }).replaceAll(name, "it"));
    };
    expect(await answersOf("regional")).toEqual(await answersOf("nothing_here"));
  });
});
