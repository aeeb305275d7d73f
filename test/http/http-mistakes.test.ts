import { bearer, createHttpTool, type HttpOptions, HttpTool, http, secret } from "../../src/http/index.js";
import { description, optional, required, Tool, type ToolClass, type ToolContext, ToolDefinitionError } from "../../src/tool/index.js";

const right: HttpOptions = { method: "GET", url: "https://api.example.com/orders/{orderNumber}" };

const toolWith = (options: unknown): ToolClass => {
  @description("Gets an order. Use when asked to.")
  // What JavaScript lets an author write.
  @http(options as HttpOptions)
  class GetOrderTool extends HttpTool {
    @required(String) orderNumber!: string;
    @optional(String) note?: string;
    @optional(String, { default: "en" }) language!: string;
    @optional([String]) tags?: string[];
    @optional(Object) filter?: object;
    @optional([Object]) parts?: object[];
  }
  return GetOrderTool;
};

const asPost = { ...right, method: "POST" };

describe("a mistake in @http is a ToolDefinitionError that names the class and shows the way out", () => {
  it.each<[string, unknown, string]>([
    ["no method", { url: right.url }, '@http says no method. Write it: method: "GET".'],
    ["an unknown method", { ...right, method: "get" }, '@http: method must be one of GET, HEAD, POST, PUT, PATCH, DELETE, got "get".'],
    ["no url", { method: "GET" }, "@http says no url."],
    ["a number as url", { ...right, url: 5 }, "url must be a string, got number."],
    ["a path alone", { ...right, url: "/orders" }, 'url: "/orders" is only a path. Write the whole URL, or give its beginning as baseUrl.'],
    ["half a URL", { ...right, url: "api.example.com/orders" }, "url: The URL's scheme, host and port must be written out"],
    ["a placeholder for the host", { ...right, url: "https://{note}/orders" }, "url: The URL's scheme, host and port must be written out"],
    ["a placeholder in the host", { ...right, url: "https://{note}.example.com/x" }, "url: The URL's scheme, host and port must be"],
    ["a placeholder for the port", { ...right, url: "https://a.example:{note}/x" }, "url: The URL's scheme, host and port must be"],
    ["a placeholder in the query", { ...right, url: "https://a.example/x?q={note}" }, "url: Placeholders stand in the URL's path alone"],
    ["an open placeholder", { ...right, url: "https://a.example/{orderNumber" }, "url: a placeholder is written {name}"],
    ["an empty placeholder", { ...right, url: "https://a.example/{}" }, "url: a placeholder is written {name}"],
    ["a fragment", { ...right, url: "https://a.example/x#top" }, "url: what stands behind # is never sent. Leave it out."],
    ["another scheme", { ...right, url: "ftp://a.example/{orderNumber}" }, "url: it must begin with https:// or http://, not with ftp://."],
    [
      "credentials",
      { ...right, url: "https://ann:hunter2@a.example/" },
      "url: it holds a user name or password. Write headers: { authorization: basic(",
    ],
    ["no URL", { ...right, url: "https://a b/x" }, "url: it isn't one. Write the whole of it"],
    [
      "an unknown placeholder",
      { ...right, url: "https://a.example/{orderNumbr}" },
      'url: "orderNumbr" isn\'t a parameter. Did you mean "orderNumber"?',
    ],
    ["an unknown query name", { ...right, query: ["notes"] }, 'query: "notes" isn\'t a parameter. Did you mean "note"?'],
    [
      "an unknown body name",
      { ...asPost, body: ["x"] },
      'body: "x" isn\'t a parameter. Known are: orderNumber, note, language, tags, filter, parts.',
    ],
    [
      "an optional placeholder",
      { ...right, url: "https://a.example/{note}" },
      "GetOrderTool.note: it is part of the URL's path, so every call needs it. Write @required",
    ],
    ["a list in the path", { ...asPost, url: "https://a.example/{tags}" }, "GetOrderTool.tags: it is part of the URL's path"],
    ["two places", { ...asPost, query: ["note"], body: ["note"] }, "GetOrderTool.note: it is sent in two places."],
    ["a placeholder in the query too", { ...asPost, query: ["orderNumber"] }, "GetOrderTool.orderNumber: it is sent in two places."],
    ["a body of GET", { ...right, body: ["note"] }, 'body: GET requests have none. Put ["note"] into query, or use POST.'],
    [
      "an object in the query",
      right,
      "GetOrderTool.filter: a query holds texts, numbers and booleans, but its type is object. Send it in the body",
    ],
    [
      "objects in the query",
      { ...asPost, query: ["parts"] },
      "GetOrderTool.parts: a query holds lists of texts, numbers and booleans, but its type is object.",
    ],
    ["a text as query", { ...right, query: "note" }, '@http: query takes the names of parameters, ["expand"], got "note".'],
    ["an unknown option", { ...right, querry: [] }, '@http: unknown option "querry". Did you mean "query"?'],
    [
      "an unknown option of the response",
      { ...asPost, response: { pik: "a" } },
      '@http: response: unknown option "pik". Did you mean "pick"?',
    ],
    [
      "an empty step",
      { ...asPost, response: { pick: "a..b" } },
      '@http: response.pick must be names joined by dots, "data.items", got "a..b".',
    ],
    ["no bytes", { ...asPost, response: { maxBytes: 0 } }, "@http: response.maxBytes must be a whole number from 1, got 0."],
    [
      "a type that is none",
      { ...asPost, response: { contentTypes: ["json"] } },
      '@http: response.contentTypes takes media types, ["text/html"], got ["json"].',
    ],
    ["pages of POST", { ...asPost, paging: { by: "link" } }, "paging: pages are read by GET, not by POST."],
    ["pages by nothing", { ...asPost, paging: { by: "page" } }, '@http: paging.by must be "link" or "cursor", got "page".'],
    [
      "a cursor that is nowhere",
      { ...asPost, paging: { by: "cursor", parameter: "after" } },
      "@http: paging.cursor must be names joined by dots",
    ],
    [
      "a cursor for nothing",
      { ...asPost, paging: { by: "cursor", cursor: "next" } },
      "@http: paging.parameter must name the query parameter",
    ],
    ["no pages", { ...asPost, paging: { by: "link", maxPages: 0 } }, "@http: paging.maxPages must be a whole number from 1, got 0."],
    [
      "half an item",
      { ...asPost, paging: { by: "link", maxItems: 0.5 } },
      "@http: paging.maxItems must be a whole number from 1, got 0.5.",
    ],
    ["headers that are a text", { ...asPost, headers: "x-a: 1" }, "@http: headers takes an object"],
    ["headers that are a secret", { ...asPost, headers: secret("ORDERS_TOKEN") }, "@http: headers takes an object"],
    [
      "a header of the connection",
      { ...asPost, headers: { Host: "evil.example" } },
      '@http: headers: The header "host" can\'t be set: the client writes it itself.',
    ],
    [
      "a header that can't be",
      { ...asPost, headers: { "x-note": "hunter2\n" } },
      '@http: headers: The header "x-note" holds a character that headers can\'t hold',
    ],
    ["a header's name that can't be", { ...asPost, headers: { "x note": "a" } }, '@http: headers: The header "x note" holds a character'],
    [
      "a header that is a number",
      { ...asPost, headers: { "x-page": 5 } },
      '@http: headers: "x-page" must be a string or a secret, got number.',
    ],
    [
      "a secret in a template",
      { ...asPost, headers: { authorization: `Bearer ${bearer(secret("ORDERS_TOKEN"))}` } },
      '@http: headers: "authorization" holds a secret\'s name. Write "authorization": bearer(secret("..."))',
    ],
  ])("%s", (_, options, message) => {
    const read = () => toolWith(options).definition;
    expect(read).toThrow(ToolDefinitionError);
    expect(read).toThrow(message);
    expect(read).toThrow(/^GetOrderTool/);
    expect(read).not.toThrow("hunter2");
    expect(read).not.toThrow("evil");
  });

  it("no @http at all", () => {
    @description("Gets an order. Use when asked to.")
    class BareTool extends HttpTool {}
    expect(() => BareTool.definition).toThrow("BareTool: no @http says what to ask. Write @http({ method:");
  });

  it("@http on a tool that isn't one", () => {
    expect(() => {
      @http(right)
      class OwnTool extends Tool {
        async call(_context: ToolContext): Promise<unknown> {
          return undefined;
        }
      }
      return OwnTool;
    }).toThrow("OwnTool: @http is for a class that extends HttpTool. Extend it, and leave call out.");
  });

  it("a parameter of call, which no request is filled from", () => {
    @description("Gets an order. Use when asked to.")
    @http({ method: "GET", url: "https://api.example.com/" })
    class CallTool extends HttpTool {
      override async call() {
        return undefined;
      }
    }
    // The compiler refuses such a signature; JavaScript doesn't.
    (required("orderNumber", String) as (prototype: object, name: string, index: number) => void)(CallTool.prototype, "call", 0);
    expect(() => CallTool.definition).toThrow("CallTool.orderNumber: a request is filled from fields.");
  });

  it("two lists in the path of DELETE", () => {
    @description("Deletes orders. Use when asked to.")
    @http({ method: "DELETE", url: "https://api.example.com/orders/{numbers}" })
    class DeleteTool extends HttpTool {
      @required([String]) numbers!: string[];
    }
    expect(() => DeleteTool.definition).toThrow(
      "DeleteTool.numbers: a path segment holds texts, numbers and booleans, but its type is array. Send it in query or body.",
    );
  });

  it("a URL of another service below a base class, whose headers it would get", () => {
    @http({ baseUrl: "https://api.example.com", headers: { authorization: bearer(secret("ORDERS_TOKEN")) } })
    abstract class OrdersTool extends HttpTool {}

    @description("Gets the weather. Use when asked to.")
    @http({ method: "GET", url: "https://weather.example.com/now" })
    class WeatherTool extends OrdersTool {}
    expect(() => WeatherTool.definition).toThrow('WeatherTool: url: it stands behind baseUrl, so it begins with "/".');
  });

  it("a base URL with a query", () => {
    expect(() => toolWith({ ...asPost, baseUrl: "https://a.example/?key=1", url: "/x" }).definition).toThrow(
      "baseUrl: it ends before ? and #.",
    );
  });

  it("a cursor that the model could write", () => {
    expect(() => {
      @description("Lists orders. Use when asked to.")
      @http({ method: "GET", url: "https://api.example.com/orders", paging: { by: "cursor", cursor: "next", parameter: "after" } })
      class ListTool extends HttpTool {
        @optional(String) after?: string;
      }
      return ListTool.definition;
    }).toThrow("ListTool.after: paging fills it with the cursor, so it can't be a parameter. Remove it.");
  });

  it("of createHttpTool at once", () => {
    const config = {
      name: "ask",
      description: "Asks.",
      inputSchema: { type: "object" },
      method: "GET",
      url: "https://a.example/{id}",
    } as const;
    expect(() => createHttpTool(config)).toThrow('createHttpTool "ask": url: "id" isn\'t a parameter. It has no parameters.');
    expect(() => createHttpTool({ ...config, execute: () => 1 } as never)).toThrow(ToolDefinitionError);
  });
});
