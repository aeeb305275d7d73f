import { acceptSchema, describeFaults, type JsonSchema } from "../../src/schema/index.js";
import { compileSchema, type Validated } from "../../src/schema/internal.js";
import { atOnce, processorTimeOf } from "../support/processor-time.js";

const strict = (schema: unknown, value: unknown): Validated =>
  compileSchema(acceptSchema(schema)).validate(value, { owned: false, repair: false });

const lenient = (schema: unknown, value: unknown): Validated =>
  compileSchema(acceptSchema(schema)).validate(value, { owned: false, repair: true });

const faults = (schema: unknown, value: unknown): string => {
  const checked = strict(schema, value);
  return checked.ok ? "" : describeFaults(checked.error);
};

const one = (name: string, schema: JsonSchema): JsonSchema => ({ type: "object", properties: { [name]: schema } });

describe("faults", () => {
  it("case 35: all at once, with paths", () => {
    const schema = {
      type: "object",
      required: ["type", "n", "items"],
      properties: {
        type: { type: "string" },
        n: { type: "integer" },
        units: { enum: ["celsius", "fahrenheit"] },
        items: { type: "array", items: { type: "object", required: ["price"], properties: { price: { type: "number" } } } },
      },
    };
    expect(faults(schema, { n: "x", units: "kelvin", items: [{ price: 1 }, {}] })).toBe(
      'type is required; n must be an integer, got string "x"; units must be one of: celsius, fahrenheit, got "kelvin"; items[1].price is required',
    );
  });

  it("never quote a secret", () => {
    const schema = { type: "object", properties: { password: { type: "string", pattern: "^x" }, apiKey: { type: "integer" } } };
    expect(faults(schema, { password: "hunter2", apiKey: "k" })).toBe("password must match the pattern ^x; apiKey must be an integer");
    expect(faults(one("token", { anyOf: [{ type: "integer" }, { type: "null" }] }), { token: "t" })).toBe(
      "token must be an integer or null",
    );
    expect(faults(one("secret", { not: { enum: ["a"] } }), { secret: "a" })).toBe("secret must not be one of: a");
  });

  it("beyond the first fifty are counted, not listed", () => {
    const text = faults(one("n", { type: "array", items: { type: "integer" } }), { n: new Array(1_000).fill("x") });
    expect(text).toMatch(/^n\[0\] must be .*; n\[49\] must be an integer, got string "x"; and 950 more$/);
  });

  it("case 13: unknown keys are named, and so are the known ones", () => {
    expect(faults({ type: "object", properties: { a: { type: "integer" } }, additionalProperties: false }, { a: 1, hoho: 2 })).toBe(
      "hoho is unknown (known: a)",
    );
    expect(faults({ type: "object", additionalProperties: false }, { a: 1 })).toBe("a is unknown (nothing is expected here)");
  });

  it("case 2: a required parameter that is missing is a fault", () => {
    expect(faults({ type: "object", required: ["city"] }, {})).toBe("city is required");
  });

  it.each<[unknown, JsonSchema, string]>([
    ["", { minLength: 1 }, "v must not be empty"],
    ["ab", { minLength: 3 }, "v must have at least 3 characters, has 2"],
    ["\u{1F600}\u{1F600}", { maxLength: 1 }, "v must have at most 1 character, has 2"],
    ["12", { pattern: "^[0-9]{5}$" }, 'v must match the pattern ^[0-9]{5}$, got "12"'],
    ["tomorrow", { format: "date" }, 'v must be a date such as 2024-05-17, got "tomorrow"'],
    ["x", { format: "uri-template", type: "integer" }, 'v must be an integer, got string "x"'],
    [0, { minimum: 1 }, "v must be at least 1, got 0"],
    [5, { maximum: 4 }, "v must be at most 4, got 5"],
    [0, { exclusiveMinimum: 0 }, "v must be greater than 0, got 0"],
    [1, { exclusiveMaximum: 1 }, "v must be less than 1, got 1"],
    [7, { multipleOf: 5 }, "v must be a multiple of 5, got 7"],
    [[], { minItems: 1 }, "v must have at least 1 item, has 0"],
    [[1, 2], { maxItems: 1 }, "v must have at most 1 item, has 2"],
    [[{ a: 1, b: 2 }, 3, { b: 2, a: 1 }], { uniqueItems: true }, "v[2] must not repeat item 0"],
    [[1], { contains: { type: "string" } }, "v must have at least 1 item of the required kind, has 0"],
    [["a", "b"], { contains: { type: "string" }, maxContains: 1 }, "v must have at most 1 item of the limited kind, has 2"],
    [{}, { minProperties: 1 }, "v must have at least 1 property, has 0"],
    [{ a: 1, b: 2 }, { maxProperties: 1 }, "v must have at most 1 property, has 2"],
    [{ Ab: 1 }, { propertyNames: { pattern: "^[a-z]+$" } }, 'v.Ab isn\'t an allowed name: it must match the pattern ^[a-z]+$, got "Ab"'],
    [{ "x-a": 1 }, { patternProperties: { "^x-": { type: "string" } } }, 'v["x-a"] must be a string, got number 1'],
    [{ a: 1 }, { dependentRequired: { a: ["b"] } }, "v.b is required if a is given"],
    [{ a: 1 }, { dependentSchemas: { a: { required: ["b"] } } }, "v.b is required"],
    [2, { const: 1 }, "v must be 1, got 2"],
    ["b", { const: "a" }, 'v must be a, got "b"'],
    ["3", { enum: ["1", "two words", "", "a,b"] }, 'v must be one of: "1", two words, "", "a,b", got "3"'],
    ["a", { not: { enum: ["a", "b"] } }, 'v must not be one of: a, b, got "a"'],
    [{ a: 1, b: 1 }, { not: { required: ["a", "b"] } }, "v must not have a, b together"],
    [1, { not: { type: "integer" } }, "v has a form that is not allowed here"],
    [1, { not: { const: 1 } }, "v must not be 1"],
    [1, false as unknown as JsonSchema, "v is not allowed"],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    [{ kind: "a" }, { if: { properties: { kind: { const: "a" } } }, then: { required: ["size"] } }, "v.size is required"],
    [null, { type: "string" }, "v must be a string, got null"],
    [[], { type: ["object", "null"] }, "v must be an object or null, got an array"],
    [Number.NaN, { type: "number" }, "v must be a number, got NaN"],
    [Number.POSITIVE_INFINITY, { type: "number" }, "v must be a number, got Infinity"],
    [10n, { type: "integer" }, "v must be an integer, got bigint 10"],
    [new Date(0), { type: "string" }, "v must be a string, got an instance of Date"],
    [() => 1, { type: "string" }, "v must be a string, got a function"],
    ["x".repeat(100), { type: "integer" }, `v must be an integer, got string "${"x".repeat(39)}...`],
    [
      { a: { extra: 1 } },
      { allOf: [{ properties: { a: { properties: {}, additionalProperties: false } } }] },
      "v.a.extra is unknown (nothing is expected here)",
    ],
    [{ extra: 1 }, { properties: {}, unevaluatedProperties: false }, "v must not have unevaluated properties"],
  ])("%p under %j", (value, schema, message) => {
    expect(faults(one("v", schema), { v: value })).toBe(message);
  });

  it("long lists of allowed values are cut", () => {
    const schema = { enum: Array.from({ length: 60 }, (_, index) => `v${index}`) };
    expect(faults(schema, "x")).toMatch(/^arguments must be one of: v0, v1, .*v49, \.\.\. \(10 more\), got "x"$/);
  });

  it("the value itself is called arguments", () => {
    expect(faults({ type: "object" }, [])).toBe("arguments must be an object, got an array");
  });

  it("each fault says which keyword is broken", () => {
    const checked = strict({ required: ["a"] }, {});
    expect(checked).toEqual({ ok: false, error: [{ path: "a", message: "is required", keyword: "required" }] });
  });
});

