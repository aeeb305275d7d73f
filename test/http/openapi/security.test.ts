import { inspect } from "node:util";
import { type OpenApiAuth, openApiToolbox, type OpenApiOptions } from "../../../src/http/openapi/index.js";
import { basic, bearer, secret } from "../../../src/http/secret.js";
import { invokeTool } from "../../../src/testing/index.js";
import { answerWith, type SeenRequest } from "../support.js";
import { documentOf, type Json, loopback, oldDocumentOf, onlyTool, reasonOf } from "./support.js";

const { api, requestOf } = loopback();

const schemes = {
  key: { type: "apiKey", in: "header", name: "X-Api-Key" },
  queryKey: { type: "apiKey", in: "query", name: "api_key" },
  session: { type: "apiKey", in: "cookie", name: "sid" },
  token: { type: "http", scheme: "Bearer" },
  login: { type: "http", scheme: "basic" },
  oauth: { type: "oauth2", flows: {} },
  openId: { type: "openIdConnect", openIdConnectUrl: "https://example.com" },
  certificate: { type: "mutualTLS" },
};

const secured = (security: readonly Json[] | undefined, operation: Json = {}): Json =>
  documentOf({ "/a": { get: { ...(security && { security }), ...operation } } }, { components: { securitySchemes: schemes } });

const value = "s3cret/value+of=it";
const given = secret(() => value);

const sent = async (
  security: readonly Json[],
  auth: NonNullable<OpenApiOptions["auth"]>,
  operation: Json = {},
  values: Json = {},
): Promise<SeenRequest> => requestOf(secured(security, operation), values, { auth });

describe('OpenAPI 3, "Security Scheme Object"', () => {
  it.each([
    ["key", "x-api-key", value],
    ["session", "cookie", `sid=${encodeURIComponent(value)}`],
    ["token", "authorization", `Bearer ${value}`],
    ["oauth", "authorization", `Bearer ${value}`],
    ["openId", "authorization", `Bearer ${value}`],
  ])("%s is sent in the header %s", async (scheme, header, text) => {
    expect((await sent([{ [scheme]: [] }], { [scheme]: given })).headers[header]).toBe(text);
  });

  it("queryKey is sent in the query, beside what the model gives", async () => {
    const operation = { parameters: [{ name: "page", in: "query", schema: {} }] };
    expect((await sent([{ queryKey: [] }], { queryKey: given }, operation, { page: 2 })).url).toBe(
      `/a?page=2&api_key=${encodeURIComponent(value)}`,
    );
  });

  it("login is sent as basic authorisation", async () => {
    const { headers } = await sent([{ login: [] }], { login: { username: "ada", password: given } });
    expect(headers.authorization).toBe(`Basic ${Buffer.from(`ada:${value}`).toString("base64")}`);
  });

  it("may come from the context, if each user has a token of their own", async () => {
    const tool = onlyTool(secured([{ token: [] }]), { baseUrl: api().url, auth: { token: ({ userId }) => `token-of-${userId}` } });
    await invokeTool(tool, {}, { context: { userId: "ada" } });
    expect(api().requests.at(-1)?.headers.authorization).toBe("Bearer token-of-ada");
  });

  it("without a token of this user isn't sent at all", async () => {
    const tool = onlyTool(secured([{ token: [] }]), { baseUrl: api().url, auth: { token: () => "" } });
    await expect(invokeTool(tool, {})).rejects.toThrow('no credentials of this user for "token". Tell the user.');
  });
});

