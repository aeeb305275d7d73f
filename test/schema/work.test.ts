import fc from "fast-check";
import { acceptSchema, describeFaults, validateToolArgs } from "../../src/schema/index.js";
import { compileSchema, type Validated } from "../../src/schema/internal.js";
import { documentOf } from "../../src/schema/accept-schema.js";
import { fitsSchema } from "../../src/schema/faults/fault-walk.js";
import { WorkBudget } from "../../src/schema/work-budget.js";

const times = <Item>(count: number, make: (index: number) => Item): Item[] => Array.from({ length: count }, (_, index) => make(index));
const keys = <Item>(count: number, name: (index: number) => string, make: (index: number) => Item): Record<string, Item> =>
  Object.fromEntries(times(count, (index) => [name(index), make(index)]));

const validate = (schema: unknown, value: unknown, repair = true): Validated =>
  compileSchema(acceptSchema(schema)).validate(value, { owned: false, repair });

const textOf = (schema: unknown, value: unknown): string => {
  const checked = validate(schema, value);
  return checked.ok ? "accepted" : describeFaults(checked.error);
};

const costly = /too costly to check against its schema: send less at once$/;

describe("the work of a validation", () => {
  it.each<[string, unknown, unknown]>([
    [
      "many patterns on one long text",
      { anyOf: times(50, (index) => ({ pattern: `^(a|b|ab)*${"(a|aa)?".repeat(20)}c${index}$` })) },
      "ab".repeat(6_500),
    ],
    [
      "many patterns of property names",
      {
        patternProperties: keys(
          500,
          (i) => `^[a-z]*${i}`,
          () => ({}),
        ),
      },
      keys(
        15_000,
        (i) => `k${i}`,
        () => 1,
      ),
    ],
    ["a pattern under not", { not: { pattern: `^(a?){300}${"(a|aa)*".repeat(10)}b$` } }, "a".repeat(200_000)],
    ["a pattern on many short texts", { items: { pattern: "^(?:(a|aa)?){60}$" } }, times(8_000, () => "a")],
    ["many branches for many items", { items: { anyOf: times(3_000, (i) => ({ const: i })) } }, times(30_000, () => "x")],
    [
      "a large default for many items",
      {
        items: {
          properties: {
            d: {
              default: keys(
                1_000,
                (i) => `k${i}`,
                () => 1,
              ),
            },
          },
        },
      },
      times(30_000, () => ({})),
    ],
    [
      "many defaults for many items",
      {
        items: {
          properties: keys(
            1_000,
            (i) => `k${i}`,
            () => ({ default: 1 }),
          ),
        },
      },
      times(30_000, () => ({})),
    ],
    [
      "uniqueItems at every level",
      nest(90, (inner) => ({ uniqueItems: true, items: inner })),
      nest(
        90,
        (inner) => [inner],
        times(40_000, (i) => i),
      ),
    ],
    [
      "unevaluatedProperties at every level",
      nest(80, (inner) => ({ allOf: [inner], unevaluatedProperties: { type: "integer" } })),
      keys(
        20_000,
        (i) => `k${i}`,
        () => 1,
      ),
    ],
    [
      "references that double at each step",
      {
        $ref: "#/$defs/a0",
        $defs: keys(
          40,
          (i) => `a${i}`,
          (i) => (i < 39 ? { allOf: [{ $ref: `#/$defs/a${i + 1}` }, { $ref: `#/$defs/a${i + 1}` }] } : { type: "integer" }),
        ),
      },
      1,
    ],
    [
      "defaults that double at each step",
      {
        properties: { x: { $ref: "#/$defs/a0" } },
        $defs: keys(
          60,
          (i) => `a${i}`,
          (i) =>
            i < 59 ? { default: {}, properties: { a: { $ref: `#/$defs/a${i + 1}` }, b: { $ref: `#/$defs/a${i + 1}` } } } : { default: 1 },
        ),
      },
      {},
    ],
  ])("is bounded: %s", (_, schema, value) => expect(textOf(schema, value)).toMatch(costly));

  it("names the place at which it ended", () => {
    expect(
      textOf({ properties: { list: { items: { anyOf: times(3_000, (i) => ({ const: i })) } } } }, { list: times(30_000, () => "x") }),
    ).toMatch(/^list\[\d+\] is too costly/);
  });

  it.each<[string, unknown, unknown]>([
    [
      "1,000 objects in an enum for 4,000 items",
      { items: { enum: times(1_000, (i) => ({ a: i })) } },
      times(4_000, (i) => ({ a: i % 1_000 })),
    ],
    [
      "4,000 required names",
      { required: times(4_000, (i) => `k${i}`) },
      keys(
        4_000,
        (i) => `k${i}`,
        () => 1,
      ),
    ],
    [
      "2,000 declared properties for 20,000 items",
      {
        items: {
          properties: keys(
            2_000,
            (i) => `p${i}`,
            () => ({ type: "integer" }),
          ),
        },
      },
      times(20_000, () => ({ p1: 1 })),
    ],
    [
      "nested contains, whose generated code would double",
      nest(40, (inner) => ({ contains: inner, minContains: 1, maxContains: 2 })),
      nest(40, (inner) => [inner]),
    ],
    [
      "a list of records of 256 KB",
      {
        items: {
          type: "object",
          required: ["id"],
          additionalProperties: false,
          properties: {
            id: { type: "integer" },
            name: { type: "string", minLength: 1 },
            price: { type: ["number", "null"] },
            kind: { enum: ["a", "b"] },
          },
        },
      },
      times(5_000, (id) => ({ id, name: `name ${id}`, price: 1.5, kind: "a" })),
    ],
  ])("accepts %s", (_, schema, value) => expect(textOf(schema, value)).toBe("accepted"));

  it("lists no more than 1,000 faults, however many there are", () => {
    const checked = validate(
      { items: { type: "string" } },
      times(100_000, () => 1),
    );
    expect(checked.ok ? 0 : checked.error.length).toBe(1_000);
  });

  it("cuts what is too long to read: names in paths, allowed values, patterns", () => {
    const text = textOf(
      { properties: { a: { enum: ["x".repeat(50_000)] }, b: { pattern: `^${"b".repeat(10_000)}` } }, additionalProperties: false },
      { a: 1, b: "c", ["k".repeat(100_000)]: 1 },
    );
    expect(text.length).toBeLessThan(3_000);
  });

  it("reads the JSON inside a text once, however many branches would take it", () => {
    const schema = { anyOf: times(500, (i) => ({ type: "object", required: [`k${i}`] })) };
    expect(
      textOf(
        schema,
        JSON.stringify(
          keys(
            5_000,
            (i) => `x${i}`,
            () => 1,
          ),
        ),
      ),
    ).toMatch(/is required$/);
  });

  it("refuses a schema with too many patterns or too long an address", () => {
    expect(validateToolArgs({ anyOf: times(501, (i) => ({ pattern: `a${i}` })) }, "a")).toMatchObject({
      error: expect.stringMatching(/one pattern too many/),
    });
    expect(validateToolArgs({ pattern: "\\p{L}".repeat(101) }, "a")).toMatchObject({
      error: expect.stringMatching(/patterns of a schema/),
    });
    expect(validateToolArgs({ $id: `http://x/${"a".repeat(1_000)}`, $ref: "#" }, "a")).toMatchObject({
      error: expect.stringMatching(/is longer than 1000/),
    });
  });
});