describe("faults of unions", () => {
  it("one line when the value is none of the kinds", () => {
    const schema = one("v", { anyOf: [{ type: "integer" }, { type: "array" }, { enum: ["auto", "none"] }] });
    expect(faults(schema, { v: true })).toBe("v must be an integer or an array or one of: auto, none, got boolean true");
  });

  it("the faults of the branch that was meant, by type", () => {
    const schema = one("v", { anyOf: [{ type: "null" }, { type: "object", required: ["id"], properties: { id: { type: "integer" } } }] });
    expect(faults(schema, { v: { id: "x" } })).toBe('v.id must be an integer, got string "x"');
  });

  const shapes = {
    oneOf: [
      { type: "object", properties: { kind: { const: "circle" }, radius: { type: "number" } }, required: ["kind", "radius"] },
      { type: "object", properties: { kind: { const: "square" }, side: { type: "number" } }, required: ["kind", "side"] },
    ],
  };

  it("the faults of the branch that was meant, by its constant property", () => {
    expect(faults(shapes, { kind: "square", radius: 1 })).toBe("side is required");
  });

  it("the allowed values of the property that distinguishes the branches", () => {
    expect(faults(shapes, { kind: "cube" })).toBe('kind must be one of: circle, square, got "cube"');
  });

  it("a value that fits two branches of oneOf", () => {
    expect(faults({ oneOf: [{ type: "integer" }, { minimum: 2 }] }, 3)).toBe(
      "arguments fits 2 of the allowed forms, but must fit exactly one",
    );
  });
});

