import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { ToolDefinitionError, ToolExecutionError } from "../../src/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { bing, brave, googleCustomSearch, type SearchEngine, searxng, serpApi, webSearch } from "../../src/tools/index.js";
import { type AnsweringServer, answeringServer, answerWith } from "./web-support.js";

const apiKey = "key-4711-s3cret";
let server: AnsweringServer;

beforeAll(async () => {
  server = await answeringServer();
});
beforeEach(() => server.requests.splice(0));
afterAll(() => server.close());

const at = (engine: SearchEngine): SearchEngine => ({ ...engine, url: `${server.url}${new URL(engine.url).pathname}` });
const search = (engine: SearchEngine, input: Record<string, unknown> = { query: "type systems" }) =>
  invokeTool(webSearch({ engine: at(engine), ...(engine.needsKey && { apiKey }) }), input);
const asked = () => {
  const [request] = server.requests;
  return { url: new URL(String(request?.url), server.url), headers: request?.headers ?? {} };
};

const found = {
  results: [
    { title: "Type system", snippet: "A set of rules", url: "https://example.org/types" },
    { title: "Types & tags", snippet: "", url: "https://example.org/tags" },
  ],
};

/** What each provider documents: its answer, the same without results, and where it reads query, count and key. */
const providers: readonly (readonly [string, SearchEngine, unknown, unknown, Record<string, string>, Record<string, string>])[] = [
  [
    "Brave Search",
    brave,
    {
      type: "search",
      query: { original: "type systems" },
      web: {
        type: "search",
        results: [
          { type: "search_result", title: "Type system", url: "https://example.org/types", description: "A set of <strong>rules</strong>" },
          { type: "search_result", title: "Types &amp; tags", url: "https://example.org/tags" },
        ],
      },
    },
    { type: "search", query: { original: "type systems" } },
    { q: "type systems", count: "5", text_decorations: "false" },
    { "x-subscription-token": apiKey },
  ],
  [
    "SearXNG",
    searxng("http://localhost:8080/"),
    {
      query: "type systems",
      number_of_results: 0,
      results: [
        { url: "https://example.org/types", title: "Type system", content: "A set of rules", engine: "wikipedia", score: 1 },
        { url: "https://example.org/tags", title: "Types & tags", engine: "wikipedia" },
      ],
      suggestions: [],
    },
    { query: "type systems", results: [] },
    { q: "type systems", format: "json" },
    {},
  ],
  [
    "SerpAPI",
    serpApi,
    {
      search_metadata: { status: "Success" },
      organic_results: [
        { position: 1, title: "Type system", link: "https://example.org/types", snippet: "A set of rules" },
        { position: 2, title: "Types & tags", link: "https://example.org/tags" },
      ],
    },
    { search_metadata: { status: "Success" }, error: "Google hasn't returned any results for this query." },
    { engine: "google", q: "type systems", num: "5", api_key: apiKey },
    {},
  ],
  [
    "Google Custom Search",
    googleCustomSearch("0123:abc"),
    {
      kind: "customsearch#search",
      items: [
        { kind: "customsearch#result", title: "Type system", link: "https://example.org/types", snippet: "A set of rules" },
        { kind: "customsearch#result", title: "Types & tags", link: "https://example.org/tags" },
      ],
    },
    { kind: "customsearch#search", searchInformation: { totalResults: "0" } },
    { key: apiKey, cx: "0123:abc", q: "type systems", num: "5" },
    {},
  ],
  [
    "Bing",
    bing,
    {
      _type: "SearchResponse",
      webPages: {
        value: [
          { name: "Type system", url: "https://example.org/types", snippet: "A set of rules" },
          { name: "Types & tags", url: "https://example.org/tags" },
        ],
      },
    },
    { _type: "SearchResponse" },
    { q: "type systems", count: "5", textFormat: "Raw" },
    { "ocp-apim-subscription-key": apiKey },
  ],
];

