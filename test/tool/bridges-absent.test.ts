import { transformsOf } from "../../src/tool/bridges/class-transformer.js";
import { toInstance } from "../../src/tool/bridges/transformed-instance.js";
import { checkByRules, rulesOf } from "../../src/tool/bridges/class-validator.js";
import { dtoFieldsOf } from "../../src/tool/bridges/dto.js";
import { description, required, Tool } from "../../src/tool/index.js";
import { validateToolInput } from "../../src/tool/internal.js";

function mockMissing(): never {
  throw Object.assign(new Error("Cannot find module"), { code: "MODULE_NOT_FOUND" });
}
jest.mock("class-transformer", () => mockMissing());
jest.mock("class-transformer/cjs/storage", () => mockMissing());

describe("without class-validator and class-transformer", () => {
  @description("Greets. Use when a name is known.")
  class GreetTool extends Tool {
    @required(String) name!: string;

    call(): string {
      return this.name;
    }
  }

  it("tools work", () => {
    expect(validateToolInput(GreetTool, { name: "Eve" })).toEqual({ ok: true, value: { name: "Eve" } });
  });

  it("no class has rules, transforms or DTO fields", () => {
    expect(rulesOf(GreetTool)).toBeUndefined();
    expect(transformsOf(GreetTool)).toBeUndefined();
    expect(dtoFieldsOf(GreetTool)).toBeUndefined();
    expect(checkByRules(new GreetTool())).toEqual([]);
  });

  it("class-validator is never loaded by a tool", () => {
    expect(globalThis).not.toHaveProperty("classValidatorMetadataStorage");
  });

  it("asking for an instance says what to install", () => {
    expect(() => toInstance(GreetTool, {})).toThrow("npm install class-transformer");
  });
});
