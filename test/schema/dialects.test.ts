import { acceptSchema, type JsonSchema } from "../../src/schema/index.js";
import { compileSchema, type WireForm, type WireSchema, wireSchema } from "../../src/schema/internal.js";

function wireOf(schema: object, form: WireForm): WireSchema {
  const wire = wireSchema(schema as JsonSchema, form);
  if ("refused" in wire) throw new Error(wire.refused);
  return wire;
}

const properties = (schema: object, form: WireForm): any => wireOf({ type: "object", ...schema }, form).parameters.properties;
const restore = (schema: object, form: WireForm, value: unknown): unknown =>
  wireOf({ type: "object", ...schema }, form).restore?.(value) ?? value;

const accepts = (schema: object, value: unknown): boolean =>
  compileSchema(acceptSchema({ type: "object", ...schema })).validate(value, { owned: false, repair: false }).ok;

describe("OpenAI's strict mode", () => {
  it("takes an optional property as one that may be null, and null comes back as left out", () => {
    const schema = { properties: { city: { type: "string" }, units: { enum: ["c", "f"] } }, required: ["city"] };
    const { parameters, strict } = wireOf({ type: "object", ...schema }, "openai-strict");
    expect(strict).toBe(true);
    expect(parameters).toEqual({
      type: "object",
      properties: { city: { type: "string" }, units: { type: ["string", "null"], enum: ["c", "f", null] } },
      required: ["city", "units"],
      additionalProperties: false,
    });
    expect(restore(schema, "openai-strict", { city: "Paris", units: null })).toEqual({ city: "Paris" });
  });

  it.each<[string, object, object]>([
    ["a type", { type: "string", description: "A name." }, { type: ["string", "null"], description: "A name." }],
    ["listed values", { description: "One.", enum: ["a", "b"] }, { type: ["string", "null"], enum: ["a", "b", null], description: "One." }],
    ["listed values with null among them", { enum: ["a", null] }, { type: ["string", "null"], enum: ["a", null] }],
    ["a type that has null", { type: ["string", "null"] }, { type: ["string", "null"] }],
    ["null alone", { type: "null" }, { type: "null" }],
    ["a reference", { $ref: "#/$defs/Name" }, { anyOf: [{ $ref: "#/$defs/Name" }, { type: "null" }] }],
    [
      "a reference that is described",
      { $ref: "#/$defs/Name", description: "A name." },
      { anyOf: [{ $ref: "#/$defs/Name" }, { type: "null" }], description: "A name." },
    ],
    [
      "a union",
      { title: "Id", anyOf: [{ type: "string" }, { type: "integer" }] },
      { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }], title: "Id" },
    ],
    [
      "a union that has null",
      { anyOf: [{ type: "null" }, { type: "string" }, { type: "integer" }] },
      { anyOf: [{ type: "string" }, { type: "integer" }, { type: "null" }] },
    ],
  ])("adds null to an optional property once, at its end: %s", (_what, property, written) => {
    const schema = { properties: { property }, $defs: { Name: { type: "string" } } };
    // As text, because the order of keywords is that of every request.
    expect(JSON.stringify(properties(schema, "openai-strict").property)).toBe(JSON.stringify(written));
  });

  it("leaves a null that the tool's schema takes", () => {
    const schema = {
      properties: { note: { type: ["string", "null"] }, other: { $ref: "#/$defs/Note" } },
      $defs: { Note: { type: ["string", "null"] } },
    };
    expect(restore(schema, "openai-strict", { note: null, other: null })).toEqual({ note: null, other: null });
  });

  it("leaves out null within lists, unions and recursive types", () => {
    const node = {
      type: "object",
      properties: { name: { type: "string" }, next: { $ref: "#/$defs/Node" }, all: { type: "array", items: { $ref: "#/$defs/Node" } } },
      required: ["name"],
    };
    const leaf = { type: "object", properties: { kind: { const: "leaf" }, size: { type: "integer" } }, required: ["kind"] };
    const text = { type: "object", properties: { kind: { const: "text" }, text: { type: "string" } }, required: ["kind"] };
    const schema = {
      properties: { node: { $ref: "#/$defs/Node" }, either: { oneOf: [leaf, text] } },
      required: ["node", "either"],
      $defs: { Node: node },
    };
    const { strict, parameters } = wireOf({ type: "object", ...schema }, "openai-strict");
    expect(strict).toBe(true);
    expect(parameters.$defs).toHaveProperty("Node");
    const sent = {
      node: { name: "a", next: { name: "b", next: null, all: null }, all: [{ name: "c", next: null, all: [] }] },
      either: { kind: "text", text: null },
    };
    const read = restore(schema, "openai-strict", sent);
    expect(read).toEqual({ node: { name: "a", next: { name: "b" }, all: [{ name: "c", all: [] }] }, either: { kind: "text" } });
    expect(accepts(schema, read)).toBe(true);
  });

  it.each([
    ["an object that takes any property", { properties: { map: { type: "object" } } }],
    ["a map", { properties: { map: { type: "object", additionalProperties: { type: "string" } } } }],
    ["an object that is open on purpose", { properties: { a: { type: "string" } }, additionalProperties: true }],
    ["a list without items", { properties: { list: { type: "array" } } }],
    ["a value of any type", { properties: { any: { description: "anything" } } }],
    [
      "a union at the root",
      { anyOf: [{ required: ["a"] }, { required: ["b"] }], properties: { a: { type: "string" }, b: { type: "string" } } },
    ],
    ["oneOf whose branches may overlap", { properties: { a: { oneOf: [{ type: "number" }, { type: "integer" }] } } }],
    ["a tuple", { properties: { pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] } } }],
    ["more than 10 levels", nested(12)],
    ["more than 1,000 listed values", { properties: { a: { enum: Array.from({ length: 1_001 }, (_, index) => `value ${index}`) } } }],
  ])("isn't used for %s: nothing is narrowed to fit it", (_what, schema) => {
    expect(wireOf({ type: "object", ...schema }, "openai-strict").strict).toBe(false);
  });

  it("is used for a tool without parameters", () => {
    expect(wireOf({ type: "object" }, "openai-strict")).toMatchObject({
      strict: true,
      parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
    });
  });

  it("moves the keywords that it lacks to the description", () => {
    const { moved, parameters } = wireOf(
      { type: "object", properties: { url: { type: "string", description: "Where.", format: "uri", minLength: 3, pattern: "^h" } } },
      "openai-strict",
    );
    expect(moved).toEqual(["format", "minLength"]);
    expect(parameters.properties?.url).toEqual({
      type: ["string", "null"],
      description: 'Where.\nJSON Schema: {"format":"uri","minLength":3}',
      pattern: "^h",
    });
  });

  it("keeps properties that are named like keywords", () => {
    const names = ["pattern", "exclusiveMinimum", "default", "$ref", "type", "properties", "required", "__proto__", "toString"];
    const own = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    for (const form of ["openai-strict", "openai-chat", "anthropic", "gemini", "ollama", "mistral"] as const) {
      const schema = { properties: own, required: names };
      const sent = Object.keys(properties(schema, form));
      expect(sent).toHaveLength(names.length);
      const value = Object.fromEntries(sent.map((name) => [name, "x"]));
      expect(Object.keys(restore(schema, form, value) as object).sort()).toEqual([...names].sort());
    }
  });
});