describe.each(providers)('seed 000, "webSearchTool": %s', (_, engine, answer, withoutResults, query, headers) => {
  it("is asked as its documentation says, and its answer becomes titles, snippets and URLs", async () => {
    server.answer = answerWith(answer);
    expect(await search(engine)).toEqual(found);
    const { url, headers: sent } = asked();
    expect(url.pathname).toBe(new URL(engine.url).pathname);
    expect(Object.fromEntries(url.searchParams)).toEqual(query);
    expect(sent).toMatchObject({ accept: "application/json", ...headers });
  });

  it("that finds nothing gives no results", async () => {
    server.answer = answerWith(withoutResults);
    expect(await search(engine)).toEqual({ results: [] });
  });

  it.each<[string, unknown]>([
    ["null", null],
    ["a list", []],
    ["a text", '"x"'],
    ["members of other kinds", { web: 1, results: "x", organic_results: {}, items: null, webPages: [], error: 5 }],
    [
      "results of other kinds",
      {
        web: { results: [null, 1, {}, { url: 5 }] },
        results: [null],
        organic_results: [[]],
        items: ["x"],
        webPages: { value: [{ url: "javascript:alert(1)" }] },
      },
    ],
  ])("that answers %s gives no results", async (_kind, odd) => {
    server.answer = answerWith(odd);
    expect(await search(engine)).toEqual({ results: [] });
  });

  it.each<[string, Parameters<typeof answerWith>, string]>([
    ["a refused key", [{ error: { message: `${apiKey} is invalid` } }, { status: 401 }], "refused the request (401): "],
    ["a forbidden client", ["<h1>no</h1>", { status: 403, type: "text/html" }], "refused the request (403): "],
    [
      "a rate limit",
      ["", { status: 429, headers: { "retry-after": "7" } }],
      "takes no more requests for now (429). Try again in 7 seconds.",
    ],
    ["a rate limit without a time", [{}, { status: 429 }], "takes no more requests for now (429). Try again later."],
    ["an outage", ["<h1>Bad gateway</h1>", { status: 502, type: "text/html" }], "failed (502). Try again later."],
    ["HTML instead of JSON", ["<html>login</html>", { type: "text/html" }], "answered with text/html, but only application/json"],
    ["half a JSON", ['{"results": [', {}], "answered with JSON that is broken or cut off. Try again later."],
    ["nothing at all", ["", {}], "answered with JSON that is broken or cut off. Try again later."],
  ])("that answers with %s is a ToolExecutionError that says what to do, and shows no key", async (_kind, given, message) => {
    server.answer = answerWith(...given);
    const error: unknown = await search(engine).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(String(error)).toContain(message);
    expect(JSON.stringify([error, String(error), (error as Error).cause, String((error as Error).cause)])).not.toContain(apiKey);
  });
});

