import { createTool, type ToolContext, type ToolDefinition } from "../../src/tool/index.js";
import { keywordSearch } from "../../src/tool-search/internal.js";

const toolNamed = (name: string, description = "Does something.", more: object = {}): ToolDefinition =>
  createTool({ name, description, inputSchema: { type: "object" }, execute: () => 1, ...more }).definition;

// The search by words doesn't look at the context.
const context = {} as ToolContext;

const tools = [
  toolNamed("createIssue", "Opens a ticket."),
  toolNamed("list_issues", "Lists tickets."),
  toolNamed("pr.merge", "Merges a pull request.", { tags: ["git"] }),
  toolNamed("transfer", "Moves money.", {
    inputSchema: { type: "object", properties: { iban: { type: "string", description: "The account of the receiver" } } },
  }),
  toolNamed("paint", "Paints.", {
    inputSchema: {
      type: "object",
      properties: { strokes: { type: "array", items: { type: "object", properties: { brush: { enum: ["bristle", "sable"] } } } } },
    },
  }),
];

describe("the search by words", () => {
  it.each([
    ["words of a name in camelCase", "create an issue", "createIssue"],
    ["other forms of the words", "listing issue", "list_issues"],
    ["a tag", "git", "pr.merge"],
    ["a parameter", "IBAN", "transfer"],
    ["the description of a parameter", "receiver's account", "transfer"],
    ["a listed value of a nested parameter", "sable brush", "paint"],
  ])("finds a tool by %s", async (_what, query, name) => {
    expect((await keywordSearch()(query, tools, context))[0]).toBe(name);
  });

  it("finds nothing if no word matches", async () => {
    expect(await keywordSearch()("weather", tools, context)).toEqual([]);
    expect(await keywordSearch()("?!", tools, context)).toEqual([]);
  });

  it("looks at the tools of the given list alone, also after other lists", async () => {
    const search = keywordSearch();
    await search("issue", tools, context);
    expect(await search("issue", tools.slice(1), context)).toEqual(["list_issues"]);
    expect(await search("issue", [toolNamed("close_issue")], context)).toEqual(["close_issue"]);
  });

  it("reads each tool once, however many lists and searches have it", async () => {
    let reads = 0;
    const counted = toolNamed("counted");
    const definition = Object.defineProperty({ ...counted }, "description", {
      get: () => {
        reads += 1;
        return "Counts.";
      },
    });
    const search = keywordSearch();
    for (const query of ["counted", "counts", "counted"]) await search(query, [definition], context);
    await Promise.all([search("a", [definition], context), search("b", [definition], context)]);
    expect(reads).toBe(1);
  });

  it("looks up no more than the first words of a long query", async () => {
    const words = Array.from({ length: 10_000 }, (_, index) => `word${index}`);
    expect(await keywordSearch()([...words, "issue"].join(" "), tools, context)).toEqual([]);
  });
});