function nested(levels: number): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < levels; level += 1) schema = { type: "object", properties: { inner: schema }, required: ["inner"] };
  return schema;
}

describe("Gemini", () => {
  it("takes listed values as texts, and each comes back as what it was", () => {
    const values = [0, 1, "1", true, "true", null, "", "null", 2.5];
    const schema = { properties: { level: { enum: values } }, required: ["level"] };
    const { enum: codes } = properties(schema, "gemini").level;
    expect(codes.every((code: unknown) => code === null || (typeof code === "string" && code !== ""))).toBe(true);
    expect(new Set(codes).size).toBe(values.length);
    const read = codes.map((level: string) => (restore(schema, "gemini", { level }) as { level: unknown }).level);
    expect(new Set(read)).toEqual(new Set(values));
  });

  it("renames properties that it takes no names of, at every depth, and names come back", () => {
    const header = {
      type: "object",
      properties: { "Content-Type": { type: "string" }, Content_Type: { type: "string" }, año: { type: "integer" } },
    };
    const schema = { properties: { headers: { type: "array", items: header } }, required: ["headers"] };
    const sent = Object.keys(properties(schema, "gemini").headers.items.properties);
    expect(sent.filter((name) => !/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(name))).toEqual([]);
    expect(new Set(sent).size).toBe(3);
    const value = { headers: [Object.fromEntries(sent.map((name) => [name, name]))] };
    const [read] = (restore(schema, "gemini", value) as { headers: object[] }).headers;
    expect(Object.keys(read!)).toEqual(["Content-Type", "Content_Type", "año"]);
  });

  it("takes a value without fixed properties as JSON, which comes back as the value", () => {
    const schema = { properties: { filter: { type: "object", description: "Any filter." }, any: {} } };
    expect(properties(schema, "gemini")).toEqual({
      filter: { type: "string", description: 'Any filter.\nJSON of a value of this JSON Schema: {"type":"object"}' },
      any: { type: "string", description: "Any value, written as JSON." },
    });
    expect(restore(schema, "gemini", { filter: '{"a":[1]}', any: "42" })).toEqual({ filter: { a: [1] }, any: 42 });
    expect(restore(schema, "gemini", { any: "plain text" })).toEqual({ any: "plain text" });
  });

  it("takes a recursive type one level deep, and JSON below it", () => {
    const comment = {
      type: "object",
      properties: { text: { type: "string" }, replies: { type: "array", items: { $ref: "#/$defs/Comment" } } },
      required: ["text"],
    };
    const schema = { properties: { thread: { $ref: "#/$defs/Comment" } }, required: ["thread"], $defs: { Comment: comment } };
    expect(JSON.stringify(wireOf({ type: "object", ...schema }, "gemini").parameters)).not.toContain('"$ref":');
    const read = restore(schema, "gemini", { thread: { text: "a", replies: ['{"text":"b","replies":[{"text":"c"}]}'] } });
    expect(read).toEqual({ thread: { text: "a", replies: [{ text: "b", replies: [{ text: "c" }] }] } });
    expect(accepts(schema, read)).toBe(true);
  });

  it("takes a union as JSON if a text could be read as either branch", () => {
    const schema = { properties: { id: { anyOf: [{ enum: [1, 2] }, { type: "string" }] } }, required: ["id"] };
    expect(properties(schema, "gemini").id.type).toBe("string");
    expect(restore(schema, "gemini", { id: '"1"' })).toEqual({ id: "1" });
    expect(restore(schema, "gemini", { id: "1" })).toEqual({ id: 1 });
  });

  it("takes the nearest bound that is inclusive", () => {
    const schema = { properties: { limit: { type: "integer", exclusiveMinimum: 0 }, part: { type: "number", exclusiveMaximum: 1 } } };
    expect(properties(schema, "gemini")).toEqual({
      limit: { type: "integer", minimum: 1 },
      part: { type: "number", maximum: 1, description: 'JSON Schema: {"exclusiveMaximum":1}' },
    });
  });

  it("takes a root that is a map as JSON", () => {
    const schema = { additionalProperties: { type: "integer" } };
    expect(Object.keys(properties(schema, "gemini"))).toEqual(["arguments"]);
    expect(restore(schema, "gemini", { arguments: '{"a":1}' })).toEqual({ a: 1 });
  });
});

