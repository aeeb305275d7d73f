import { inspect } from "node:util";
import { exchange } from "../../src/http/http-exchange.js";
import { type HttpHeaders, resolveHeaders } from "../../src/http/headers.js";
import { basic, bearer, secret } from "../../src/http/secret.js";
import { createTool, type ToolContext, ToolDefinitionError } from "../../src/index.js";
import { redactText } from "../../src/redaction/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { type Api, startApi } from "./support.js";

const token = "orders/zebra+token==";
let api: Api;

beforeAll(async () => {
  api = await startApi();
});
beforeEach(() => {
  api.requests.splice(0);
  process.env.ORDERS_TOKEN = token;
  // Servers that echo what they got are the worst case. PHP escapes slashes, others every character.
  api.answer = ({ headers }, response) => {
    const echoed = JSON.stringify({ headers, [`of ${headers.authorization}`]: true }).replaceAll("/", "\\/");
    response.writeHead(200, { "content-type": "application/json" }).end(echoed);
  };
});
afterEach(() => delete process.env.ORDERS_TOKEN);
afterAll(() => api.close());

const askWith = (headers: HttpHeaders, context: Record<string, unknown> = {}): Promise<unknown> => {
  const Ask = createTool({
    name: "ask",
    description: "Asks the service.",
    inputSchema: { type: "object" },
    execute: async (_, toolContext) =>
      (await exchange({ method: "GET", origin: api.url, url: api.url, headers: [headers] }, toolContext)).data,
  });
  return invokeTool(Ask, {}, { context });
};

const sent = () => api.requests[0]?.headers;

describe("secret(name)", () => {
  it("is read from the environment when a request is made", async () => {
    const headers = { "x-api-key": secret("ORDERS_TOKEN"), authorization: bearer(secret("ORDERS_TOKEN")) };
    process.env.ORDERS_TOKEN = "changed-meanwhile";
    await askWith(headers);
    expect(sent()).toMatchObject({ "x-api-key": "changed-meanwhile", authorization: "Bearer changed-meanwhile" });
  });

  it("or from a function, which may be asynchronous", async () => {
    await askWith({ "x-api-key": secret(async () => "from-the-vault") });
    expect(sent()).toMatchObject({ "x-api-key": "from-the-vault" });
  });

  it("becomes a header of name and password", async () => {
    await askWith({ authorization: basic("shop", secret("ORDERS_TOKEN")) });
    expect(sent()).toMatchObject({ authorization: `Basic ${btoa(`shop:${token}`)}` });
  });

  it.each([
    ["alone", { "x-note": secret("ORDERS_TOKEN") }],
    ["as a bearer token", { authorization: bearer(secret("ORDERS_TOKEN")) }],
    ["as a password", { authorization: basic("shop", secret("ORDERS_TOKEN")) }],
  ])("is hidden in what the service answers, %s", async (_, headers) => {
    const data = JSON.stringify(await askWith(headers));
    expect(data).toContain("[redacted]");
    expect(data).not.toMatch(/zebra|emVicm|YnJh|ZWJy/);
  });

  it("is hidden everywhere else from then on", async () => {
    await askWith({ authorization: bearer(secret("ORDERS_TOKEN")) });
    expect(redactText(`somebody logs ${token}`)).toBe("somebody logs [redacted]");
  });

  it("shows nothing of itself", () => {
    const orders = bearer(secret("ORDERS_TOKEN"));
    const shown = [
      `${orders}`,
      JSON.stringify({ orders }),
      inspect({ orders }, { showHidden: true, depth: 9 }),
      JSON.stringify({ ...orders }),
    ];
    expect(shown).toEqual(["[secret ORDERS_TOKEN]", '{"orders":"[secret ORDERS_TOKEN]"}', "{ orders: [secret ORDERS_TOKEN] }", "{}"]);
  });

  it.each<[string, string | undefined, string]>([
    ["isn't set", undefined, "The environment variable ORDERS_TOKEN is missing"],
    ["is empty", "", "The environment variable ORDERS_TOKEN is missing"],
    ["is too short to be hidden", "4711", "The environment variable ORDERS_TOKEN holds less than 8 characters"],
    ["ends with a line break", "4711-token\n", "The environment variable ORDERS_TOKEN holds a line break"],
  ])("that %s fails the call, not the definition, and names the variable", async (_, value, message) => {
    const headers = { authorization: bearer(secret("ORDERS_TOKEN")) };
    delete process.env.ORDERS_TOKEN;
    if (value !== undefined) process.env.ORDERS_TOKEN = value;
    await expect(askWith(headers)).rejects.toThrow(message);
    await expect(askWith(headers)).rejects.not.toThrow("4711");
    expect(api.requests).toEqual([]);
  });

  it("given the value instead of a name is rejected without revealing it", () => {
    const make = () => secret("sk-4711-value");
    expect(make).toThrow(ToolDefinitionError);
    expect(make).toThrow("takes the name of an environment variable");
    expect(make).not.toThrow("4711");
    expect(() => secret(undefined as unknown as string)).toThrow(ToolDefinitionError);
  });

  it("that is replaced is hidden in its new form alone", async () => {
    let value = "first-token-1";
    const headers = { "x-note": secret(() => value) };
    await askWith(headers);
    value = "second-token-2";
    await askWith(headers);
    expect(redactText("first-token-1 second-token-2")).toBe("first-token-1 [redacted]");
  });
});

describe("headers", () => {
  it("may come from the context, for the token of one user, and are hidden in that call alone", async () => {
    const headers: HttpHeaders = (context) => ({ authorization: `Bearer ${String(context.auth)}`, "x-trace": undefined });
    const data = JSON.stringify(await askWith(headers, { auth: "user-7-token" }));
    expect(sent()).toMatchObject({ authorization: "Bearer user-7-token" });
    expect(data).toContain('"authorization":"Bearer [redacted]"');
    expect(data).not.toContain("user-7-token");
    expect(redactText("user-7-token")).toBe("user-7-token");
  });

  it("that are fixed aren't redacted, except those with credentials", async () => {
    const data = JSON.stringify(await askWith({ "accept-language": "en-GB-oxendict", "x-api-key": "written-into-the-code" }));
    expect(data).toContain("en-GB-oxendict");
    expect(data).not.toContain("written-into-the-code");
  });

  it("of a later group replace those of an earlier one, in any spelling", async () => {
    const { headers } = await resolveHeaders([{ "X-Tenant": "a", accept: "text/csv" }, { "x-tenant": "b" }], {} as ToolContext);
    expect(headers).toEqual({ "x-tenant": "b", accept: "text/csv" });
  });

  it.each<[string, HttpHeaders, string]>([
    ["a secret in a template", () => ({ authorization: `Bearer ${secret("ORDERS_TOKEN")}` }), 'bearer(secret("..."))'],
    ["a number", () => ({ "x-page": 5 as unknown as string }), '"x-page" is no text'],
    ["a line break", () => ({ "x-note": "a\r\nhost: evil.example" }), '"x-note" holds a character that headers can\'t hold'],
    ["the connection's own", () => ({ host: "evil.example" }), '"host" can\'t be set'],
  ])("from a function that hold %s fail the call, and the error shows no value", async (_, headers, message) => {
    await expect(askWith(headers)).rejects.toThrow(message);
    await expect(askWith(headers)).rejects.not.toThrow(/evil|4711/);
    expect(api.requests).toEqual([]);
  });
});