/** The value wrapped so many times. */
function nest(levels: number, wrap: (inner: unknown) => unknown, innermost: unknown = {}): unknown {
  let nested = innermost;
  for (let level = 0; level < levels; level++) nested = wrap(nested);
  return nested;
}

describe("the walk without the engine", () => {
  const walks = (schema: unknown, value: unknown): boolean => {
    const accepted = acceptSchema(schema);
    return fitsSchema(accepted, documentOf(accepted), value, new WorkBudget());
  };

  it("gives the engine's verdict for any schema and value", () => {
    const leaf = fc.constantFrom<Record<string, unknown>>(
      { type: "string" },
      { type: "integer" },
      { const: 1 },
      { enum: ["a", 2, [1]] },
      { minimum: 1 },
      { maxLength: 1 },
      { required: ["a"] },
      { uniqueItems: true },
    );
    const { schema } = fc.letrec<{ schema: Record<string, unknown> }>((tie) => ({
      schema: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
        fc.array(tie("schema"), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
        fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
        tie("schema").map((not) => ({ not })),
        tie("schema").map((items) => ({ items })),
        fc.tuple(tie("schema"), fc.integer({ min: 0, max: 2 })).map(([contains, minContains]) => ({ contains, minContains })),
        fc.tuple(tie("schema"), tie("schema")).map(([a, rest]) => ({ properties: { a }, additionalProperties: rest })),
        fc.tuple(tie("schema"), tie("schema")).map(([first, other]) => ({ if: first, else: other })),
      ),
    }));
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<unknown>(1, 2, 0.5, "a", "ab", true, null),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b"), tie("value"), { maxKeys: 2, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(schema, value, (oneSchema, oneValue) => {
        expect(walks(oneSchema, oneValue)).toBe(validate(oneSchema, oneValue, false).ok);
      }),
      { numRuns: 1_000 },
    );
  });
});