describe("Anthropic and Bedrock", () => {
  it("take the names of the root's properties alone, and names come back", () => {
    const schema = {
      properties: {
        "filter[id]": { type: "string" },
        filter_id_: { type: "string" },
        $top: { type: "object", properties: { "a[b]": {} } },
      },
      required: ["filter[id]"],
    };
    const { parameters } = wireOf({ type: "object", ...schema }, "anthropic");
    const sent = Object.keys(parameters.properties ?? {});
    expect(sent).toEqual([expect.stringMatching(/^filter_id__[0-9a-f]{8}$/), "filter_id_", "_top"]);
    expect(parameters.required).toEqual([sent[0]]);
    expect(restore(schema, "bedrock", { [sent[0]!]: "x", filter_id_: "y", _top: { "a[b]": 1 } })).toEqual({
      "filter[id]": "x",
      filter_id_: "y",
      $top: { "a[b]": 1 },
    });
  });

  it("take draft-07 as 2020-12, references included", () => {
    const { parameters } = wireOf(
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: {
          pair: { items: [{ type: "string" }, { $ref: "#/properties/pair/items/0" }], additionalItems: false },
          card: { type: "string" },
        },
        dependencies: { card: ["pair"] },
        definitions: { unused: { type: "string" } },
      },
      "anthropic",
    );
    expect(parameters).toEqual({
      type: "object",
      properties: { pair: { prefixItems: [{ type: "string" }, { $ref: "#/$defs/0" }], items: false }, card: { type: "string" } },
      $defs: { 0: { type: "string" } },
    });
  });
});

