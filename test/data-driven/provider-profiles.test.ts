import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type DescribedTool, toProviderTools } from "../../src/models/provider-tools/index.js";
import type { JsonSchema } from "../../src/schema/index.js";
import { describeData, readJson } from "../support/data.js";
import { parametersOf } from "../support/provider-calls.js";
import { providerFaults } from "../support/provider-rules/index.js";
import { strictFaults } from "../support/provider-rules/openai.js";

/** The schemas of a profile with the verdict that their folder gives. */
function schemasIn(folder: string): { readonly name: string; readonly schema: any; readonly isValid: boolean }[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".json"))
    .map((file) => ({ name: basename(file), schema: readJson<object>(join(folder, file)), isValid: dirname(file) === "valid" }));
}

/** As the only property of a tool: arguments are objects, the profiles hold any schema. */
const toolOf = (schema: JsonSchema): DescribedTool => ({
  name: "profile",
  description: "Takes one value.",
  parametersSchema: { type: "object", properties: { value: schema }, required: ["value"], additionalProperties: false },
});

/** As the tool itself where it is an object. */
const asTool = (schema: JsonSchema): DescribedTool =>
  schema.type === "object" ? { ...toolOf({}), parametersSchema: schema } : toolOf(schema);

describeData(["provider-profiles"], (folder) => {
  describe("openai_202602", () => {
    for (const { name, schema, isValid } of schemasIn(join(folder, "openai_202602"))) {
      it(`${name}: the check of strict mode finds it ${isValid ? "right" : "wrong"}`, () => {
        // The profile counts allOf and if among what is refused, which `otherKeywords` finds.
        expect(strictFaults(schema).length === 0).toBe(isValid);
      });

      if (!isValid) continue;
      it(`${name}: what strict mode takes goes out strict, with the same properties`, () => {
        const [tool] = toProviderTools([asTool(schema)], "openai-chat");
        expect(tool?.function).toMatchObject({ strict: true, parameters: { required: schema.required, additionalProperties: false } });
      });
    }
  });

  for (const profile of ["openai_202602", "gemini_202503", "gemini_202602", "minimal_202602"]) {
    const dialect = profile.startsWith("gemini") ? "gemini" : "openai-chat";
    describe(`${profile}, through the dialect ${dialect}`, () => {
      for (const { name, schema, isValid } of schemasIn(join(folder, profile))) {
        // What its $ref leads to isn't there, with any provider.
        if (JSON.stringify(schema).includes('"$ref"') && schema.$defs === undefined) {
          it(`${name}: is left out with a warning`, () => {
            const emitWarning = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
            expect(toProviderTools([asTool(schema)], dialect)).toEqual([]);
            expect(emitWarning).toHaveBeenCalledTimes(1);
            emitWarning.mockRestore();
          });
          continue;
        }

        it(`${name}, which is ${isValid ? "right" : "wrong"} as it stands, goes out right`, () => {
          const tools = toProviderTools([asTool(schema)], dialect);
          expect(tools).toHaveLength(1);
          expect(providerFaults(tools, dialect)).toEqual([]);
        });
      }
    });
  }

  describe("gemini_202602", () => {
    it("array_with_prefix_items, whose places differ, goes out as JSON", () => {
      const schema = readJson<JsonSchema>(join(folder, "gemini_202602/valid/array_with_prefix_items.json"));
      expect(parametersOf(toProviderTools([toolOf(schema)], "gemini"), "gemini")).toMatchObject({
        properties: { value: { type: "STRING" } },
      });
    });
  });
});
