import { documentOf, get, loopback, namesOf, oldDocumentOf, reasonOf, schemaOf } from "./support.js";

const { requestOf } = loopback();

const kept = { name: "page", in: "query", schema: { type: "integer" } };
const argumentsBeside = (parameter: object): readonly string[] =>
  namesOf(schemaOf(documentOf({ "/a": get({ schema: { type: "string" }, ...parameter }, kept) })));

describe("a header by which a request says who asks, or asks for another thing, is no argument", () => {
  it.each([
    ...["X-HTTP-Method-Override", "x-http-method", "X-METHOD-OVERRIDE", "X_HTTP_Method_Override", "X-Forwarded-For", "X-Forwarded-Host"],
    ...["X-Forwarded-User", "Forwarded", "X-Real-IP", "X-Original-URL", "X-Original-Host", "X-Rewrite-URL", "True-Client-IP", "Client-IP"],
    ...["CF-Connecting-IP", "X-Client-IP", "X-Cluster-Client-IP", "Fastly-Client-IP", "Host", "Connection", "Transfer-Encoding", "Cookie"],
    ...["Proxy-Authorization", "Proxy-Connection", "Via", "TE", "Upgrade", "Authorization", "X-Remote-User", "Sec-Fetch-Site", "Origin"],
    ...["Impersonate-User", "Impersonate-Group", "X-Impersonate-User"],
    ...["X-User-Id", "X-User-Role", "X-Consumer-Username", "X-Credential-Identifier", "X-Authenticated-UserId", "X-Hasura-Role"],
    ...["X-Envoy-Original-Path", "x-real-ip ", "X-Real-IP\r\nX-A", "X-Middleware-Subrequest", "Content-Length", "Remote_User"],
  ])("%j", (name) => {
    expect(argumentsBeside({ name, in: "header" })).toEqual(["page"]);
  });

  it("and one that is required refuses the operation, unless the application gives it", () => {
    const document = documentOf({ "/a": get({ name: "X-Forwarded-For", in: "header", required: true, schema: {} }) });
    expect(reasonOf(document)).toContain('it requires the header "X-Forwarded-For", which no model may choose. Give it: headers: {');
    expect(namesOf(schemaOf(document, { headers: { "x-forwarded-for": "10.0.0.1" } }))).toEqual([]);
  });

  it.each(["Idempotency-Key", "X-Request-Id", "If-Match", "Accept-Language", "Prefer", "X-Method-Name"])("but %s is one", (name) => {
    const argument = name.replaceAll("-", "_");
    expect(argumentsBeside({ name, in: "header" })).toEqual(name === "X-Method-Name" ? ["page"] : [argument, "page"]);
  });
});

describe("another method is chosen by no argument", () => {
  it.each(["_method", "_METHOD", "_HttpMethod", ".method", "x-http-method-override", "X-HTTP-Method", "_method_override"])(
    "%s is none of a query",
    (name) => expect(argumentsBeside({ name, in: "query" })).toEqual(["page"]),
  );

  it("a parameter named method stays one", () => {
    expect(argumentsBeside({ name: "method", in: "query" })).toEqual(["method", "page"]);
  });

  it("an object that writes any names into the query doesn't write it", async () => {
    const { url } = await requestOf(documentOf({ "/a": get({ name: "filter", in: "query", schema: { type: "object" } }) }), {
      filter: { _method: "DELETE", " _method": "DELETE", state: "open" },
    });
    expect(url).toBe("/a?state=open");
  });

  it.each(["application/json", "application/x-www-form-urlencoded", "multipart/form-data"])(
    "a body of %s doesn't hold it",
    async (type) => {
      const schema = { type: "object", properties: { _method: { type: "string" }, name: { type: "string" } } };
      const document = documentOf({ "/a": { post: { requestBody: { required: true, content: { [type]: { schema } } } } } });
      expect(namesOf(schemaOf(document))).toEqual(["name"]);
      const request = await requestOf(document, { name: "a" });
      expect(request.body).toContain("name");
      expect(request.body).not.toContain("DELETE");
    },
  );
});

describe("a cookie is no argument", () => {
  it("if it is optional, it is left out", async () => {
    const document = documentOf({ "/a": get({ name: "session", in: "cookie", schema: {} }, kept) });
    expect(namesOf(schemaOf(document))).toEqual(["page"]);
    expect((await requestOf(document, { page: 1 })).headers.cookie).toBeUndefined();
  });

  it("if it is required, the application gives it", async () => {
    const document = documentOf({ "/a": get({ name: "session", in: "cookie", required: true, schema: {} }) });
    expect(reasonOf(document)).toContain('it requires the cookie "session", which no model may choose. Give it: headers: { "cookie":');
    expect((await requestOf(document, {}, { headers: { cookie: "session=of-the-application" } })).headers.cookie).toBe(
      "session=of-the-application",
    );
  });

  it("of OpenAPI 2.0 neither, if a header carries it", () => {
    expect(namesOf(schemaOf(oldDocumentOf({ "/a": get({ name: "Cookie", in: "header", type: "string" }) })))).toEqual([]);
  });
});
