import { validateToolArgs } from "../../src/schema/index.js";

const schema = {
  type: "object",
  required: ["city"],
  properties: { city: { type: "string" }, days: { type: "integer", default: 3 }, place: { type: "object", required: ["zip"] } },
};

describe('seed 001, "Parameter Validation": validateToolArgs', () => {
  it("returns the arguments when they are valid, with defaults", () => {
    const args = { city: "Paris" };
    expect(validateToolArgs(schema, args)).toEqual({ ok: true, value: { city: "Paris", days: 3 } });
    expect(args).toEqual({ city: "Paris" });
  });

  it("returns an error message for missing fields, wrong types and nested objects, all in one", () => {
    expect(validateToolArgs(schema, { days: "3", place: {} })).toEqual({
      ok: false,
      error: 'city is required; days must be an integer, got string "3"; place.zip is required',
    });
  });

  it("never repairs", () => {
    expect(validateToolArgs({ type: "integer" }, "42").ok).toBe(false);
  });

  it("takes true and false as schemas", () => {
    expect(validateToolArgs(true, { anything: 1 })).toEqual({ ok: true, value: { anything: 1 } });
    expect(validateToolArgs(false, {}).ok).toBe(false);
  });

  it("a schema that can't be taken in is an error, not an exception", () => {
    expect(validateToolArgs({ type: "dict" }, {})).toEqual({
      ok: false,
      error: 'the schema at #/type is "dict", which isn\'t a type of JSON Schema. Write "object".',
    });
    expect(validateToolArgs(null, {}).ok).toBe(false);
  });
});
