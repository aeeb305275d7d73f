import { ToolExecutor, validateToolArgs } from "../../src/execution/index.js";
import { createTool } from "../../src/index.js";

/** Seed 001, as far as tools without specifications go: `createTool` in its short form, and `validateToolArgs`. */

const schema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] } as const;

describe('seed 001, "createTool"', () => {
  it("takes name, description, schema and function", async () => {
    const sayHello = createTool("sayHello", "Returns a friendly greeting", schema, ({ name }) => `Hello, ${name}! Nice to meet you.`);
    expect(sayHello.definition).toMatchObject({ name: "sayHello", description: "Returns a friendly greeting", parametersSchema: schema });
    expect(await new ToolExecutor({ tools: [sayHello] }).run("sayHello", { name: "Ada" })).toBe("Hello, Ada! Nice to meet you.");
  });

  it("Preconditions: name and description are not empty, the schema is valid JSON Schema", () => {
    expect(() => createTool("", "d", schema, () => 1)).toThrow(/name is empty/);
    expect(() => createTool("t", "", schema, () => 1)).toThrow(/description is empty/);
    expect(() => createTool("t", "d", { type: "dict" as "object" }, () => 1)).toThrow(/dict/);
  });
});

describe('seed 001, "validateToolArgs"', () => {
  it("gives the validated arguments, or what is wrong", () => {
    expect(validateToolArgs(schema, { name: "Ada" })).toEqual({ ok: true, value: { name: "Ada" } });
    expect(validateToolArgs(schema, {})).toEqual({ ok: false, error: expect.stringMatching(/^name is required/) });
    expect(validateToolArgs(schema, { name: 5 })).toEqual({ ok: false, error: expect.stringMatching(/^name must be a string/) });
  });

  it("Validation Rules: nested objects are validated recursively", () => {
    const nested = { type: "object", properties: { person: schema }, required: ["person"] };
    expect(validateToolArgs(nested, { person: {} })).toEqual({ ok: false, error: expect.stringMatching(/^person\.name is required/) });
  });

  it("extra fields are allowed unless the schema closes the object", () => {
    expect(validateToolArgs(schema, { name: "Ada", age: 36 })).toMatchObject({ ok: true });
    expect(validateToolArgs({ ...schema, additionalProperties: false }, { name: "Ada", age: 36 })).toMatchObject({ ok: false });
  });
});
