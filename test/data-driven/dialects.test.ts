import fc from "fast-check";
import { type DescribedTool, fromProviderCall, type ProviderTools, toProviderTools } from "../../src/models/provider-tools/index.js";
import { acceptSchema, describeFaults, type Fault } from "../../src/schema/index.js";
import { compileSchema, type ProviderDialect, providerDialects, type WireForm, wireSchema } from "../../src/schema/internal.js";
import { describeData, readJsonLines } from "../support/data.js";
import { callIn, parametersOf } from "../support/provider-calls.js";
import { namesOf, providerFaults } from "../support/provider-rules/index.js";
import { valueOf } from "../support/value-of-schema.js";

interface ToolItem {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly schema: DescribedTool["parametersSchema"];
}

const asSent = { owned: false, repair: false } as const;

/** The form that `toProviderTools` chooses. */
const formOf = (dialect: ProviderDialect): WireForm => (dialect.startsWith("openai") ? "openai-strict" : dialect);

describeData(["tools.jsonl"], (path) => {
  const items = readJsonLines<ToolItem>(path);
  const tools = items.map(({ name, description = "", schema }) => ({ name, description, parametersSchema: acceptSchema(schema) }));
  const names = [...new Set(tools.map(({ name }) => name))];

  for (const dialect of providerDialects) {
    describe(dialect, () => {
      const sent = tools.map((tool) => toProviderTools([tool], dialect) as ProviderTools[ProviderDialect]);

      it("takes every real tool, by its own rules", () => {
        const faults = sent.flatMap((wire) => (wire.length === 1 ? providerFaults(wire as never, dialect) : ["left out"]));
        expect(faults).toEqual([]);
      });

      it("gives each tool a name of its own, and the tool's name back", () => {
        const unique = names.map((name) => tools.find((tool) => tool.name === name)!);
        const wireNames = namesOf(toProviderTools(unique, dialect), dialect);
        expect(new Set(wireNames).size).toBe(names.length);
        expect(wireNames.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(name))).toEqual([]);
        for (const index of [0, 1, 2]) {
          const call = callIn(dialect, wireNames[index]!, {});
          expect(fromProviderCall(call, unique, dialect).name).toBe(names[index]);
        }
      });

      // The others write schemas as one of these does.
      if (dialect === "openai-responses" || dialect === "bedrock") return;

      it("has its calls come back as arguments that the tool takes, but for what moved into descriptions", () => {
        const faults = tools.flatMap((tool, index) => {
          const parameters = parametersOf(sent[index]!, dialect) ?? { type: "object", properties: {} };
          const name = namesOf(sent[index]!, dialect)[0]!;
          return fc.sample(valueOf(parameters, parameters), { numRuns: 2, seed: index }).flatMap((value) => {
            const { arguments: read } = fromProviderCall(callIn(dialect, name, value), [tool], dialect);
            const checked = compileSchema(tool.parametersSchema).validate(read, asSent);
            const faults = checked.ok ? [] : checked.error.filter((fault) => !isMoved(fault, tool, dialect));
            // What a value must not be, no generator knows: what the wire's own schema refuses is passed over.
            if (faults.length === 0 || (dialect !== "gemini" && !isTaken(value, parameters))) return [];
            return `${tool.name}: ${JSON.stringify(value)} -> ${JSON.stringify(read)}: ${describeFaults(faults)}`;
          });
        });
        expect(faults).toEqual([]);
      });
    });
  }
});

const isTaken = (value: unknown, schema: object): boolean => compileSchema(acceptSchema(schema)).validate(value, asSent).ok;

/** Whether what a value breaks stands in a description, by itself or within a part that does. */
function isMoved({ keyword, path }: Fault, tool: DescribedTool, dialect: ProviderDialect): boolean {
  const wire = wireSchema(tool.parametersSchema, formOf(dialect));
  const moved = "refused" in wire ? [] : wire.moved;
  const isWithin = /[.[]/.test(path) && ["properties", "items", "anyOf", "oneOf"].some((part) => moved.includes(part));
  // A union that moved may hold another one.
  const unions = ["anyOf", "oneOf"];
  const isInUnion = unions.includes(keyword) && unions.some((union) => moved.includes(union));
  return moved.includes(keyword) || isWithin || isInUnion;
}
