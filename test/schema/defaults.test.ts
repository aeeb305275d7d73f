import fc from "fast-check";
import { acceptSchema, validateToolArgs } from "../../src/schema/index.js";
import { compileSchema } from "../../src/schema/internal.js";

const fill = (schema: unknown, value: unknown, owned = false): unknown => {
  const checked = compileSchema(acceptSchema(schema)).validate(value, { owned, repair: false });
  return checked.ok ? checked.value : checked;
};

const withDefault = (value: unknown): unknown => ({ properties: { v: { default: value } } });

describe("defaults", () => {
  it("fill in what is absent, and only that", () => {
    const schema = { properties: { units: { type: "string", default: "celsius" }, limit: { type: "integer", default: 10 } } };
    expect(fill(schema, { limit: 3 })).toEqual({ limit: 3, units: "celsius" });
    expect(fill(schema, { limit: undefined })).toEqual({ limit: 10, units: "celsius" });
  });

  it.each([[0], [""], [false], [null], [[]], [{}], [[{ a: [1] }]]])("%j is a default like any other", (value) => {
    expect(fill(withDefault(value), {})).toEqual({ v: value });
  });

  it("case 10: each call gets a fresh copy", () => {
    const schema = acceptSchema({ properties: { tags: { type: "array", default: [] }, options: { default: { deep: { list: [1] } } } } });
    const first = fill(schema, {}) as { tags: string[]; options: { deep: { list: number[] } } };
    first.tags.push("x");
    first.options.deep.list.push(2);
    expect(fill(schema, {})).toEqual({ tags: [], options: { deep: { list: [1] } } });
  });

  it("are written into a value only if it is owned", () => {
    const schema = { properties: { a: { properties: { b: { default: 1 } } }, list: { items: { properties: { c: { default: 2 } } } } } };
    const value = { a: {}, list: [{ c: 1 }, {}], other: {} };
    const filled = fill(schema, value) as typeof value;
    expect(value).toEqual({ a: {}, list: [{ c: 1 }, {}], other: {} });
    expect(filled).toEqual({ a: { b: 1 }, list: [{ c: 1 }, { c: 2 }], other: {} });
    expect(filled.other).toBe(value.other);
    expect(fill(schema, value, true)).toBe(value);
    expect(value.a).toEqual({ b: 1 });
  });

  it("a value that lacks nothing comes back as it is", () => {
    const value = { v: 1 };
    expect(fill(withDefault(2), value)).toBe(value);
  });

  it.each<[string, unknown, unknown, unknown]>([
    ["nested objects", { properties: { a: { properties: { b: { default: 1 } } } } }, { a: {} }, { a: { b: 1 } }],
    ["absent parents stay absent", { properties: { a: { properties: { b: { default: 1 } } } } }, {}, {}],
    ["defaults inside a default", { properties: { a: { default: {}, properties: { b: { default: 1 } } } } }, {}, { a: { b: 1 } }],
    ["items", { properties: { a: { items: { properties: { b: { default: 1 } } } } } }, { a: [{}, { b: 2 }] }, { a: [{ b: 1 }, { b: 2 }] }],
    ["prefixItems", { prefixItems: [{}, { properties: { b: { default: 1 } } }] }, [{}, {}, {}], [{}, { b: 1 }, {}]],
    ["values of maps", { additionalProperties: { properties: { b: { default: 1 } } } }, { x: {} }, { x: { b: 1 } }],
    ["patternProperties", { patternProperties: { "^x": { properties: { b: { default: 1 } } } } }, { x: {}, y: {} }, { x: { b: 1 }, y: {} }],
    [
      "names that a pattern takes are not the rest's",
      { patternProperties: { "^x": {} }, additionalProperties: { properties: { b: { default: 1 } } } },
      { x: {}, y: {} },
      { x: {}, y: { b: 1 } },
    ],
    ["$ref", { $ref: "#/$defs/a", $defs: { a: { properties: { b: { default: 1 } } } } }, {}, { b: 1 }],
    ["a default behind a $ref", { properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { default: 1 } } }, {}, { a: 1 }],
    ["a default beside a $ref", { properties: { a: { $ref: "#/$defs/a", default: 2 } }, $defs: { a: { default: 1 } } }, {}, { a: 2 }],
    [
      "allOf",
      { allOf: [{ properties: { a: { default: 1 } } }, { properties: { a: { default: 2 }, b: { default: 3 } } }] },
      {},
      { a: 1, b: 3 },
    ],
    ["anyOf with null", { anyOf: [{ type: "null" }, { type: "object", properties: { a: { default: 1 } } }] }, {}, { a: 1 }],
    ["not in a union of two objects", { anyOf: [{ properties: { a: { default: 1 } } }, { properties: { b: { default: 2 } } }] }, {}, {}],
    [
      "the branch that a constant property names",
      {
        oneOf: [
          { properties: { kind: { const: "a" }, size: { default: 1 } }, required: ["kind"] },
          { properties: { kind: { const: "b" }, size: { default: 2 } }, required: ["kind"] },
        ],
      },
      { kind: "b" },
      { kind: "b", size: 2 },
    ],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ["not inside if, then and not", { if: { properties: { a: { default: 1 } } }, then: { properties: { b: { default: 2 } } } }, {}, {}],
    [
      "names that every object inherits",
      { properties: { toString: { default: "x" }, constructor: { default: 1 } } },
      {},
      { toString: "x", constructor: 1 },
    ],
    ["a property called default", { properties: { default: { type: "string" } } }, {}, {}],
    ["a required property with a default may be absent", { required: ["a"], properties: { a: { default: 1 } } }, {}, { a: 1 }],
  ])("%s", (_, schema, value, filled) => {
    expect(fill(schema, value)).toEqual(filled);
  });

  it("a default of a recursive type that contains itself is filled in once", () => {
    const schema = {
      $ref: "#/$defs/node",
      $defs: { node: { default: {}, properties: { child: { $ref: "#/$defs/node" }, n: { default: 1 } } } },
    };
    const filled = fill(schema, {}) as Record<string, unknown>;
    expect(filled).toMatchObject({ n: 1, child: { n: 1 } });
    expect(JSON.stringify(filled).length).toBeLessThan(100);
  });

  it.each([
    ["of the wrong type", { type: "integer", default: "ten" }],
    ["not among the allowed values", { enum: ["a"], default: "b" }],
    ["without what it requires", { type: "object", required: ["x"], default: {} }],
  ])("a default %s is not applied", (_, property) => {
    expect(fill({ properties: { v: property } }, {})).toEqual({});
  });

  it("don't change what is valid: a tool that takes either of two parameters still takes one", () => {
    const schema = { properties: { a: {}, b: { default: 1 } }, oneOf: [{ required: ["a"] }, { required: ["b"] }] };
    expect(validateToolArgs(schema, { a: 1 }).ok).toBe(true);
  });

  it("nothing can be smuggled in through __proto__", () => {
    const schema = { properties: JSON.parse('{"__proto__":{"default":{"polluted":true}},"a":{"default":1}}') };
    const filled = fill(schema, JSON.parse('{"__proto__":{"x":1}}')) as object;
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype);
    expect(Object.keys(filled).sort()).toEqual(["__proto__", "a"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it("any JSON value comes out equal and fresh", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const schema = acceptSchema(withDefault(value));
        const [first, second] = [fill(schema, {}) as { v: unknown }, fill(schema, {}) as { v: unknown }];
        expect(first).toEqual({ v: value });
        if (typeof first.v === "object" && first.v !== null) expect(first.v).not.toBe(second.v);
      }),
      { numRuns: 100 },
    );
  });
});
