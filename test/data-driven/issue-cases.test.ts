import { type DescribedTool, fromProviderCall, toProviderTools } from "../../src/models/provider-tools/index.js";
import { acceptSchema, type JsonSchema } from "../../src/schema/index.js";
import { compileSchema, type ProviderDialect, providerDialects } from "../../src/schema/internal.js";
import { describeData, readJson } from "../support/data.js";
import { callIn, parametersOf } from "../support/provider-calls.js";
import { namesOf, providerFaults } from "../support/provider-rules/index.js";

interface IssueCase {
  readonly ref: string;
  readonly provider: string;
  readonly construct: string;
  readonly schema: JsonSchema;
}

const toolOf = (schema: JsonSchema): DescribedTool => ({ name: "case", description: "A case.", parametersSchema: schema });

/** What a case must give, by a part of its construct: on the wire, and of a call. */
interface Outcome {
  readonly dialect: ProviderDialect;
  /** undefined: none at all. */
  readonly wire: object | undefined;
  readonly strict?: boolean;
  readonly sent?: object;
  readonly read?: object;
}

const free = { type: "object", description: "any key/value" };

const outcomes: readonly (readonly [construct: string, outcome: Outcome])[] = [
  ["root anyOf/oneOf/allOf", { dialect: "anthropic", wire: { type: "object", properties: { yaml: { type: "string" }, files: {} } } }],
  [
    "filter[id]",
    { dialect: "anthropic", wire: { required: ["filter_id_"] }, sent: { filter_id_: "7", _top: 3 }, read: { "filter[id]": "7", $top: 3 } },
  ],
  [
    "draft-07 tuple",
    { dialect: "anthropic", wire: { properties: { query: { prefixItems: [{ properties: { op: {} } }], items: { type: "object" } } } } },
  ],
  ["patternProperties", { dialect: "anthropic", wire: { properties: { m: { type: "object", additionalProperties: {} } } } }],
  [
    "optional property absent",
    {
      dialect: "openai-chat",
      strict: true,
      wire: { properties: { workdir: { type: ["string", "null"] } }, required: ["command", "workdir"] },
      sent: { command: ["ls"], workdir: null },
      read: { command: ["ls"] },
    },
  ],
  ["free-form map", { dialect: "openai-chat", strict: false, wire: { properties: { metadata: free } } }],
  ["no additionalProperties", { dialect: "openai-chat", strict: true, wire: { additionalProperties: false } }],
  [
    "nested oneOf",
    { dialect: "openai-chat", strict: true, wire: { properties: { value: { anyOf: [{ type: "integer" }, { type: "string" }] } } } },
  ],
  [
    'format:"uri"',
    {
      dialect: "openai-chat",
      strict: true,
      wire: { properties: { url: { type: "string", description: 'JSON Schema: {"format":"uri"}' } } },
    },
  ],
  ["look-around", { dialect: "openai-chat", strict: true, wire: { properties: { email: { type: "string", format: "email" } } } }],
  ["propertyNames", { dialect: "openai-chat", strict: false, wire: { properties: { m: { additionalProperties: { type: "string" } } } } }],
  [
    "no-argument tool {type:object}",
    { dialect: "openai-chat", strict: true, wire: { properties: {}, required: [], additionalProperties: false } },
  ],
  ["array without items", { dialect: "openai-chat", strict: false, wire: { properties: { texts: { type: "array", items: {} } } } }],
  ["$id that is no URI", { dialect: "openai-chat", wire: { type: "object", properties: {} } }],
  ["exclusiveMinimum", { dialect: "gemini", wire: { properties: { limit: { type: "INTEGER", minimum: 1 } } } }],
  [
    "integer / boolean enum",
    {
      dialect: "gemini",
      wire: { properties: { level: { type: "STRING", enum: ["0", "1", "2", "3"] } } },
      sent: { level: "1" },
      read: { level: 1 },
    },
  ],
  [
    "$ref/$defs",
    { dialect: "gemini", wire: { properties: { task: { type: "OBJECT", description: "x", properties: { title: { type: "STRING" } } } } } },
  ],
  [
    "required names not in properties",
    {
      dialect: "gemini",
      wire: { properties: { fields: { type: "ARRAY", items: { type: "STRING" } } } },
      sent: { fields: ['{"type":1}'] },
      read: { fields: [{ type: 1 }] },
    },
  ],
  ["no-argument tool: properties {}", { dialect: "gemini", wire: undefined }],
  ["$schema 2020-12 on Ajv", { dialect: "anthropic", wire: { properties: { a: { type: "number" } }, required: ["a"] } }],
  ['type:["string","null"]', { dialect: "ollama", wire: { properties: { tz: { type: "string" }, any: { description: "Any value." } } } }],
  [
    "default keyword",
    { dialect: "openai-chat", strict: true, wire: { properties: { n: { type: "integer", description: 'JSON Schema: {"default":10}' } } } },
  ],
];

describeData(["issue-cases.json"], (path) => {
  const cases = readJson<IssueCase[]>(path);
  for (const { ref, construct, schema } of cases) {
    const isBroken = construct.includes("unresolved $ref");
    it(`${ref}: ${construct}: ${isBroken ? "is left out, alone" : "passes the rules of every provider"}`, () => {
      const emitWarning = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
      for (const dialect of providerDialects) {
        const tools = toProviderTools([toolOf(schema), { ...toolOf({ type: "object" }), name: "other" }], dialect);
        expect(namesOf(tools, dialect)).toEqual(isBroken ? ["other"] : ["case", "other"]);
        expect(providerFaults(tools, dialect)).toEqual([]);
      }
      expect(emitWarning).toHaveBeenCalledTimes(isBroken ? providerDialects.length : 0);
      emitWarning.mockRestore();
    });
  }

  for (const [construct, { dialect, wire, strict, sent, read }] of outcomes) {
    const found = cases.find((one) => one.construct.includes(construct));
    if (found === undefined) continue;
    it(`${found.ref}: ${found.construct}: ${dialect} gets what is right`, () => {
      const tools = toProviderTools([toolOf(found.schema)], dialect) as any[];
      const parameters = parametersOf(tools, dialect);
      if (wire === undefined) expect(parameters).toBeUndefined();
      else expect(parameters).toMatchObject(wire);
      if (strict !== undefined) expect(tools[0].function.strict).toBe(strict);
      if (sent === undefined || read === undefined) return;
      const { arguments: restored } = fromProviderCall(callIn(dialect, "case", sent), [toolOf(found.schema)], dialect);
      expect(restored).toEqual(read);
      expect(compileSchema(acceptSchema(found.schema)).validate(restored, { owned: false, repair: false }).ok).toBe(true);
    });
  }

  const union = cases.find(({ construct }) => construct.includes("root anyOf/oneOf/allOf"));
  if (union !== undefined) {
    it(`${union.ref}: the tool's own schema still refuses both and neither`, () => {
      const refuses = (value: object) => !compileSchema(acceptSchema(union.schema)).validate(value, { owned: false, repair: false }).ok;
      expect([refuses({}), refuses({ yaml: "a", files: [] }), refuses({ yaml: "a" })]).toEqual([true, true, false]);
    });
  }
});
