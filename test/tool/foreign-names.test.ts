import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createTool, createToolDefinition } from "../../src/tool/index.js";

const base = { description: "Gets a thing.", execute: () => 1 };
const object = { type: "object" };

it.each([
  ["id", "name", { ...base, id: "a", inputSchema: object }],
  ["parameters", "inputSchema", { ...base, name: "a", parameters: object }],
  ["schema", "inputSchema", { ...base, name: "a", schema: object }],
  ["handler", "execute", { name: "a", description: "d", inputSchema: object, handler: () => 1 }],
])("createTool names the right member in place of %s", (wrong, right, config) => {
  expect(() => createTool(config as never)).toThrow(`: there is nothing named "${wrong}". Write ${right} in its place.`);
});

const universal = {
  name: "get_thing",
  description: "Gets a thing.",
  schema: object,
  category: "read",
  consequenceLevel: "low",
  requiresConfirmation: false,
};

it("createToolDefinition rejects a definition without execute at once", () => {
  expect(() => createToolDefinition(universal as never)).toThrow(
    'createToolDefinition "get_thing": execute must be a function of (params, context), got undefined.',
  );
});

it("an answer of createToolDefinition without data or error is an error of the call", async () => {
  const tool = createToolDefinition({ ...universal, execute: () => ({ temperature: 21 }) } as never);
  const result = await new ToolExecutor({ tools: [tool] }).call({ id: "1", name: "get_thing", arguments: {} }, createRunScope());
  expect(result.error).toContain("execute must return a ToolResult, { data } or { error, errorType }, got an object with temperature.");
});
