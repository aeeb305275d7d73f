import type { JsonSchema } from "../../src/schema/index.js";
import { createTool, type ToolClass } from "../../src/tool/index.js";
import { validateToolInput } from "../../src/tool/internal.js";
import { describeData, readJsonLines } from "../support/data.js";

interface ToolItem {
  readonly id: string;
  readonly source: string;
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

interface CallItem {
  readonly id: string;
  readonly source: string;
  readonly expected?: readonly {
    readonly name: string;
    readonly tool_id: string;
    readonly args: unknown;
    readonly violates?: readonly string[];
  }[];
}

const toolOf = ({ name, description, schema, outputSchema }: ToolItem): ToolClass =>
  createTool({
    name,
    description: description || name,
    inputSchema: schema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    execute: () => null,
  });

const bySource = <Item extends { readonly source: string }>(items: readonly Item[]): ReadonlyMap<string, readonly Item[]> => {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(item.source, [...(groups.get(item.source) ?? []), item]);
  return groups;
};

// Each test lists what failed by name, and expects that list to be empty.
describeData(["tools.jsonl", "calls.jsonl"], (toolsPath, callsPath) => {
  // Of two tools with one id the first counts.
  const items = new Map(
    readJsonLines<ToolItem>(toolsPath)
      .toReversed()
      .map((item) => [item.id, item]),
  );
  const tools = new Map<string, ToolClass>();

  describe("a tool is made from every real schema", () => {
    for (const [source, ofSource] of bySource([...items.values()])) {
      it(`of ${source}`, () => {
        const failed: string[] = [];
        for (const item of ofSource) {
          try {
            tools.set(item.id, toolOf(item));
          } catch (error) {
            failed.push(`${item.name} (${item.id}): ${String(error)}`);
          }
        }
        expect(failed).toEqual([]);
      });
    }

    it("and keeps its name, description and parameters", () => {
      const changed = [...items.values()].filter(({ id, name, description, schema }) => {
        const definition = toolIn(tools, id).definition;
        return (
          definition.name !== name ||
          definition.description !== (description || name) ||
          !sameProperties(definition.parametersSchema, schema)
        );
      });
      expect(changed.map(({ name, id }) => `${name} (${id})`)).toEqual([]);
    });
  });

  for (const [source, rows] of bySource(readJsonLines<CallItem>(callsPath))) {
    // A call of a tool that the file doesn't hold says nothing of this library.
    const calls = rows.flatMap(({ id, expected = [] }) =>
      expected
        .filter((call) => items.has(call.tool_id))
        .map((call) => ({ ...call, label: `${id}: ${call.name} (${call.tool_id}) ${JSON.stringify(call.args)}` })),
    );
    const fitting = calls.filter(({ violates }) => violates === undefined);
    const breaking = calls.filter(({ violates }) => violates !== undefined);

    describe(`the real calls of ${source}`, () => {
      if (fitting.length > 0) {
        it("are accepted as they stand where they fit their schema", () => {
          const refused = fitting.flatMap(({ tool_id, args, label }) => {
            const verdict = validateToolInput(toolIn(tools, tool_id), args);
            return verdict.ok ? [] : [`${label}: ${verdict.error}`];
          });
          expect(refused).toEqual([]);
        });
      }

      if (breaking.length > 0) {
        it("are refused if they break it", () => {
          const accepted = breaking.filter(({ tool_id, args }) => validateToolInput(toolIn(tools, tool_id), args).ok);
          expect(accepted.map(({ label, violates }) => `${label}: ${violates?.join("; ")}`)).toEqual([]);
        });
      }
    });
  }
});

function toolIn(tools: ReadonlyMap<string, ToolClass>, id: string): ToolClass {
  const tool = tools.get(id);
  if (tool === undefined) throw new Error(`The tool ${id} was not made: see the tests above.`);
  return tool;
}

const sameProperties = (left: JsonSchema, right: JsonSchema): boolean =>
  JSON.stringify(left.properties) === JSON.stringify(right.properties);
