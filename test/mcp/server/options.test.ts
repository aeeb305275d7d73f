import { createTool } from "../../../src/index.js";
import { mcpHandler, type ServeMcpOptions, serveMcp } from "../../../src/mcp/index.js";
import { createRegistry } from "../../../src/registry/index.js";
import { closeAll, closeLater, post } from "./support.js";

afterEach(closeAll);

const hello = createTool("hello", "Says hello.", { type: "object" }, () => "Hello.");
const served = { name: "shop", version: "1.0.0", tools: [hello] };
const secret = "0123456789-0123456789-0123456789";

const messageOf = (begin: () => Promise<{ close(): Promise<void> }>): Promise<string> =>
  begin().then(
    (begun) => begun.close().then(() => "It serves."),
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe("options of serveMcp that can't be meant are refused before anything is served", () => {
  it.each<[string, object, string]>([
    [
      "no transport",
      {},
      `TypeError: serveMcp: transport must be "stdio", { port: 3000 } to listen, or a transport of the SDK; got nothing.`,
    ],
    [
      "a transport that is misspelt",
      { transport: "Stdio" },
      `TypeError: serveMcp: transport must be "stdio", { port: 3000 } to listen, or a transport of the SDK; got "Stdio".`,
    ],
    [
      "a host without a port",
      { transport: { host: "127.0.0.1" } },
      "TypeError: serveMcp: transport.port must be a port, 0 for one that is free; got nothing.",
    ],
    [
      "a port that is a text",
      { transport: { port: "80" } },
      `TypeError: serveMcp: transport.port must be a port, 0 for one that is free; got "80".`,
    ],
    [
      "a host with a port",
      { transport: { port: 0, host: "localhost:3000" } },
      `TypeError: serveMcp: transport.host must be the address to listen on, without a port, such as "127.0.0.1"; got "localhost:3000".`,
    ],
    [
      "a verify that is misspelt, which would let everyone in",
      { transport: { port: 0, verfy: () => undefined } },
      `TypeError: serveMcp: transport: unknown option "verfy". Did you mean "verify"?`,
    ],
    [
      "a verify beside transport",
      { transport: { port: 0 }, verify: () => undefined },
      `TypeError: serveMcp: unknown option "verify". Over HTTP, it belongs into transport.`,
    ],
    [
      "a verify that is no function",
      { transport: { port: 0, verify: {} } },
      "TypeError: serveMcp: verify must be a function, got an object.",
    ],
    [
      "a path without a slash",
      { transport: { port: 0, path: "mcp" } },
      `TypeError: serveMcp: transport.path must be a path as it stands in URLs, such as "/mcp"; got "mcp".`,
    ],
    [
      "a path that no URL has",
      { transport: { port: 0, path: "/a b" } },
      `TypeError: serveMcp: transport.path must be a path as it stands in URLs, such as "/mcp"; got "/a b".`,
    ],
    [
      "a path with a query",
      { transport: { port: 0, path: "/mcp?a" } },
      `TypeError: serveMcp: transport.path must be a path as it stands in URLs, such as "/mcp"; got "/mcp?a".`,
    ],
    [
      "a name that is none",
      { name: undefined, transport: { port: 0 } },
      "TypeError: serveMcp: name must be a string that is sent to clients, got nothing.",
    ],
    [
      "instructions that are no text",
      { instructions: ["Be kind."], transport: { port: 0 } },
      "TypeError: serveMcp: instructions must be a string, got a list.",
    ],
    [
      "tools and a registry",
      { registry: createRegistry(), transport: { port: 0 } },
      "TypeError: serveMcp: give tools or a registry, not both: it would be unclear which of them is served.",
    ],
    [
      "a secret that is too short",
      { stateSecret: "guess-me", transport: { port: 0 } },
      `RangeError: serveMcp: stateSecret must have at least 32 bytes, got 8. Make one: openssl rand -base64 32. All processes need the same one.`,
    ],
    [
      "a secret that isn't set",
      { stateSecret: undefined, transport: { port: 0 } },
      "TypeError: serveMcp: stateSecret must be a string that can't be guessed, of at least 32 bytes; got undefined. Make one: openssl rand -base64 32. All processes need the same one.",
    ],
    [
      "a check of tokens that isn't set",
      { transport: { port: 0, verify: undefined } },
      "TypeError: serveMcp: verify is undefined, so that every request would be served. Pass a function, or leave verify out on purpose.",
    ],
    [
      "a secret that is no text",
      { stateSecret: 7, transport: { port: 0 } },
      "TypeError: serveMcp: stateSecret must be a string that can't be guessed, of at least 32 bytes; got number. Make one: openssl rand -base64 32. All processes need the same one.",
    ],
    [
      "a host to allow with a port",
      { transport: { port: 0, allowedHosts: ["localhost:3000"] } },
      `TypeError: serveMcp: allowedHosts takes names without scheme and port, such as "tools.example.com" or "[::1]"; got "localhost:3000".`,
    ],
    [
      "hosts to allow that are no list",
      { transport: { port: 0, allowedHosts: "localhost" } },
      `TypeError: serveMcp: allowedHosts must be a list of names, got "localhost".`,
    ],
    ...["*", "https://*", "https://app.example.com/page", "app.example.com:8080", "null://", ""].map((origin): [string, object, string] => [
      `the site "${origin}"`,
      { transport: { port: 0, allowedOrigins: [origin] } },
      `TypeError: serveMcp: allowedOrigins takes sites, such as "app.example.com" or "https://app.example.com"; got "${origin}".`,
    ]),
    [
      "metadata at no URL",
      { transport: { port: 0, resourceMetadataUrl: "/oauth" } },
      `TypeError: serveMcp: resourceMetadataUrl must be a whole URL, such as "https://tools.example.com/.well-known/oauth-protected-resource/mcp"; got "/oauth".`,
    ],
  ])("%s", async (_name, options, message) => {
    // What a caller in JavaScript may give.
    expect(await messageOf(() => serveMcp({ ...served, ...options } as unknown as ServeMcpOptions))).toBe(message);
  });
});

it.each<[string, unknown, string]>([
  ["nothing", undefined, "TypeError: mcpHandler: takes options, such as { name: ... }, got undefined."],
  ["a misspelt option", { ...served, verfy: () => undefined }, `TypeError: mcpHandler: unknown option "verfy". Did you mean "verify"?`],
  [
    "a toolContext that is no function",
    { ...served, toolContext: { userId: "ada" } },
    "TypeError: mcpHandler: toolContext must be a function, got an object.",
  ],
  [
    "a host that isn't a name",
    { ...served, allowedHosts: ["https://shop.example"] },
    `TypeError: mcpHandler: allowedHosts takes names without scheme and port, such as "tools.example.com" or "[::1]"; got "https://shop.example".`,
  ],
])("mcpHandler refuses %s", async (_name, options, message) => {
  expect(await messageOf(() => mcpHandler(options as never))).toBe(message);
});

it("options that are given as undefined are left out", async () => {
  const options = {
    ...served,
    stateSecret: secret,
    registry: undefined,
    instructions: undefined,
    allowedHosts: undefined,
  };
  expect(await messageOf(() => mcpHandler(options as never))).toBe("It serves.");
});

it.each([
  ["app.example.com", "https://app.example.com"],
  ["App.Example.com", "https://app.example.com"],
  ["https://app.example.com", "https://app.example.com"],
  ["https://app.example.com:8443/", "https://app.example.com:8443"],
  ["http://[::1]:5173", "http://[::1]:5173"],
  ["moz-extension://*", "moz-extension://4f2c"],
])("the site %s is let in as %s", async (allowed, origin) => {
  const handler = closeLater(await mcpHandler({ ...served, allowedOrigins: [allowed] }));
  const statusOf = async (from: string) => (await post(handler, "tools/list", {}, { headers: { origin: from } })).status;
  expect(await statusOf(origin)).toBe(200);
  expect(await statusOf("https://evil.example")).toBe(403);
});
