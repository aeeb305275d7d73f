import { createTool, type JsonSchema, type ToolClass } from "../../src/index.js";
import { describeData, readJsonLines } from "../support/data.js";
import { closeAll, connect, revisions } from "../mcp/server/support.js";

interface ToolItem {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** Real tools that the library takes in, each under a name of its own: the same one may come from several places. */
function toolsOf(items: readonly ToolItem[]): readonly ToolClass[] {
  return items.flatMap(({ id, name, description, schema }) => {
    try {
      const named = `${id}/${name}`.slice(0, 128);
      return [createTool({ name: named, description: description || name, inputSchema: schema, execute: (input) => input })];
    } catch {
      // What is no schema is refused when the tool is made; other tests look at that.
      return [];
    }
  });
}

afterEach(closeAll);

describeData(["tools.jsonl"], (path) => {
  const tools = toolsOf(readJsonLines<ToolItem>(path));

  it.each(revisions)(
    "the SDK's client of %s lists every real tool, with its whole schema and a legal name of its own",
    async (revision) => {
      const { client } = await connect({ tools }, revision);
      const listed = (await client.listTools()).tools;
      expect(listed.map(({ inputSchema }) => inputSchema)).toEqual(tools.map(({ parametersSchema }) => parametersSchema));
      expect(listed.filter(({ inputSchema }) => inputSchema.type !== "object")).toEqual([]);
      expect(listed.filter(({ name }) => !/^[\w.-]{1,128}$/.test(name))).toEqual([]);
      expect(new Set(listed.map(({ name }) => name)).size).toBe(tools.length);
      expect(tools.length).toBeGreaterThan(0);
    },
  );
});
