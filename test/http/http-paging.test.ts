import { HttpTool, type HttpPaging, http } from "../../src/http/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { description, optional, type ToolClass } from "../../src/tool/index.js";
import { type Api, answerWith, startApi } from "./support.js";

let api: Api;

beforeAll(async () => {
  api = await startApi();
});
beforeEach(() => api.requests.splice(0));
afterAll(() => api.close());

const listTool = (paging: HttpPaging, pick = "orders"): ToolClass => {
  @description("Lists orders. Use when asked to.")
  @http({ method: "GET", url: `${api.url}/orders?size=2`, headers: { "x-tenant": "roses" }, response: { pick }, paging })
  class ListTool extends HttpTool {
    @optional(String) state?: string;
  }
  return ListTool;
};

const seen = (): string[] => api.requests.map(({ url }) => url);

/** Answers page after page; `more` gives what leads from one to the next. */
const pagesOf =
  (pages: readonly (readonly number[])[], more: (page: number) => { headers?: Record<string, string>; body?: object }): Api["answer"] =>
  (request, response) => {
    const page = api.requests.length - 1;
    const { headers = {}, body = {} } = page + 1 < pages.length ? more(page + 1) : {};
    answerWith({ orders: pages[page], ...body }, { headers })(request, response);
  };

describe("paging by cursor", () => {
  const byCursor = { by: "cursor", cursor: "meta.next", parameter: "after" } as const;

  it("joins the pages until one has no cursor", async () => {
    api.answer = pagesOf([[1, 2], [3, 4], [5]], (page) => ({ body: { meta: { next: `p&${page}` } } }));
    expect(await invokeTool(listTool(byCursor), { state: "open" })).toEqual({ items: [1, 2, 3, 4, 5], complete: true });
    expect(seen()).toEqual(["/orders?size=2&state=open", "/orders?size=2&state=open&after=p%261", "/orders?size=2&state=open&after=p%262"]);
    expect(api.requests.map(({ headers }) => headers["x-tenant"])).toEqual(["roses", "roses", "roses"]);
  });

  it.each([null, "", undefined, false, {}])("ends at the cursor %j", async (next) => {
    api.answer = answerWith({ orders: [1], meta: { next } });
    expect(await invokeTool(listTool(byCursor), {})).toEqual({ items: [1], complete: true });
  });

  it("stops at maxPages and says that there is more", async () => {
    api.answer = pagesOf([[1], [2], [3], [4]], (page) => ({ body: { meta: { next: page } } }));
    expect(await invokeTool(listTool({ ...byCursor, maxPages: 2 }), {})).toEqual({ items: [1, 2], complete: false });
    expect(seen()).toHaveLength(2);
  });

  it.each([
    [3, [1, 2, 3], false, 2],
    [4, [1, 2, 3, 4], false, 2],
    [5, [1, 2, 3, 4, 5], true, 3],
  ])("stops at maxItems: %d", async (maxItems, items, complete, requests) => {
    api.answer = pagesOf([[1, 2], [3, 4], [5]], (page) => ({ body: { meta: { next: page } } }));
    expect(await invokeTool(listTool({ ...byCursor, maxItems }), {})).toEqual({ items, complete });
    expect(seen()).toHaveLength(requests);
  });

  it("isn't led in a circle", async () => {
    api.answer = answerWith({ orders: [1], meta: { next: "same" } });
    expect(await invokeTool(listTool(byCursor), {})).toEqual({ items: [1, 1], complete: false });
  });

  it("fails if a page is no list, or a later one fails", async () => {
    api.answer = answerWith({ orders: { 0: 1 } });
    await expect(invokeTool(listTool(byCursor), {})).rejects.toThrow("sent a page without a list of results");
    api.answer = (request, response) =>
      answerWith({ orders: [1], meta: { next: "p2" } }, { status: request.url.includes("after") ? 503 : 200 })(request, response);
    await expect(invokeTool(listTool(byCursor), {})).rejects.toThrow("failed (503)");
  });
});

describe("paging by link", () => {
  it.each<[string, (page: number) => string]>([
    ["whole", (page) => `<${api.url}/orders?page=${page}>; rel="next"`],
    ["relative", (page) => `</orders?page=${page}>; rel=next`],
    ["behind another relation", (page) => `</orders?page=${page}>; rel="start"; rel="NEXT"`],
    ["among others", (page) => `</orders?page=9>; rel="last", </orders?page=${page}>; title="a, <b>; rel=x"; rel="up next"`],
  ])("follows the header Link, %s", async (_, link) => {
    api.answer = pagesOf([[1, 2], [3]], (page) => ({ headers: { link: link(page) } }));
    expect(await invokeTool(listTool({ by: "link" }), {})).toEqual({ items: [1, 2, 3], complete: true });
    expect(seen()).toEqual(["/orders?size=2", "/orders?page=1"]);
    expect(api.requests[1]?.headers).toMatchObject({ "x-tenant": "roses" });
  });

  it.each(['</orders?page=2>; rel="prev"', '</orders?page=2>; rel="nextish"', "</orders?page=2>", "nonsense", '<http://[>; rel="next"'])(
    "ends where the header is %s",
    async (link) => {
      api.answer = answerWith({ orders: [1] }, { headers: { link } });
      expect(await invokeTool(listTool({ by: "link" }), {})).toEqual({ items: [1], complete: true });
    },
  );

  it.each(["http://127.0.0.1:1/steal", "https://evil.example/", "//evil.example/x"])(
    "doesn't follow one to another origin, to which the headers would go: %s",
    async (target) => {
      api.answer = answerWith({ orders: [1] }, { headers: { link: `<${target}>; rel="next"` } });
      await expect(invokeTool(listTool({ by: "link" }), {})).rejects.toThrow("and the request isn't sent there");
      expect(seen()).toHaveLength(1);
    },
  );

  it("reads a hostile header in time that grows with its length alone", async () => {
    const parts = ["<a>;b", "<a>;b=", '<a>; rel="', "<a>;".repeat(2_000), "<".repeat(7_000)];
    for (const part of parts) {
      api.answer = answerWith({ orders: [1] }, { headers: { link: `${part}${" ".repeat(7_000)}x` } });
      const started = process.cpuUsage();
      expect(await invokeTool(listTool({ by: "link" }), {})).toEqual({ items: [1], complete: true });
      expect(process.cpuUsage(started).user).toBeLessThan(10_000_000);
    }
  });
});