describe("every provider", () => {
  const forms = [
    "openai-strict",
    "openai-chat",
    "anthropic-strict",
    "anthropic",
    "gemini",
    "ai-sdk-google",
    "bedrock",
    "mistral",
    "ollama",
  ] as const;

  it.each(forms)("%s: a union at the root becomes an object with the properties of all", (form) => {
    const schema = {
      type: "object",
      oneOf: [
        { type: "object", properties: { kind: { const: "circle" }, radius: { type: "number" } }, required: ["kind", "radius"] },
        { type: "object", properties: { kind: { const: "square" }, side: { type: "number" } }, required: ["kind", "side"] },
      ],
    };
    const { parameters, note, moved } = wireOf(schema, form);
    expect(Object.keys(parameters.properties ?? {})).toEqual(["kind", "radius", "side"]);
    expect(parameters).toMatchObject({ properties: { kind: { type: "string", enum: ["circle", "square"] } }, required: ["kind"] });
    expect(parameters).not.toHaveProperty("oneOf");
    expect(note).toContain('"oneOf"');
    expect(moved).toContain("oneOf");
  });

  it.each(forms)("%s: a schema that can't be taken in is refused by name of its place, and nothing is fetched", (form) => {
    expect(wireSchema({ type: "object", properties: { a: { $ref: "https://example.com/schema.json" } } }, form)).toEqual({
      refused: expect.stringContaining("#/properties/a/$ref"),
    });
    const twice = { type: "object", properties: { a: { $id: "same", type: "string" }, b: { $id: "same", type: "string" } } } as const;
    expect(wireSchema(twice, form)).toEqual({ refused: expect.stringContaining("a second time") });
  });

  it.each(forms)("%s: two schemas with one $id are two schemas", (form) => {
    const first = wireOf({ $id: "https://example.com/tool", type: "object", properties: { a: { type: "string" } } }, form);
    const second = wireOf({ $id: "https://example.com/tool", type: "object", properties: { b: { type: "string" } } }, form);
    expect(Object.keys(first.parameters.properties ?? {})).toEqual(["a"]);
    expect(Object.keys(second.parameters.properties ?? {})).toEqual(["b"]);
    expect(first.parameters).not.toHaveProperty("$id");
  });

  it.each(forms)("%s: references that multiply each other end", (form) => {
    const $defs: Record<string, JsonSchema> = { n0: { type: "string" } };
    for (let level = 1; level <= 40; level += 1) {
      const reference = { $ref: `#/$defs/n${level - 1}` };
      $defs[`n${level}`] = { type: "object", properties: { a: reference, b: reference }, required: ["a", "b"] };
    }
    const wire = wireSchema({ type: "object", properties: { root: { $ref: "#/$defs/n40" } }, $defs }, form);
    expect(JSON.stringify(wire).length).toBeLessThan(20_000);
  });

  it.each(forms)("%s: a type that holds itself beside other keywords ends", (form) => {
    const node = {
      type: "object",
      description: "A node.",
      properties: { child: { description: "Its child.", type: "object", anyOf: [{ $ref: "#/$defs/Node" }] } },
    };
    const wire = wireSchema(
      { type: "object", properties: { node: { allOf: [{ $ref: "#/$defs/Node" }] } }, $defs: { Node: node } } as JsonSchema,
      form,
    );
    expect(JSON.stringify(wire).length).toBeLessThan(20_000);
  });

  it.each(forms)("%s: a keyword whose value is undefined says nothing, and leaves no trace", (form) => {
    const inner = { type: "string", enum: undefined, description: undefined, $ref: undefined };
    const schema = { anyOf: undefined, type: "object", properties: { a: inner, b: undefined }, required: undefined, allOf: undefined };
    const said = { type: "object", properties: { a: { type: "string" } } };
    expect(JSON.stringify(wireOf(schema, form))).toBe(JSON.stringify(wireOf(said, form)));
  });

  it("converts a schema once, and gives it frozen", () => {
    const schema = acceptSchema({ type: "object", properties: { a: { type: "string", format: "uri" } } });
    const wire = wireOf(schema, "openai-strict");
    expect(wireOf(schema, "openai-strict")).toBe(wire);
    expect(Object.isFrozen(wire.parameters.properties)).toBe(true);
  });
});