describe('seed 000, "webSearchTool"', () => {
  it("has the seed's input and output schema, and its name", () => {
    const { definition } = webSearch({ engine: brave, apiKey });
    expect(definition).toMatchObject({
      name: "web_search",
      category: "read",
      retryable: true,
      parametersSchema: {
        type: "object",
        properties: { query: { type: "string" }, num_results: { type: "integer", default: 5 } },
        required: ["query"],
      },
      outputSchema: {
        type: "object",
        properties: {
          results: {
            type: "array",
            items: { type: "object", properties: { title: { type: "string" }, snippet: { type: "string" }, url: { type: "string" } } },
          },
        },
      },
    });
  });

  const many = {
    results: Array.from({ length: 30 }, (_, index) => ({ title: `${index}`, content: "", url: `https://example.org/${index}` })),
  };

  it("gives num_results of the call, else the configured maxResults, else 5", async () => {
    server.answer = answerWith(many);
    const count = async (input: object, maxResults?: number): Promise<number> => {
      const tool = webSearch({ engine: searxng(server.url), ...(maxResults !== undefined && { maxResults }) });
      const { results } = (await invokeTool(tool, { query: "x", ...input })) as { results: unknown[] };
      return results.length;
    };
    expect([await count({}), await count({}, 3), await count({ num_results: 7 }, 3)]).toEqual([5, 3, 7]);
    await expect(count({ num_results: 21 })).rejects.toThrow("num_results must be at most 20");
    await expect(count({ num_results: 0 })).rejects.toThrow("num_results must be at least 1");
  });

  it.each(["", "  ", "x".repeat(2_001)])("refuses a query that no engine answers before it is sent (%#)", async (query) => {
    await expect(search(searxng(server.url), { query })).rejects.toThrow(/The query is (empty|longer than)/);
    expect(server.requests).toEqual([]);
  });

  it("reports the engine's reason for refusing a query, without the key", async () => {
    const body = {
      type: "ErrorResponse",
      error: { status: 422, detail: `Unable to validate request parameter(s) ${apiKey}`, code: "VALIDATION" },
    };
    server.answer = answerWith(body, { status: 422 });
    await expect(search(brave)).rejects.toThrow(
      "Brave Search refused the request (422): Unable to validate request parameter(s) [redacted]. Change it, or tell the user.",
    );
  });

  it("reports a search that failed inside a successful answer", async () => {
    server.answer = answerWith({ search_metadata: { status: "Error" }, error: "Your account has run out of searches." });
    await expect(search(serpApi)).rejects.toThrow("SerpAPI couldn't search: Your account has run out of searches.");
  });

  it("sends no key on where the engine redirects to another origin", async () => {
    const other = await answeringServer();
    server.answer = (_, response) => void response.writeHead(302, { location: `${other.url}/` }).end();
    await expect(search(brave)).rejects.toThrow("it leads to a private address");
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it("shows the key in nothing that a model reads", async () => {
    server.answer = answerWith({ results: [{ title: `leaked ${apiKey}`, content: "", url: `https://example.org/?q=${apiKey}` }] });
    const tool = webSearch({ engine: at(searxng(server.url)), apiKey });
    const executor = new ToolExecutor({ tools: [tool] });
    const result = await executor.call({ id: "call_1", name: "web_search", arguments: { query: "x" } }, createRunScope());
    expect(modelText(result)).toContain("leaked [redacted]");
    expect([modelText(result), JSON.stringify(tool.definition)].join()).not.toContain(apiKey);
  });

  it("ends at the caller's signal", async () => {
    const controller = new AbortController();
    server.answer = () => controller.abort();
    const tool = webSearch({ engine: at(searxng(server.url)) });
    await expect(invokeTool(tool, { query: "x" }, { abortSignal: controller.signal })).rejects.toThrow(/cancelled|aborted/i);
  });

  it("Requires: an external API key, from the application's environment, which goes to the engine and nowhere else", async () => {
    server.answer = answerWith({ organic_results: [{ title: "A", link: "https://example.org/a", snippet: "B" }] });
    const environment = { SERPAPI_KEY: "key-from-environment" };
    const tool = webSearch({ engine: at(serpApi), apiKey: environment.SERPAPI_KEY, maxResults: 5 });
    expect(await invokeTool(tool, { query: "a" })).toEqual({ results: [{ title: "A", snippet: "B", url: "https://example.org/a" }] });
    expect(asked().url.searchParams.get("api_key")).toBe(environment.SERPAPI_KEY);
    expect(() => webSearch({ engine: serpApi, apiKey: undefined })).toThrow("SerpAPI needs an apiKey. Pass one");
  });

  it.each<[string, string | undefined]>([
    ["is missing", undefined],
    ["is empty", ""],
    ["is too short to be one", "abc4711"],
    ["has a line break", "key-4711-s3cret\n"],
  ])("says at once that an apiKey %s, without revealing it", (_, key) => {
    const make = () => webSearch({ engine: brave, apiKey: key });
    expect(make).toThrow(ToolDefinitionError);
    expect(make).toThrow(/^webSearch: .*Brave Search/);
    if (key) expect(make).not.toThrow(key);
  });

  it.each([0, 1.5, 21, Number.NaN])("says at once that maxResults can't be %d", (maxResults) => {
    expect(() => webSearch({ engine: brave, apiKey, maxResults })).toThrow(
      `maxResults must be from 1 to 20 for Brave Search, got ${maxResults}`,
    );
  });

  it.each([
    ["isn't one", "localhost"],
    ["has no scheme", "localhost:8080"],
    ["is missing", undefined as unknown as string],
    ["is of another protocol", "ftp://localhost"],
    ["holds a password", "https://user:s3cret@search.example.com"],
  ])("says at once that an instance's URL %s, without revealing it", (_, url) => {
    expect(() => webSearch({ engine: searxng(url) })).toThrow(ToolDefinitionError);
    expect(() => webSearch({ engine: searxng(url) })).not.toThrow(/s3cret/);
  });

  it.each<[string, unknown]>([
    ["its name", "brave"],
    ["a function to be called", searxng],
    ["nothing", undefined],
  ])("says at once that an engine isn't %s", (_, engine) => {
    expect(() => webSearch({ engine: engine as SearchEngine, apiKey })).toThrow("webSearch: the engine isn't one. Give brave, searxng(");
  });

  it("takes an engine of one's own", async () => {
    server.answer = answerWith([{ name: "A", link: "https://example.org/a" }]);
    const own: SearchEngine = {
      name: "Intranet",
      url: `${server.url}/find`,
      maxResults: 3,
      needsKey: false,
      whenRefused: "ask IT.",
      request: ({ query }) => ({ query: { text: query } }),
      pages: (answer) =>
        (answer as { name: string; link: string }[]).map(({ name, link }) => ({ title: name, snippet: undefined, url: link })),
    };
    expect(await invokeTool(webSearch({ engine: own }), { query: "a" })).toEqual({
      results: [{ title: "A", snippet: "", url: "https://example.org/a" }],
    });
  });
});