describe('OpenAPI 3, "Security Requirement Object"', () => {
  it("sends all of one alternative", async () => {
    const { headers } = await sent([{ token: [], key: [] }], { token: given, key: given });
    expect([headers.authorization, headers["x-api-key"]]).toEqual([`Bearer ${value}`, value]);
  });

  it("sends the first alternative for which everything was given", async () => {
    const { headers } = await sent([{ login: [] }, { token: [], key: [] }, { key: [] }], { key: given });
    expect([headers.authorization, headers["x-api-key"]]).toEqual([undefined, value]);
  });

  it("sends nothing if nothing is needed, and what was given if it may be", async () => {
    expect((await sent([{}, { key: [] }], {})).headers["x-api-key"]).toBeUndefined();
    expect((await sent([{}, { key: [] }], { key: given })).headers["x-api-key"]).toBe(value);
  });

  it("of the document holds if the operation says none", async () => {
    const document = { ...secured(undefined), security: [{ key: [] }] };
    expect((await requestOf(document, {}, { auth: { key: given } })).headers["x-api-key"]).toBe(value);
    expect(
      (await requestOf({ ...secured([]), security: [{ key: [] }] }, {}, { auth: { key: given } })).headers["x-api-key"],
    ).toBeUndefined();
  });

  it.each<[readonly Json[], string]>([
    [[{ token: [] }], 'it needs token, which wasn\'t given: auth: { token: secret("...") }.'],
    [[{ login: [] }], 'auth: { login: { username: "...", password: secret("...") } }.'],
    [[{ token: [] }, { key: [] }], ", or key, which wasn't given"],
  ])("that nothing was given for refuses the operation, with what to give: %j", (security, reason) => {
    expect(reasonOf(secured(security))).toContain(reason);
  });

  it("keeps operations that need nothing", () => {
    const document = { ...secured([{ token: [] }]), paths: { "/a": { get: { security: [{ token: [] }] } }, "/b": { get: {} } } };
    const { tools, refused } = openApiToolbox(document);
    expect([tools.map(({ identifier }) => identifier), refused.map(({ operation }) => operation)]).toEqual([["get_b"], ["GET /a"]]);
  });

  it("whose scheme can't be sent says which can", () => {
    expect(reasonOf(secured([{ certificate: [] }]), { auth: { certificate: given } })).toContain(
      'its security scheme "certificate" is mutualTLS; API keys, basic and bearer authorisation, OAuth 2 and OpenID Connect can be sent.',
    );
  });

  it("whose scheme isn't defined says so", () => {
    expect(reasonOf(secured([{ nobody: [] }]))).toContain("it needs nobody, which the document doesn't define");
  });
});

describe('OpenAPI 2.0, "Security Scheme Object"', () => {
  const old = (scheme: Json): Json => oldDocumentOf({ "/a": { get: {} } }, { securityDefinitions: { s: scheme }, security: [{ s: [] }] });

  it.each([
    [{ type: "apiKey", in: "header", name: "X-Key" }, "x-key", value],
    [{ type: "oauth2", flow: "implicit" }, "authorization", `Bearer ${value}`],
  ])("%j", async (scheme, header, text) => {
    expect((await requestOf(old(scheme), {}, { auth: { s: given } })).headers[header]).toBe(text);
  });

  it("basic", async () => {
    const { headers } = await requestOf(old({ type: "basic" }), {}, { auth: { s: { username: "ada", password: given } } });
    expect(headers.authorization).toMatch(/^Basic /);
  });
});

describe("a credential", () => {
  it.each<[OpenApiAuth, string]>([
    [{ token: bearer(given) }, "token"],
    [{ login: { username: "ada", password: basic("ada", given) } }, "login"],
  ])("that bearer or basic has written already is refused, as it would be written twice: %#", (auth, scheme) => {
    expect(reasonOf(secured([{ [scheme]: [] }]), { auth })).toBe(
      `openApiToolbox: auth.${scheme} takes the secret itself, without bearer(...) or basic(...): the document says in which form it is sent.`,
    );
  });

  it("of a header of the application's own form may be written by bearer", async () => {
    expect((await sent([{ key: [] }], { key: bearer(given) })).headers["x-api-key"]).toBe(`Bearer ${value}`);
  });

  it("is no argument, if the document declares it as a parameter too", async () => {
    const operation = { parameters: [{ name: "x-api-key", in: "header", required: true, schema: { type: "string" } }] };
    expect((await sent([{ key: [] }], { key: given }, operation)).headers["x-api-key"]).toBe(value);
  });

  it("can't be replaced by an argument whose members are parameters", async () => {
    const operation = { parameters: [{ name: "filter", in: "query", schema: { type: "object" } }] };
    const { url } = await sent([{ queryKey: [] }], { queryKey: given }, operation, { filter: { api_key: "mine", a: 1 } });
    expect(url).toBe(`/a?a=1&api_key=${encodeURIComponent(value)}`);
  });

  it.each(["key", "queryKey", "session", "token"])("that the service echoes isn't shown: %s", async (scheme) => {
    const tool = onlyTool(secured([{ [scheme]: [] }]), { baseUrl: api().url, auth: { [scheme]: given } });
    api().answer = ({ url, headers }, response) => answerWith({ url, headers })({ url } as SeenRequest, response);
    const answer = JSON.stringify(await invokeTool(tool, {}));
    api().answer = ({ url, headers }, response) =>
      answerWith({ error: `${url} ${JSON.stringify(headers)}` }, { status: 400 })({} as SeenRequest, response);
    const failure = await invokeTool(tool, {}).catch((error: unknown) => inspect(error, { depth: 9 }));
    api().answer = answerWith({});
    for (const text of [answer, String(failure)]) {
      expect(text).not.toContain(value);
      expect(text).not.toContain(encodeURIComponent(value));
    }
    expect(answer).toContain("[redacted]");
  });
});