describe("repairs", () => {
  it.each<[unknown, JsonSchema, unknown]>([
    ["42", { type: "integer" }, 42],
    ["-7", { type: "integer" }, -7],
    ["3.14", { type: "number" }, 3.14],
    ["1e3", { type: "number" }, 1000],
    ["true", { type: "boolean" }, true],
    ["false", { type: "boolean" }, false],
    ["[1,2]", { type: "array", items: { type: "integer" } }, [1, 2]],
    ['["1"]', { type: "array", items: { type: "integer" } }, [1]],
    ['{"a":1}', { type: "object" }, { a: 1 }],
    ["2", { enum: [1, 2, 3] }, 2],
    ["5", { type: ["integer", "null"] }, 5],
    ["5", { anyOf: [{ type: "integer" }, { type: "null" }] }, 5],
    ["5", { allOf: [{ type: "integer" }, { minimum: 1 }] }, 5],
  ])("case 7 and the like: %j fits %j as %j", (value, schema, repaired) => {
    expect(lenient(one("v", schema), { v: value })).toMatchObject({ ok: true, value: { v: repaired } });
    expect(strict(one("v", schema), { v: value }).ok).toBe(false);
  });

  it.each<[unknown, JsonSchema]>([
    ["", { type: "integer" }],
    [" 42 ", { type: "integer" }],
    ["3.14", { type: "integer" }],
    ["4.0", { type: "integer" }],
    ["007", { type: "integer" }],
    ["-0", { type: "integer" }],
    ["0x1F", { type: "integer" }],
    ["9007199254740993", { type: "integer" }],
    ["", { type: "number" }],
    ["NaN", { type: "number" }],
    ["Infinity", { type: "number" }],
    ["1e999", { type: "number" }],
    ["0.12345678901234567890", { type: "number" }],
    ["abc", { type: "number" }],
    ["yes", { type: "boolean" }],
    ["", { type: "boolean" }],
    ["True ", { type: "boolean" }],
    [1, { type: "boolean" }],
    [0, { type: "boolean" }],
    [42, { type: "string" }],
    [true, { type: "string" }],
    ["[1,2", { type: "array" }],
    ["1,2", { type: "array" }],
    ['{"__proto__":{}}', { type: "object" }],
    ['{"a":12345678901234567890}', { type: "object" }],
    ["null", { type: "null" }],
    ["4", { enum: [1, 2, 3] }],
  ])("never: %j for %j", (value, schema) => {
    expect(lenient({ ...one("v", schema), required: ["v"] }, { v: value }).ok).toBe(false);
  });

  it('case 5: "false" never becomes true', () => {
    expect(lenient(one("force", { type: "boolean" }), { force: "false" })).toMatchObject({ ok: true, value: { force: false } });
  });

  it("case 8: null for an absent optional means absent, and its default applies", () => {
    const schema = {
      type: "object",
      required: ["q"],
      properties: { q: { type: "string" }, limit: { type: "integer", default: 10 }, tag: { type: "string" } },
    };
    expect(lenient(schema, { q: "x", limit: null, tag: null })).toEqual({
      ok: true,
      value: { q: "x", limit: 10 },
      repairs: [
        { path: "limit", from: null, to: undefined },
        { path: "tag", from: null, to: undefined },
      ],
    });
    expect(lenient(schema, { q: null })).toMatchObject({ ok: false });
    expect(strict(schema, { q: "x", tag: null })).toMatchObject({ ok: false });
  });

  it("null stays where it is allowed", () => {
    expect(lenient(one("v", { type: ["string", "null"] }), { v: null })).toEqual({ ok: true, value: { v: null } });
  });

  it("a value that fits is never touched, even if another branch would want a repair", () => {
    expect(lenient(one("v", { anyOf: [{ type: "integer" }, { type: "string" }] }), { v: "42" })).toEqual({ ok: true, value: { v: "42" } });
  });

  it("repairs are reported with their paths, and the value given is not changed", () => {
    const value = Object.freeze({ items: Object.freeze([Object.freeze({ n: "1" }), Object.freeze({ n: 2 })]) });
    const schema = one("items", { type: "array", items: one("n", { type: "integer" }) });
    expect(lenient(schema, value)).toEqual({
      ok: true,
      value: { items: [{ n: 1 }, { n: 2 }] },
      repairs: [{ path: "items[0].n", from: "1", to: 1 }],
    });
  });

  it("an object encoded twice is decoded at the root, and what it holds is validated", () => {
    expect(lenient(one("n", { type: "integer" }), '{"n":"1"}')).toMatchObject({ ok: true, value: { n: 1 } });
    expect(lenient(one("n", { type: "integer" }), '{"n":"x"}')).toMatchObject({ ok: false, error: [{ path: "n" }] });
  });

  it("a repair that leads to another fault is no repair", () => {
    expect(lenient(one("n", { type: "integer", minimum: 10 }), { n: "5" })).toMatchObject({
      ok: false,
      error: [{ message: "must be at least 10, got 5" }],
    });
  });
});

