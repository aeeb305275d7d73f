import dns from "node:dns/promises";
import { openApiToolbox } from "../../../src/http/openapi/index.js";
import { secret } from "../../../src/http/secret.js";
import { invokeTool } from "../../../src/testing/index.js";
import { recordConnections } from "../../net/support.js";
import { documentOf, get, type Json, onlyTool, reasonOf } from "./support.js";

const operation = (rest: Json = {}): Json => ({ get: rest });

const identifiers = (paths: Json, options = {}): readonly string[] =>
  openApiToolbox(documentOf(paths), options).tools.map(({ identifier }) => identifier);

describe("the name of a tool", () => {
  it.each([
    ["getOrder", "getOrder"],
    ["repos/list-for-org", "repos_list-for-org"],
    ["find pet by id", "find_pet_by_id"],
    ["(get).users", "get_users"],
  ])("comes from the operationId: %s", (operationId, name) => {
    expect(identifiers({ "/a": operation({ operationId }) })).toEqual([name]);
  });

  it.each([
    ["/orders/{id}/lines", "get_orders_id_lines"],
    ["/", "get"],
  ])("comes from method and path if there is no id: %s", (path, name) => {
    const parameters = path.includes("{") ? [{ name: "id", in: "path", required: true, schema: {} }] : [];
    expect(identifiers({ [path]: operation({ parameters }) })).toEqual([name]);
  });

  it("is unique, and the same whatever else is included", () => {
    const paths = { "/a": operation({ operationId: "get order" }), "/b": operation({ operationId: "get/order" }) };
    const names = identifiers(paths);
    expect(new Set(names).size).toBe(2);
    expect(names.every((name) => /^get_order_[0-9a-f]{8}$/.test(name))).toBe(true);
    expect(identifiers(paths, { include: ["get/order"] })).toEqual([names[1]]);
  });

  it("has 64 characters at most", () => {
    const [name = ""] = identifiers({ "/a": operation({ operationId: "x".repeat(100) }) });
    expect(name).toMatch(/^x{55}_[0-9a-f]{8}$/);
  });
});

describe("the description of a tool", () => {
  const descriptionOf = (rest: Json): string => onlyTool(documentOf({ "/a": operation(rest) })).definition.description;

  it("is summary and description, without HTML", () => {
    expect(descriptionOf({ summary: "Gets one.", description: "<p>By its <b>number</b>.<br>Or name.</p>" })).toBe(
      "Gets one.\n\nBy its number.\nOr name.",
    );
  });

  it("isn't said twice if the description begins with the summary", () => {
    expect(descriptionOf({ summary: "Gets one.", description: "Gets one. By number." })).toBe("Gets one. By number.");
  });

  it("says what is called if the document says nothing", () => {
    expect(descriptionOf({})).toBe("Calls GET /a.");
  });

  it("ends with a sentence if it would be longer than providers take", () => {
    const description = descriptionOf({ description: "One sentence of many words. ".repeat(100) });
    expect(description.length).toBeLessThanOrEqual(1_024);
    expect(description.endsWith("words.")).toBe(true);
  });
});

describe("the policy of a tool", () => {
  it.each([
    ["get", "read", "none", true],
    ["head", "read", "none", true],
    ["put", "write", "idempotent", true],
    ["post", "write", undefined, false],
    ["patch", "write", undefined, false],
    ["delete", "delete", "idempotent", true],
  ])("comes from its method: %s", (method, category, effect, retryable) => {
    expect(onlyTool(documentOf({ "/a": { [method]: { tags: ["orders"] } } })).definition).toMatchObject({
      category,
      ...(effect === undefined ? {} : { effect }),
      retryable,
      tags: ["orders"],
    });
  });
});

describe("include", () => {
  const paths = {
    "/orders": operation({ operationId: "listOrders", tags: ["orders"] }),
    "/orders/new": operation({ operationId: "newOrder", tags: ["orders"] }),
    "/users": operation({ operationId: "listUsers" }),
  };

  it.each([
    [["newOrder"], ["newOrder"]],
    [["list*"], ["listOrders", "listUsers"]],
    [["GET /orders*"], ["listOrders", "newOrder"]],
    [
      ["GET /users", "newOrder"],
      ["newOrder", "listUsers"],
    ],
    [["*"], ["listOrders", "newOrder", "listUsers"]],
  ])("takes ids, methods with paths, and *: %j", (include, names) => {
    expect(identifiers(paths, { include })).toEqual(names);
  });

  it("takes a function, which sees tags, method and path", () => {
    const include = ({ tags }: { readonly tags: readonly string[] }): boolean => tags.includes("orders");
    expect(identifiers(paths, { include })).toEqual(["listOrders", "newOrder"]);
  });

  it("that names no operation is an error with those that there are", () => {
    expect(reasonOf(documentOf(paths), { include: ["listOrder"] })).toBe(
      'openApiToolbox: include has "listOrder", which isn\'t an operation. There are: listOrders, newOrder, listUsers.',
    );
  });

  it("that names an operation which can't be expressed is an error with the reason", () => {
    const document = documentOf({ "/a": { trace: { operationId: "traceIt" } }, "/b": get() });
    expect(openApiToolbox(document).refused).toEqual([
      { operation: "TRACE /a", operationId: "traceIt", reason: "its method is TRACE; GET, HEAD, POST, PUT, PATCH, DELETE can be sent." },
    ]);
    expect(reasonOf(document, { include: ["traceIt"] })).toContain("TRACE /a: its method is TRACE");
  });
});

