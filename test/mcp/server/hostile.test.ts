import fc from "fast-check";
import { createTool, description, identifier, optional, required, Tool } from "../../../src/index.js";
import { type McpHandler, mcpHandler } from "../../../src/mcp/index.js";
import { closeAll, closeLater, post } from "./support.js";
import { repeats } from "../../support/repeats.js";

/** Requests that no client of the SDK sends: each is answered, no tool runs by them, and the server goes on. */

const ran: unknown[] = [];
afterEach(() => ran.splice(0));
afterAll(closeAll);

@identifier("note")
@description("Keeps a note. Use when the user wants something to be noted.")
class NoteTool extends Tool {
  @required(String) text!: string;
  @optional(Object) more?: object;

  call() {
    ran.push(this.text);
    return this.text;
  }
}
const anything = createTool("anything", "Takes anything.", { type: "object" }, (input) => {
  ran.push(input);
  return input;
});

let handler: McpHandler;
beforeAll(async () => {
  handler = closeLater(await mcpHandler({ name: "shop", version: "1.0.0", tools: [NoteTool, anything] }));
});

const headers = {
  host: "localhost",
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2026-07-28",
  "mcp-method": "tools/call",
  "mcp-name": "note",
};

const send = (body: string, more: Record<string, string> = {}): Promise<Response> =>
  handler(new Request("http://localhost/mcp", { method: "POST", headers: { ...headers, ...more }, body }));

const meta = JSON.stringify({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
});

/** A call whose arguments are this text, which need be no JSON. */
const callWith = (argumentsText: string, more?: Record<string, string>): Promise<Response> =>
  send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"note","arguments":${argumentsText},"_meta":${meta}}}`, more);

async function stillWorks(): Promise<void> {
  const { body } = await post(handler, "tools/call", { name: "note", arguments: { text: "still here" } });
  expect(body.result?.content?.[0]?.text).toBe("still here");
}

describe("a message that would take long to check", () => {
  it.each([
    ["of 200,000 values", `{"text":"a","more":{"list":[${"1,".repeat(200_000)}1]}}`],
    ["nested 100,000 levels deep", `{"text":"a","more":{"list":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`],
  ])("is rejected before it is parsed: %s", async (_name, argumentsText) => {
    const response = await callWith(argumentsText);
    expect(response.status).toBe(413);
    expect(await response.text()).toContain("The message holds more than 150000 values, or is nested more than 200 levels deep.");
    expect(ran).toEqual([]);
    await stillWorks();
  });

  it("is rejected if it is a batch of more than 100 messages", async () => {
    const response = await send(`[${Array(101).fill('{"jsonrpc":"2.0","method":"notifications/initialized"}').join(",")}]`);
    expect(response.status).toBe(413);
    expect(await response.text()).toContain("The batch holds 101 messages; 100 are the most that are read at once.");
  });

  it("is answered if its brackets and commas stand in a text", async () => {
    const response = await callWith(JSON.stringify({ text: `[{,"\\`.repeat(10_000) }));
    expect(response.status).toBe(200);
    expect(ran).toHaveLength(1);
  });
});

describe("what is no request", () => {
  it.each<[string, string]>([
    ["nothing", ""],
    ["no JSON", "{"],
    ["null", "null"],
    ["a number", "7"],
    ["an empty batch", "[]"],
    ["a batch of numbers", "[1, 2]"],
    ["a request of another protocol", '{"jsonrpc":"1.0","id":1,"method":"tools/call"}'],
    ["a request without a method", '{"jsonrpc":"2.0","id":1}'],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"tools/list"}'],
    ["a response that nobody waits for", '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ["a request without an envelope", '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"note","arguments":{"text":"x"}}}'],
  ])("%s is answered with a status of the client's fault", async (_name, body) => {
    const { status } = await send(body);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(ran).toEqual([]);
    await stillWorks();
  });

  it("another kind of content is refused unread", async () => {
    expect((await callWith('{"text":"x"}', { "content-type": "text/plain" })).status).toBe(415);
    expect(ran).toEqual([]);
  });

  it("arguments of more than 2 million characters are no failure of the server", async () => {
    const warned = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const response = await callWith(JSON.stringify({ text: "x".repeat(2_500_000) }));
    expect(response.status).toBe(200);
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
    expect(ran).toHaveLength(1);
  });

  it("more than 4 MB is refused", async () => {
    expect((await callWith(JSON.stringify({ text: "x".repeat(5 * 1024 * 1024) }))).status).toBe(413);
    expect(ran).toEqual([]);
  });

  it.each(["GET", "DELETE", "PUT", "OPTIONS"])("%s asks for nothing here", async (method) => {
    const { status } = await handler(new Request("http://localhost/mcp", { method, headers: { host: "localhost" } }));
    expect(status).toBeGreaterThanOrEqual(400);
    await stillWorks();
  });
});

