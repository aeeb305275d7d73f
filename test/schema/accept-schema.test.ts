import { runInNewContext } from "node:vm";
import { acceptSchema, SchemaError, validateToolArgs } from "../../src/schema/index.js";
import { compileSchema } from "../../src/schema/internal.js";

const accepts = (schema: unknown, value: unknown): boolean => validateToolArgs(schema, value).ok;

const object = (properties: Record<string, unknown>): unknown => ({ type: "object", properties });

describe("acceptSchema", () => {
  it("returns a deeply frozen copy and leaves the schema that it was given alone", () => {
    const given = { type: "object", properties: { unit: { enum: ["a", "b"] } } };
    const schema = acceptSchema(given);
    expect(schema).toEqual(given);
    expect(schema).not.toBe(given);
    expect(Object.isFrozen(schema.properties)).toBe(true);
    expect(Object.isFrozen(Object(schema.properties?.unit).enum)).toBe(true);
    given.properties.unit.enum.push("c");
    expect(accepts(schema, { unit: "c" })).toBe(false);
  });

  it("returns a schema that was taken in before as it is", () => {
    const schema = acceptSchema({ type: "object" });
    expect(acceptSchema(schema)).toBe(schema);
  });

  it("does not change a schema that it can't change", () => {
    expect(() => acceptSchema(Object.freeze({ type: "object", $async: true, minimum: 1, exclusiveMinimum: true }))).not.toThrow();
  });

  it("takes plain objects of every realm, and those without a prototype", () => {
    expect(acceptSchema(runInNewContext('({ type: "object", properties: { a: { type: "string" } } })'))).toEqual(
      object({ a: { type: "string" } }),
    );
    expect(acceptSchema(Object.assign(Object.create(null), { type: "object" }))).toEqual({ type: "object" });
  });

  it("leaves out properties that are undefined, as JSON does", () => {
    expect(Object.keys(acceptSchema({ type: "object", title: undefined }))).toEqual(["type"]);
  });

  it.each([
    ["type dict", object({ o: { type: "dict" } }), '#/properties/o/type is "dict", which isn\'t a type of JSON Schema. Write "object".'],
    ["type int", object({ n: { type: "int" } }), 'Write "integer".'],
    ["type String", object({ s: { type: "String" } }), 'Write "string".'],
    ["type any", object({ x: { type: "any" } }), "Write nothing: leave type out."],
    [
      "an unknown type in a list",
      object({ x: { type: ["string", "uuid"] } }),
      "Write one of: string, number, integer, boolean, object, array, null.",
    ],
    ["an empty list of types", { type: [] }, "Leave type out to allow any type."],
    [
      "required that is no list",
      object({ a: { required: true } }),
      '#/properties/a/required is true, but required must be a list of property names, beside "properties"',
    ],
    ["required as a text", { required: "a" }, "must be a list of property names"],
    ["properties that are a list", { properties: [] }, "properties must be an object whose values are schemas"],
    ["a property that is no schema", object({ a: "string" }), "properties must be an object whose values are schemas"],
    ["anyOf without members", { anyOf: [] }, "anyOf must be a list of one or more schemas"],
    ["enum that is no list", { enum: "a" }, "enum must be a list of values"],
    ["a limit as a text", { minLength: "3" }, '#/minLength is "3", but minLength must be a whole number, 0 or more.'],
    ["a negative limit", { maxItems: -1 }, "maxItems must be a whole number, 0 or more"],
    ["multipleOf 0", { multipleOf: 0 }, "multipleOf must be a number above 0"],
    [
      "a pattern that is no regular expression",
      object({ p: { pattern: "(a" } }),
      '#/properties/p/pattern is "(a", which isn\'t a regular expression',
    ],
    ["a back reference in a pattern", { pattern: "^(a)\\1$" }, "refers back to a group"],
    ["a pattern of property names that can take too long", { patternProperties: { "^(a+)+$": {} } }, "can take too long to match"],
    [
      "a pattern of property names that is illegal under Unicode rules",
      { patternProperties: { "^[\\w-.]$": {} } },
      "illegal under Unicode rules",
    ],
    ["an unknown dialect", { $schema: "https://example.com/mine" }, 'is "https://example.com/mine", an unknown dialect'],
    ["a dialect that is no text", { $schema: 7 }, "an unknown dialect"],
    ["a reference to nothing", { $ref: "#/$defs/a" }, '#/$ref is "#/$defs/a", but there is no schema at that place.'],
    ["a reference to what is inherited", { $ref: "#/toString" }, "there is no schema at that place"],
    ["a reference into data", { enum: ["x"], $ref: "#/enum/0" }, "there is no schema at that place"],
    ["a remote reference", { $ref: "https://example.com/s.json" }, "References are never fetched: copy what it means into $defs."],
    ["a reference to a file", { $ref: "file:///etc/passwd" }, "never fetched"],
    ["a reference that is no address", { $ref: "http://[" }, "which isn't an address"],
    ["a reference with a broken escape", { $ref: "#/%E0%A4" }, "which isn't an address"],
    ["an unresolved dynamic reference", { $dynamicRef: "#node" }, "there is no schema at that place"],
    ["a reference to itself", { $ref: "#" }, "leads back to itself for ever"],
    [
      "references in a circle",
      { $ref: "#/$defs/a", $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } },
      "leads back to itself",
    ],
    ["one $id twice", { $defs: { a: { $id: "http://x/y" }, b: { $id: "http://x/y" } } }, 'names "http://x/y" a second time'],
    ["one $anchor twice", { $defs: { a: { $anchor: "y" }, b: { $anchor: "y" } } }, "a second time"],
    ["NaN", { minimum: Number.NaN }, "is NaN, which JSON does not know"],
    ["a Date", { default: new Date(0) }, "#/default is an instance of Date. A schema holds plain JSON only."],
    ["a function", { default: () => 1 }, "is a function"],
    ["a bigint", { const: 1n }, "is a bigint"],
    ["a null where a schema belongs", object({ a: null }), "must be an object whose values are schemas"],
  ])("case 2 and the like: rejects %s and says how to fix it", (_, schema, message) => {
    expect(() => acceptSchema(schema, { owner: "WeatherTool" })).toThrow(SchemaError);
    expect(() => acceptSchema(schema, { owner: "WeatherTool" })).toThrow(message);
    expect(() => acceptSchema(schema, { owner: "WeatherTool" })).toThrow(/^WeatherTool: the schema at #/);
  });

  it.each([[null], [true], ["object"], [[]], [undefined], [7]])("refuses %j in place of a schema", (schema) => {
    expect(() => acceptSchema(schema)).toThrow(/^the schema at # is .*, but must be an object/);
  });

  it("names the place as a JSON pointer, with its escapes", () => {
    let pointer = "";
    try {
      acceptSchema(object({ "a/b": { anyOf: [{}, { type: "x" }] } }));
    } catch (error) {
      pointer = (error as SchemaError).pointer;
    }
    expect(pointer).toBe("#/properties/a~1b/anyOf/1/type");
  });

  it("refuses schemas that contain themselves, and very deep ones", () => {
    const endless: Record<string, unknown> = { type: "object" };
    endless.properties = { self: endless };
    expect(() => acceptSchema(endless)).toThrow("or contains itself. Use $defs and $ref.");
    let deep: unknown = {};
    for (let level = 0; level < 20_000; level++) deep = { not: deep };
    expect(() => acceptSchema(deep)).toThrow(SchemaError);
  });

  it("refuses an explosion of shared parts", () => {
    let wide: unknown = {};
    for (let level = 0; level < 40; level++) wide = { anyOf: [wide, wide] };
    expect(() => acceptSchema(wide)).toThrow("is one part too many");
  });
});

describe("what is taken in", () => {
  it("$async is left out: a validator never answers with a promise", () => {
    expect(accepts({ $async: true, type: "object", required: ["a"] }, {})).toBe(false);
    expect(acceptSchema({ $async: true })).toEqual({});
  });

  it("properties called $async, id, pattern, enum or type are properties", () => {
    const names = ["$async", "id", "pattern", "enum", "type", "$ref", "required"];
    const schema = acceptSchema(object(Object.fromEntries(names.map((name) => [name, { type: "string" }]))));
    expect(Object.keys(schema.properties ?? {})).toEqual(names);
    expect(accepts(schema, { id: 1 })).toBe(false);
  });

  it("draft-04's id is left out, and its boolean exclusiveMinimum is written as a number", () => {
    expect(acceptSchema({ id: "http://x/y", minimum: 5, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false })).toEqual({
      exclusiveMinimum: 5,
      maximum: 9,
    });
  });

  it("two tools with one $id don't share a schema", () => {
    const first = acceptSchema({ $id: "http://x/tool", type: "object", required: ["a"] });
    const second = acceptSchema({ $id: "http://x/tool", type: "object", required: ["b"] });
    expect(accepts(first, { a: 1 })).toBe(true);
    expect(accepts(second, { a: 1 })).toBe(false);
  });

  it("a property __proto__ is a property", () => {
    const schema = acceptSchema(JSON.parse('{"properties":{"__proto__":{"type":"number"}}}'));
    expect(Object.keys(schema.properties ?? {})).toEqual(["__proto__"]);
    expect(accepts(schema, JSON.parse('{"__proto__":"x"}'))).toBe(false);
    expect(accepts(schema, {})).toBe(true);
    expect(({} as { type?: unknown }).type).toBeUndefined();
  });

  it.each(["toString", "valueOf", "hasOwnProperty", "constructor", "__defineGetter__"])("a required %s must be there", (name) => {
    const schema = { type: "object", required: [name] } as const;
    expect(validateToolArgs(schema, {})).toEqual({ ok: false, error: `${name} is required` });
    expect(accepts(schema, { [name]: 1 })).toBe(true);
  });

  it.each(["toString", "valueOf", "constructor"])("an optional %s may be absent", (name) => {
    const schema = { type: "object", properties: { [name]: { type: "string" } }, additionalProperties: false } as const;
    expect(accepts(schema, {})).toBe(true);
    expect(accepts(schema, { [name]: "x" })).toBe(true);
    expect(accepts(schema, { [name]: 1 })).toBe(false);
  });

  it("unknown keywords and formats pass through and are not checked", () => {
    expect(accepts({ type: "string", format: "phone-number", "x-order": 1 }, "anything")).toBe(true);
    expect(accepts({ type: "string", format: "constructor" }, "anything")).toBe(true);
  });

  it("a $ref may lead to a place that no keyword knows, such as OpenAPI's components", () => {
    const schema = { properties: { pet: { $ref: "#/components/schemas/Pet" } }, components: { schemas: { Pet: { type: "string" } } } };
    expect(accepts(schema, { pet: "Rex" })).toBe(true);
    expect(accepts(schema, { pet: 1 })).toBe(false);
    expect(() => acceptSchema({ $ref: "#/x/y", x: { y: { type: "dict" } } })).toThrow("#/x/y/type");
  });

  it("keywords beside a draft-07 $ref don't count; in 2020-12 they do", () => {
    const schema = { properties: { a: { $ref: "#/$defs/text", maxLength: 1 } }, $defs: { text: { type: "string" } } };
    expect(accepts({ $schema: "http://json-schema.org/draft-07/schema#", ...schema }, { a: "xy" })).toBe(true);
    expect(accepts(schema, { a: "xy" })).toBe(false);
  });

  it("draft-07: definitions, lists of items, additionalItems and dependencies", () => {
    const schema = acceptSchema({
      $schema: "http://json-schema.org/draft-07/schema#",
      $ref: "#/definitions/call",
      definitions: {
        call: {
          properties: { pair: { type: "array", items: [{ type: "string" }, { type: "integer" }], additionalItems: false } },
          dependencies: { pair: ["name"], name: { required: ["pair"] } },
        },
      },
    });
    const check = (value: unknown): unknown => compileSchema(schema).validate(value, { owned: false, repair: false });
    expect(check({ pair: ["a", 1], name: "x" })).toMatchObject({ ok: true });
    expect(check({ pair: ["a", "b", 3] })).toMatchObject({
      error: [
        { path: "pair[1]", message: 'must be an integer, got string "b"' },
        { path: "pair[2]", message: "is not allowed" },
        { path: "name", message: "is required if pair is given" },
      ],
    });
    expect(check({ name: "x" })).toMatchObject({ error: [{ path: "pair", message: "is required" }] });
  });
});
