import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { invokeTool } from "../../src/testing/index.js";
import { brave, rootedAt, webScraper, webSearch, wikipedia } from "../../src/tools/index.js";
import { filesFixture } from "./files-fixture.js";
import { type AnsweringServer, answeringServer, answerWith } from "./web-support.js";

/** "fine", with a text in tags, a blank without width and a direction hidden in it. */
const whispered = "fi\u200bn\u{e0049}\u{e0067}\u202ee";

let server: AnsweringServer;
beforeAll(async () => {
  server = await answeringServer();
});
afterAll(() => server.close());

describe("characters that people don't see", () => {
  const scrape = () => invokeTool(webScraper({ allowedHosts: ["127.0.0.1"] }), { url: server.url });

  it("are left out of pages, of their titles, and of other texts of the web", async () => {
    server.answer = answerWith(`<title>${whispered}</title><p>${whispered} &#x200b;&#xE0041;&zwnj;.</p>`, {
      type: "text/html; charset=utf-8",
    });
    expect(await scrape()).toEqual({ title: "fine", text: "fine ." });
    server.answer = answerWith(whispered, { type: "text/plain; charset=utf-8" });
    expect(await scrape()).toEqual({ title: "", text: "fine" });
  });

  it("are left out of search results, also if the engine's markup spells them", async () => {
    const Search = webSearch({ engine: { ...brave, url: server.url }, apiKey: "key-4711-s3cret" });
    const result = { title: whispered, description: "fi&#x200b;ne&#917569;", url: `https://example.org/${whispered}` };
    server.answer = answerWith({ web: { results: [result] } });
    expect(await invokeTool(Search, { query: "x" })).toEqual({
      results: [{ title: "fine", snippet: "fine", url: "https://example.org/fine" }],
    });
    server.answer = answerWith({ message: `Not ${whispered}` }, { status: 400 });
    await expect(invokeTool(Search, { query: "x" })).rejects.toThrow("Not fine");
  });

  it("are left out of Wikipedia's summaries and complaints", async () => {
    const Wikipedia = wikipedia({ url: server.url });
    server.answer = answerWith({ query: { pages: [{ index: 1, extract: whispered, fullurl: "https://example.org/" }] } });
    expect(await invokeTool(Wikipedia, { query: "x" })).toMatchObject({ summary: "fine" });
    server.answer = answerWith({ error: { info: whispered } });
    await expect(invokeTool(Wikipedia, { query: "x" })).rejects.toThrow("refused the search: fine");
  });

  it("are left out of files, with a note, and of the names in a listing", async () => {
    const fixture = filesFixture();
    try {
      writeFileSync(join(fixture.root, "a.txt"), `\ufeffone\r\n${whispered} 👩🏽‍💻 می‌خواهم\n`);
      writeFileSync(join(fixture.root, "sub", whispered), "");
      const { ReadFileTool, ListDirectoryTool } = rootedAt(fixture.root);
      expect(await invokeTool(ReadFileTool, { path: "a.txt" })).toEqual({
        content: "one\r\nfine 👩🏽‍💻 می‌خواهم\n",
        size: expect.any(Number),
        note: expect.stringContaining("invisible characters"),
      });
      expect(await invokeTool(ReadFileTool, { path: "sub/b.txt" })).not.toHaveProperty("note");
      expect(await invokeTool(ListDirectoryTool, { path: "sub" })).toMatchObject({ entries: [{ name: "b.txt" }, { name: "fine" }] });
    } finally {
      fixture.remove();
    }
  });
});
