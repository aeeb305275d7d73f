import fc from "fast-check";
import { acceptSchema, SchemaError } from "../../src/schema/index.js";
import { compileSchema } from "../../src/schema/internal.js";

const name = fc.constantFrom("a", "b", "toString");

/** Keywords that hold no schemas, then those that do: up to four of them, small enough that `values` often fit and often don't. */
function schemasOfDepth(depth: number): fc.Arbitrary<Record<string, unknown>> {
  const plain: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.constantFrom("string", "number", "integer", "boolean", "object", "array", "null", ["string", "null"]),
    enum: fc.array(fc.constantFrom(1, 2, "1", "a", null, true), { minLength: 1, maxLength: 3 }),
    minimum: fc.integer({ min: 0, max: 3 }),
    maxLength: fc.integer({ min: 0, max: 3 }),
    pattern: fc.constantFrom("^[a-c]*$", "^(a+)+$", "b"),
    required: fc.uniqueArray(name, { maxLength: 2 }),
    uniqueItems: fc.boolean(),
    default: fc.constantFrom(1, "a", null, [], {}),
  };
  if (depth === 0) return keywords(plain);
  const inner = schemasOfDepth(depth - 1);
  return keywords({
    ...plain,
    properties: fc.dictionary(name, inner, { maxKeys: 2, noNullPrototype: true }),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    items: inner,
    anyOf: fc.array(inner, { minLength: 1, maxLength: 3 }),
    oneOf: fc.array(inner, { minLength: 1, maxLength: 3 }),
    allOf: fc.array(inner, { minLength: 1, maxLength: 2 }),
    not: inner,
  });
}

const keywords = (all: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .uniqueArray(fc.constantFrom(...Object.keys(all)), { maxLength: 4 })
    .chain((names) => fc.record(Object.fromEntries(names.map((key) => [key, all[key] ?? fc.constant(true)])), { noNullPrototype: true }));

const schemas = schemasOfDepth(2);

const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(0, 1, 2, 3.5, "", "a", "b", "1", "true", "[1]", '{"a":1}', true, false, null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "toString"), tie("value"), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}

describe("for any schema and any value", () => {
  it("validation never throws, changes nothing it doesn't own, and names a fault for every refusal", () => {
    fc.assert(
      fc.property(schemas, values, fc.boolean(), (schema, value, repair) => {
        const checked = compileSchema(acceptSchema(schema)).validate(freeze(value), { owned: false, repair });
        if (checked.ok) return;
        expect(checked.error.length).toBeGreaterThan(0);
        for (const { message } of checked.error) expect(message).not.toMatch(/read only|can't be read|undefined is/);
      }),
      { numRuns: 400 },
    );
  });

  it("what a repair made valid is valid, and stays as it is the second time", () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const validator = compileSchema(acceptSchema(schema));
        const first = validator.validate(value, { owned: false, repair: true });
        if (!first.ok || first.repairs === undefined) return;
        const again = validator.validate(first.value, { owned: false, repair: false });
        // Defaults that were filled in may collide with each other (`oneOf`); repairs alone must hold.
        if (!JSON.stringify(schema).includes("default")) expect(again).toEqual({ ok: true, value: first.value });
      }),
      { numRuns: 400 },
    );
  });

  it("a repair by one keyword that breaks another one is none: the fault of the given value is named", () => {
    const schema = { allOf: [{ minimum: 0, enum: [1] }], type: "string", minimum: 0 };
    const checked = compileSchema(acceptSchema(schema)).validate("1", { owned: false, repair: true });
    expect(checked).toMatchObject({ ok: false, error: [{ keyword: "enum" }] });
  });

  it("a schema of any JSON is taken in or refused with a SchemaError", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("type", "properties", "items", "$ref", "$id", "anyOf", "enum", "pattern", "required"),
          fc.jsonValue(),
        ),
        (schema) => {
          try {
            acceptSchema(schema);
          } catch (error) {
            expect(error).toBeInstanceOf(SchemaError);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