describe("the id of a request", () => {
  const noteWith = (part: string): Promise<Response> =>
    send(`{"jsonrpc":"2.0",${part},"method":"tools/call","params":{"name":"note","arguments":{"text":"noted"},"_meta":${meta}}}`);

  it.each(['""', '"a"', "0", "-1", `"${"x".repeat(100_000)}"`])(
    "may be any text or whole number, and comes back as it was (%#)",
    async (id) => {
      const response = await noteWith(`"id":${id}`);
      expect(response.status).toBe(200);
      expect(((await response.json()) as { id: unknown }).id).toBe(JSON.parse(id));
      expect(ran).toEqual(["noted"]);
    },
  );

  it.each(["null", "true", "1.5", "[]", "{}", "1e300"])("can't be %s: no tool runs", async (id) => {
    expect((await noteWith(`"id":${id}`)).status).toBe(400);
    expect(ran).toEqual([]);
  });
});

describe("arguments", () => {
  it.each(["[]", "7", '"text"', "null", "true"])("that are %s are no arguments", async (text) => {
    const { error } = (await (await callWith(text)).json()) as { readonly error?: { readonly code: number } };
    expect(error?.code).toBe(-32602);
    expect(ran).toEqual([]);
  });

  it.each<[string, string]>([
    ["a forbidden key", '{"text":"x","more":{"__proto__":{"admin":true}}}'],
    ["an unknown key", '{"text":"x","constructor":"y"}'],
    ["a wrong type", '{"text":{"toString":"x"}}'],
    ["ten thousand levels", `{"text":"x","more":${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}}`],
  ])("with %s reach no tool", async (_name, text) => {
    const response = await callWith(text);
    const { result } = (await response.json()) as { readonly result?: { readonly isError?: boolean } };
    expect(result === undefined || result.isError === true).toBe(true);
    expect(ran).toEqual([]);
    expect({}).not.toHaveProperty("admin");
    await stillWorks();
  });
});

it("a forbidden key beside the arguments is dropped by the SDK, and reaches no tool", async () => {
  await callWith('{"text":"x","__proto__":{"admin":true}}');
  expect(ran).toEqual(["x"]);
  expect({}).not.toHaveProperty("admin");
});

/** What JavaScript reads without rounding it, and what no key of says something to it. */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, member]) => !["__proto__", "constructor"].includes(name) && isPlain(member));
}

it("whatever a tool takes comes back as it was sent", async () => {
  const input = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 }), { noNullPrototype: true }).filter(isPlain);
  await fc.assert(
    fc.asyncProperty(input, async (sent) => {
      const { body } = await post(handler, "tools/call", { name: "anything", arguments: sent });
      expect(JSON.parse(body.result?.content?.[0]?.text ?? "")).toEqual(JSON.parse(JSON.stringify(sent)));
    }),
    { numRuns: repeats(100) },
  );
});

it("whatever is asked for by name, only the two tools exist", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 300 }), async (name) => {
      const { body } = await post(handler, "tools/call", { name, arguments: {} }, { headers: { "mcp-name": encodeName(name) } });
      expect(body.result?.isError ?? body.error !== undefined).toBe(true);
    }),
    { numRuns: repeats(100) },
  );
  expect(ran).toEqual([]);
});

/** As the protocol has names in headers: in base64 where they aren't plain. */
const encodeName = (name: string): string => (/^[!-~]+$/.test(name) ? name : `=?base64?${Buffer.from(name).toString("base64")}?=`);

it("a handler that is closed answers 503, to clients of every revision", async () => {
  const closed = await mcpHandler({ name: "shop", version: "1.0.0", tools: [NoteTool] });
  await closed.close();
  expect((await post(closed, "tools/list", {})).status).toBe(503);
  expect((await closed(new Request("http://localhost/mcp", { method: "POST", headers, body: "{}" }))).status).toBe(503);
});
