import { exchange, type HttpRequest } from "../../src/http/http-exchange.js";
import { HttpError } from "../../src/http/http-error.js";
import { createTool, ToolExecutionError } from "../../src/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { type Api, answerWith, startApi } from "./support.js";

let api: Api;

beforeAll(async () => {
  api = await startApi();
});
beforeEach(() => api.requests.splice(0));
afterAll(() => api.close());

/** What a tool that makes this one request gives. */
const ask = (request: Partial<HttpRequest> = {}, abortSignal?: AbortSignal): Promise<unknown> => {
  const Ask = createTool({
    name: "ask",
    description: "Asks the service.",
    inputSchema: { type: "object" },
    execute: async (_, context) => (await exchange({ method: "GET", origin: api.url, url: `${api.url}/orders`, ...request }, context)).data,
  });
  return invokeTool(Ask, {}, abortSignal === undefined ? {} : { abortSignal });
};

const host = (): string => new URL(api.url).host;

describe('seed 004, "HttpImplementation": the answer', () => {
  it.each<[string, string, string, unknown]>([
    ["JSON", "application/json", '{"id":7}', { id: 7 }],
    ["JSON of a type of its own", "application/vnd.api+json; charset=utf-8", "[1]", [1]],
    ["plain text", "text/plain", "shipped", "shipped"],
    ["CSV", "text/csv", "a,b", "a,b"],
    ["a JSON null", "application/json", "null", null],
  ])("in %s becomes its value", async (_, type, body, data) => {
    api.answer = answerWith(body, { type });
    expect(await ask()).toEqual(data);
  });

  it("without a body gives no data", async () => {
    api.answer = (_, response) => void response.writeHead(204).end();
    expect(await ask({ method: "DELETE" })).toBeNull();
  });

  it("that is a page for people is refused where JSON was asked for", async () => {
    api.answer = answerWith("<h1>Sign in</h1>", { type: "text/html" });
    await expect(ask()).rejects.toThrow("answered with text/html, but only application/json");
    expect(await ask({ contentTypes: ["text/html"] })).toBe("<h1>Sign in</h1>");
  });

  it("that is larger than allowed is refused", async () => {
    api.answer = answerWith("x".repeat(2_000), { type: "text/plain" });
    await expect(ask({ maxBytes: 1_000 })).rejects.toThrow("is larger than 1000 bytes");
  });

  it("may hold members that mean something to JavaScript", async () => {
    api.answer = answerWith('{"__proto__":{"polluted":true},"constructor":1}');
    const data = (await ask()) as object;
    expect(JSON.parse(JSON.stringify(data))).toEqual(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'));
    expect("polluted" in {}).toBe(false);
  });
});

describe('seed 004, "run Method Implementation": HTTP errors become ToolExecutionErrors that say what to do', () => {
  it.each<[number, unknown, Record<string, string>, string]>([
    [400, { detail: "expand must be lines" }, {}, "refused the request (400): expand must be lines. Change it, or tell the user."],
    [401, {}, {}, "(401): it doesn't accept the application's credentials. Tell the user; trying again doesn't help."],
    [403, { message: "Read-only" }, {}, "(403): with the application's credentials this isn't allowed. It says: Read-only. Tell the user;"],
    [404, { error: { message: "No order 7" } }, {}, "can't find it (404): No order 7. Check the arguments, or tell the user."],
    [409, { title: "Already shipped" }, {}, "rejects this in its current state (409): Already shipped. Read the current state"],
    [410, {}, {}, "can't find it (410). Check the arguments"],
    [412, {}, {}, "rejects this in its current state (412). Read the current state"],
    [422, { errors: { price: ["must be above 0"] } }, {}, "refused the request (422): price: must be above 0. Change it"],
    [429, {}, { "retry-after": "30" }, "takes no more requests for now (429). Try again in 30 seconds."],
    [429, {}, {}, "takes no more requests for now (429). Try again later."],
    [500, {}, {}, "failed (500). Try again later."],
    [503, {}, { "retry-after": "120" }, "failed (503). Try again in 120 seconds."],
    [304, "", {}, "answered 304, which isn't what was asked for. Tell the user."],
  ])("%d %j", async (status, body, headers, message) => {
    api.answer = answerWith(body, { status, headers });
    const error: unknown = await ask().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(String(error)).toContain(`${host()} ${message.startsWith("(") ? "refused the request " : ""}${message}`);
    expect((error as Error).cause).toBeInstanceOf(HttpError);
    expect((error as Error).cause).toMatchObject({ status });
  });

  it.each<[string, unknown, string]>([
    ["RFC 9457", { type: "about:blank", title: "Invalid", detail: "Too long", status: 400 }, "Too long"],
    ["Stripe's", { error: { type: "card_error", message: "Card declined.", param: "number" } }, "number: Card declined"],
    ["Google's", { error: { code: 400, message: "Bad key", errors: [{ message: "Bad key", domain: "global" }] } }, "Bad key"],
    [
      "GitHub's",
      { message: "Validation Failed", errors: [{ resource: "Issue", field: "title", code: "missing_field" }] },
      "Validation Failed; title: missing_field",
    ],
    ["OAuth's", { error: "invalid_grant", error_description: "Expired" }, "Expired; invalid_grant"],
    ["FastAPI's", { detail: [{ loc: ["body", "price"], msg: "field required", type: "value_error" }] }, "price: field required"],
    ["Spring's", { timestamp: 1, status: 400, error: "Bad Request", message: "No price" }, "No price; Bad Request"],
  ])("the reason is found where it stands: %s", async (_, body, reason) => {
    api.answer = answerWith(body, { status: 400 });
    await expect(ask()).rejects.toThrow(`refused the request (400): ${reason}. Change it`);
  });

  it("the error includes a reason in plain text, but no page for people", async () => {
    api.answer = answerWith("Order numbers have six digits", { status: 400, type: "text/plain" });
    await expect(ask()).rejects.toThrow("refused the request (400): Order numbers have six digits. Change it");
    api.answer = answerWith("<h1>Oops</h1>", { status: 500, type: "text/html" });
    await expect(ask()).rejects.toThrow("failed (500). Try again later.");
  });

  it.each(["POST", "PATCH"] as const)("a %s that ends in an outage may have been done: the error asks to check first", async (method) => {
    api.answer = answerWith({}, { status: 502 });
    await expect(ask({ method, body: "{}", contentType: "application/json" })).rejects.toThrow(
      "failed (502). Try again later. It may have been done all the same: find out before you repeat it.",
    );
  });

  it("an unreachable service is named by its host", async () => {
    const gone = await startApi();
    await gone.close();
    await expect(ask({ origin: gone.url, url: `${gone.url}/orders?key=hidden` })).rejects.toThrow(
      `${gone.url} can't be reached: no server listens there.`,
    );
  });

  it("a request that would leave its origin isn't sent", async () => {
    await expect(ask({ url: "http://127.0.0.1:1/orders" })).rejects.toThrow(`it would have left ${api.url}`);
  });

  it("a redirect to another private host is refused", async () => {
    const other = await startApi();
    api.answer = (_, response) => void response.writeHead(302, { location: other.url }).end();
    await expect(ask()).rejects.toThrow("it leads to a private address");
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it("the caller's signal ends the exchange", async () => {
    const controller = new AbortController();
    api.answer = () => controller.abort();
    await expect(ask({}, controller.signal)).rejects.toThrow(/cancelled/);
  });
});
