import { ToolDefinitionError, ToolExecutionError } from "../../src/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { WikipediaTool, wikipedia } from "../../src/tools/index.js";
import { type AnsweringServer, answeringServer, answerWith } from "./web-support.js";

let server: AnsweringServer;
beforeAll(async () => {
  server = await answeringServer();
});
beforeEach(() => server.requests.splice(0));
afterAll(() => server.close());

const look = (query = "ada lovelace", userAgent?: string) =>
  invokeTool(wikipedia({ url: `${server.url}/w/api.php`, ...(userAgent !== undefined && { userAgent }) }), { query });

const page = (index: number, title: string, extract: string, more: object = {}) => ({
  ...{ pageid: index, ns: 0, title, index, extract, fullurl: `https://en.wikipedia.org/wiki/${title.replaceAll(" ", "_")}` },
  ...more,
});
const answer = (...pages: object[]) => answerWith({ batchcomplete: true, query: { pages } });

describe('seed 000, "wikipediaTool"', () => {
  it("has the seed's input and output schema, and its name", () => {
    expect(WikipediaTool.definition).toMatchObject({
      name: "wikipedia",
      category: "read",
      parametersSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
      outputSchema: { type: "object", properties: { summary: { type: "string" }, url: { type: "string" } } },
    });
  });

  it("searches Wikipedia and returns the summary of the best article, with its URL", async () => {
    server.answer = answer(page(2, "Lovelace (film)", "A film."), page(1, "Ada Lovelace", "Ada Lovelace was a mathematician.\n"));
    expect(await look()).toEqual({ summary: "Ada Lovelace was a mathematician.", url: "https://en.wikipedia.org/wiki/Ada_Lovelace" });
    const url = new URL(String(server.requests[0]?.url), server.url);
    expect([url.pathname, url.searchParams.get("gsrsearch"), url.searchParams.get("format")]).toEqual([
      "/w/api.php",
      "ada lovelace",
      "json",
    ]);
  });

  it("prefers an article to a list of meanings, and takes the list where there is nothing else", async () => {
    const meanings = page(1, "Mercury", "Mercury may refer to: ...", { pageprops: { disambiguation: "" } });
    server.answer = answer(meanings, page(2, "Mercury (planet)", "The first planet."));
    expect(await look("mercury")).toMatchObject({ summary: "The first planet." });
    server.answer = answer(meanings);
    expect(await look("mercury")).toMatchObject({ summary: "Mercury may refer to: ..." });
  });

  it.each<[string, unknown]>([
    ["nothing was found", { batchcomplete: true }],
    ["the articles have no text", { query: { pages: [page(1, "A", ""), { pageid: 2 }, null] } }],
    ["the answer is of another shape", { query: { pages: { 1: "x" } } }],
  ])("says so if %s", async (_, body) => {
    server.answer = answerWith(body);
    await expect(look("qwertzuiop")).rejects.toThrow('Wikipedia has no article on "qwertzuiop". Try other words, or fewer.');
  });

  it("gives the name that Wikimedia asks for", async () => {
    server.answer = answer(page(1, "A", "A."));
    await look("a", "MyBot/1.0 (bot@example.com)");
    expect(server.requests[0]?.headers["user-agent"]).toBe("MyBot/1.0 (bot@example.com)");
  });

  it.each<[string, Parameters<typeof answerWith>, string]>([
    [
      "a refused name",
      ["Please set a user-agent", { status: 403, type: "text/plain" }],
      "refused the request (403): the application should name itself",
    ],
    ["a rate limit", ["", { status: 429, headers: { "retry-after": "1" } }], "Try again in 1 seconds."],
    [
      "an error in a successful answer",
      [{ error: { code: "cirrussearch-error", info: "Search is down" } }, {}],
      "refused the search: Search is down",
    ],
    ["HTML", ["<html></html>", { type: "text/html" }], "answered with text/html"],
    ["half a JSON", ['{"query":', {}], "JSON that is broken or cut off"],
  ])("is a ToolExecutionError that says what to do if Wikipedia answers with %s", async (_, given, message) => {
    server.answer = answerWith(...given);
    const failing = look();
    await expect(failing).rejects.toBeInstanceOf(ToolExecutionError);
    await expect(failing).rejects.toThrow(message);
  });

  it.each(["", "Bot/1.0\nx: y", "Böt/1.0"])("says at once that %j can't be the name of who asks", (userAgent) => {
    expect(() => wikipedia({ userAgent })).toThrow("wikipedia: the userAgent is empty, or holds what a header can't");
  });

  it("refuses an empty query before it is sent, and a wiki without a URL at once", async () => {
    await expect(look(" ")).rejects.toThrow("The query is empty");
    expect(server.requests).toEqual([]);
    expect(() => wikipedia({ url: "de" })).toThrow(ToolDefinitionError);
  });
});
