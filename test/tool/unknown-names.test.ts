import { createTool, createToolDefinition, description, required, Tool } from "../../src/tool/index.js";
import { insteadOfName } from "../../src/tool/unknown-name.js";

const config = { name: "refund", description: "Refunds.", inputSchema: { type: "object" }, execute: () => 1 } as const;
const universal = {
  name: "refund",
  description: "Refunds.",
  schema: { type: "object" },
  category: "write",
  consequenceLevel: "high",
  requiresConfirmation: true,
  execute: () => ({ tool: "refund", fetchedAt: "2025-01-15T10:30:00.000Z", data: 1 }),
} as const;

describe("a policy whose name is misspelt would be lost without a word", () => {
  it.each<[string, object, string]>([
    ["a letter is missing", { requireConfirmation: true }, 'Did you mean "requiresConfirmation"?'],
    ["the case is wrong", { dependson: [] }, 'Did you mean "dependsOn"?'],
    ["it is another library's name", { parameters: {} }, "Write inputSchema in its place."],
    ["it is a shorter name", { consequence: "high" }, "Write consequenceLevel in its place."],
  ])("createTool refuses it: %s", (_what, extra, advice) => {
    expect(() => createTool({ ...config, ...extra } as never)).toThrow(
      `createTool "refund": there is nothing named "${Object.keys(extra)[0]}". ${advice}`,
    );
  });

  it("createToolDefinition refuses it, by the names of the universal shape", () => {
    expect(() => createToolDefinition({ ...universal, requireConfirmation: false } as never)).toThrow(
      'createToolDefinition "refund": there is nothing named "requireConfirmation". Did you mean "requiresConfirmation"?',
    );
    expect(() => createToolDefinition({ ...universal, consequenceLevels: "low" } as never)).toThrow('Did you mean "consequenceLevel"?');
    expect(createToolDefinition(universal).definition).toMatchObject({ consequenceLevel: "high", requiresConfirmation: true });
  });

  it("an option of a parameter is refused so too", () => {
    @description("d")
    class Typo extends Tool {
      @required(String, { minlength: 3 } as never)
      name!: string;

      call() {}
    }
    expect(() => Typo.definition).toThrow('unknown option "minlength". Did you mean "minLength"?');
  });
});

describe("insteadOfName", () => {
  it("names what is nearest, and all if nothing is near", () => {
    expect(insteadOfName("tag", ["timeout", "tags"])).toBe('Did you mean "tags"?');
    expect(insteadOfName("to", ["id", "tags"])).toBe("Known are: id, tags.");
    expect(insteadOfName("", ["id"])).toBe("Known are: id.");
  });
});