describe("values that are no JSON", () => {
  class Point {
    x = 1;
    get y(): number {
      return 2;
    }
  }

  it("a class instance is an object", () => {
    expect(strict(one("x", { type: "integer" }), new Point()).ok).toBe(true);
  });

  it("an undefined property counts as absent", () => {
    expect(strict(one("a", { type: "string" }), { a: undefined }).ok).toBe(true);
    expect(faults({ ...one("a", { type: "string" }), required: ["a"] }, { a: undefined })).toBe("a is required");
  });

  it("a getter that throws is a fault", () => {
    const value = {
      get a(): string {
        throw new Error("disk full");
      },
    };
    expect(faults(one("a", { type: "string" }), value)).toBe("arguments can't be read (disk full)");
  });

  const tree = acceptSchema({ $ref: "#/$defs/node", $defs: { node: { type: "object", properties: { child: { $ref: "#/$defs/node" } } } } });

  it("20,000 levels and endless values are nested too deeply", () => {
    let deep: unknown = { child: 1 };
    for (let level = 0; level < 20_000; level++) deep = { child: deep };
    const endless: Record<string, unknown> = {};
    endless.child = endless;
    for (const value of [deep, endless]) {
      for (const repair of [true, false]) {
        const checked = compileSchema(tree).validate(value, { owned: false, repair });
        expect(checked).toMatchObject({
          ok: false,
          error: [{ path: "", message: expect.stringMatching(/is nested too deeply|is too costly to check/) }],
        });
      }
    }
  });

  it("schemas whose branches multiply at each level don't run for ever", () => {
    const schema = {
      $ref: "#/$defs/node",
      $defs: { node: { anyOf: [1, 2, 3].map((size) => ({ properties: { child: { $ref: "#/$defs/node" }, leaf: { const: size } } })) } },
    };
    let value: unknown = { leaf: "none" };
    for (let level = 0; level < 40; level++) value = { child: value };
    expect(faults(schema, value)).toMatch(/^child\.child.* is too costly to check against its schema: send less at once$/);
  });
});

describe("patterns in validation", () => {
  it("answer at once if the platform's engine would hang, and say what is wrong", () => {
    const time = processorTimeOf(() => {
      expect(faults(one("v", { pattern: "^(a+)+$" }), { v: `${"a".repeat(40)}!` })).toMatch(/^v must match the pattern \^\(a\+\)\+\$/);
      expect(faults(one("v", { pattern: "^\\s+|\\s+$" }), { v: `x${" ".repeat(50_000)}x` })).toMatch(/^v must match the pattern/);
      expect(strict(one("v", { pattern: "^(a+)+$" }), { v: "a".repeat(1_000) }).ok).toBe(true);
    });
    expect(time).toBeLessThan(atOnce);
  });

  it("work for property names, which must be short if a pattern is not linear", () => {
    const schema = { type: "object", patternProperties: { "f.*o": { type: "integer" } }, additionalProperties: false };
    expect(strict(schema, { foo: 1 }).ok).toBe(true);
    expect(faults(schema, { bar: 1 })).toBe("bar is unknown (nothing is expected here)");
    expect(faults(schema, { [`${"f".repeat(100_000)}`]: 1 })).toMatch(/is unknown|has a property name of more than 1000 characters/);
    expect(faults(schema, { [`${"f".repeat(100_000)}o`]: 1 })).toBe("arguments has a property name of more than 1000 characters");
  });
});
