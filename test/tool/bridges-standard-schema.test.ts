import { z } from "zod";
import type { StandardSchema } from "../../src/schema/index.js";
import { checkByStandard, jsonSchemaOfStandard } from "../../src/tool/bridges/standard-schema-check.js";

describe("the JSON Schema of a Standard Schema", () => {
  it("is that of its input", () => {
    const schema = z.object({ city: z.string().min(1), days: z.number().int().default(3) });
    expect(jsonSchemaOfStandard(schema)).toMatchObject({
      type: "object",
      properties: { city: { type: "string", minLength: 1 }, days: { type: "integer", default: 3 } },
      required: ["city"],
    });
    expect(jsonSchemaOfStandard(schema)).not.toHaveProperty("$schema");
  });

  it("is undefined if the library doesn't provide it", () => {
    const silent: StandardSchema = { "~standard": { version: 1, vendor: "silent", validate: (value) => ({ value }) } };
    expect(jsonSchemaOfStandard(silent)).toBeUndefined();
  });

  it("is refused with the library's own reason if JSON can't carry the type", () => {
    expect(() => jsonSchemaOfStandard(z.date())).toThrow(/Date cannot be represented/);
  });
});

describe("validating by a Standard Schema", () => {
  const order = z.object({ items: z.array(z.object({ price: z.coerce.number() })), note: z.string().optional() });

  it("gives the schema's output", () => {
    expect(checkByStandard(order, { items: [{ price: "3" }] })).toEqual({ ok: true, value: { items: [{ price: 3 }] } });
  });

  it("gives every fault with its path", () => {
    expect(checkByStandard(order, { items: [{ price: 1 }, { price: "x" }], note: 5 })).toEqual({
      ok: false,
      error: [
        { path: "items[1].price", message: "is invalid: expected number, received NaN", keyword: "standardSchema" },
        { path: "note", message: "is invalid: expected string, received number", keyword: "standardSchema" },
      ],
    });
  });

  it("answers later if the schema does", async () => {
    const free = z.string().refine(async (name) => name !== "root", "is taken");
    expect(await checkByStandard(z.object({ name: free }), { name: "root" })).toEqual({
      ok: false,
      error: [{ path: "name", message: "is invalid: is taken", keyword: "standardSchema" }],
    });
  });

  it("reads path segments that are objects, as the specification allows", () => {
    const schema: StandardSchema = {
      "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [{ message: "No.", path: [{ key: "list" }, { key: 0 }] }] }) },
    };
    expect(checkByStandard(schema, {})).toMatchObject({ error: [{ path: "list[0]", message: "is invalid: No." }] });
  });
});
