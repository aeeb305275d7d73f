import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createHttpTool } from "../../src/http/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { createTool, description, failure, identifier, requiresConfirmation, type ToolContext } from "../../src/tool/index.js";
import { rootedAt, WebScraperTool, WikipediaTool, webScraper } from "../../src/tools/index.js";

describe("a class that extends a built-in tool", () => {
  let directory: string;

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), "extended-"));
    writeFileSync(join(directory, "notes.txt"), "Buy roses.");
  });

  afterAll(() => rmSync(directory, { recursive: true }));

  it("says something else of it, and is otherwise the same", async () => {
    const { ReadFileTool } = rootedAt(directory);

    @description("Reads one of the gardener's notes. Use when the user asks what is to be done.")
    @identifier("read_note")
    class ReadNoteTool extends ReadFileTool {}

    const { name, description: text, ...rest } = ReadNoteTool.definition;
    expect([name, text]).toEqual(["read_note", "Reads one of the gardener's notes. Use when the user asks what is to be done."]);
    expect(ReadFileTool.definition).toEqual({ ...rest, name: "read_file", description: expect.stringContaining("Reads a text file") });
    expect(await invokeTool(ReadNoteTool, { path: "notes.txt" })).toEqual({ content: "Buy roses.", size: 10 });
    await expect(invokeTool(ReadNoteTool, { path: "../notes.txt" })).rejects.toThrow("../notes.txt");
  });

  it("stands beside it in one executor", async () => {
    const { WriteFileTool } = rootedAt(directory);

    @requiresConfirmation(({ path }) => path !== "draft.txt")
    @identifier("publish")
    class PublishTool extends WriteFileTool {}

    const executor = new ToolExecutor({ tools: [WriteFileTool, PublishTool] });
    const publish = (path: string) =>
      executor.call({ id: "call_1", name: "publish", arguments: { path, content: "Roses." } }, createRunScope());
    expect((await publish("draft.txt")).data).toEqual({ bytesWritten: 6 });
    expect(readFileSync(join(directory, "draft.txt"), "utf8")).toBe("Roses.");
    await expect(publish("page.txt")).rejects.toThrow("waits for confirmation");
  });

  it("does more in its call, with that of the tool within", async () => {
    const { ReadFileTool } = rootedAt(directory);

    class ReadBriefTool extends ReadFileTool {
      declare path: string;

      override async call(context: ToolContext) {
        if (this.path.endsWith(".secret")) return failure("That file isn't for you.");
        return super.call(context);
      }
    }

    expect(await invokeTool(ReadBriefTool, { path: "notes.txt" })).toEqual({ content: "Buy roses.", size: 10 });
    await expect(invokeTool(ReadBriefTool, { path: "a.secret" })).rejects.toThrow("That file isn't for you.");
  });

  it("may extend each of the others, and what createTool and createHttpTool make", () => {
    const inputSchema = z.object({ city: z.string() });
    const Weather = createTool({ name: "weather", description: "Gets weather.", inputSchema, execute: ({ city }) => city });
    const Air = createHttpTool({ name: "air", description: "Gets air.", inputSchema, method: "GET", url: "https://example.com/{city}" });
    const Intranet = webScraper({ allowedHosts: ["intranet.example.com"] });

    @description("Mine.")
    class MyWeatherTool extends Weather {}
    @description("Mine.")
    class MyAirTool extends Air {}
    @description("Mine.")
    class MyIntranetTool extends Intranet {}
    @description("Mine.")
    class MyPagesTool extends WebScraperTool {}
    @description("Mine.")
    class MyWikipediaTool extends WikipediaTool {}

    for (const [Mine, Base] of [
      [MyWeatherTool, Weather],
      [MyAirTool, Air],
      [MyIntranetTool, Intranet],
      [MyPagesTool, WebScraperTool],
      [MyWikipediaTool, WikipediaTool],
    ] as const) {
      expect(Mine.definition).toEqual({ ...Base.definition, description: "Mine." });
    }
  });
});
