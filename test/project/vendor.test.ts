import { Compile } from "typebox/schema";

describe("the validation engine, an ES module, in jest without flags", () => {
  it("compiles a schema to a check", () => {
    const validator = Compile({ type: "object", required: ["city"], properties: { city: { type: "string" } } });
    expect(validator.Check({ city: "Paris" })).toBe(true);
    expect(validator.Check({ city: 75 })).toBe(false);
  });
});