describe("an operation", () => {
  it("that shares its operationId is refused, by name, with what to do", () => {
    const { tools, refused } = openApiToolbox(documentOf({ "/a": get(), "/b": get(), "/c": operation() }));
    expect(tools).toHaveLength(1);
    expect(refused.map(({ operation: label, reason }) => `${label}: ${reason}`)).toEqual([
      'GET /a: its operationId "ask" is also that of GET /b. Give each an id of its own in the document.',
      'GET /b: its operationId "ask" is also that of GET /a. Give each an id of its own in the document.',
    ]);
  });

  it("whose path holds what no parameter fills is refused", () => {
    expect(reasonOf(documentOf({ "/orders/{id}": get() }))).toContain("its path holds {id}, but no path parameter has that name");
  });

  it("that answers with nothing a model can read is refused", () => {
    const responses = { 200: { description: "OK", content: { "audio/wav": {} } } };
    expect(reasonOf(documentOf({ "/a": operation({ responses }) }))).toContain(
      "it answers with audio/wav; a model can be given JSON, text, images and PDFs.",
    );
  });

  it.each([
    [{}, "the document names no server. Pass its URL: baseUrl:"],
    [{ servers: [{ url: "/v1" }] }, 'its server is "/v1", which isn\'t a complete URL. Pass one: baseUrl:'],
    [{ servers: [{ url: "https://{tenant}.example.com" }] }, 'its server is "https://{tenant}.example.com", which isn\'t a complete URL'],
    [{ servers: [{ url: "ftp://example.com" }] }, "which isn't a complete URL"],
  ])("without a server that can be asked says to give baseUrl: %j", (servers, reason) => {
    const { servers: _, ...document } = documentOf({ "/a": get() });
    expect(reasonOf({ ...document, ...servers })).toContain(reason);
    expect(reasonOf({ ...document, ...servers }, { baseUrl: "https://api.example.com" })).toBe("It is a tool.");
  });
});

describe("a server that the document names", () => {
  const served = (url: string): Json => ({ ...documentOf({ "/a": get() }), servers: [{ url }] });

  it.each([
    "http://localhost:8080",
    "http://10.0.0.7/v1",
    "http://169.254.169.254",
    "https://intranet",
    "http://[::1]",
    "http://2130706433",
  ])("can't be in the application's own network, unless the application says so: %s", (url) => {
    expect(reasonOf(served(url))).toContain("a private address that a document may not choose. If you mean it: baseUrl:");
    expect(reasonOf(served(url), { baseUrl: url })).toBe("It is a tool.");
  });

  it("can't lead there by its name either", async () => {
    const { addresses, restore } = recordConnections();
    // The overload that gives all addresses is the one that is used.
    const lookUp = jest.spyOn(dns, "lookup").mockResolvedValue([{ address: "10.0.0.7", family: 4 }] as never);
    const call = invokeTool(onlyTool(served("https://rebound.example.com")), {});
    await expect(call).rejects.toThrow("it leads to a private address");
    expect(addresses).toEqual([]);
    lookUp.mockRestore();
    restore();
  });

  it("gets the defaults of its variables", async () => {
    const server = {
      url: "https://{tenant}.example.com/{version}",
      variables: { tenant: { default: "acme" }, version: { default: "v2" } },
    };
    expect(reasonOf({ ...documentOf({ "/a": get() }), servers: [server] })).toBe("It is a tool.");
  });
});

describe("an option", () => {
  it.each<[object, string]>([
    [{ baseURL: "https://example.com" }, 'unknown option "baseURL". There are include, baseUrl, auth, headers.'],
    [{ baseUrl: "example.com" }, 'baseUrl is "example.com", but must be a whole URL'],
    [{ baseUrl: "https://user:pass@example.com" }, "without user, query and fragment"],
    [
      { auth: { key: secret("KEY") } },
      'auth has "key", which isn\'t a security scheme of the document. It has none; give what is needed by headers.',
    ],
    [{ auth: { key: "sk-123456789" } }, "auth.key must be secret"],
    [{ headers: { host: "example.com" } }, 'The header "host" can\'t be set'],
  ])("that is wrong is an error with what to do: %j", (options, message) => {
    const read = (): unknown => openApiToolbox(documentOf({ "/a": get() }), options);
    expect(read).toThrow(message);
    expect(read).not.toThrow("sk-123456789");
  });
});
