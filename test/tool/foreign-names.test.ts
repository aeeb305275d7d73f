import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createTool, createToolDefinition } from "../../src/tool/index.js";

const base = { description: "Gets a thing.", execute: () => 1 };
const object = { type: "object" };

it.each([
  ["id", "name", { ...base, id: "a", inputSchema: object }],
  ["parameters", "inputSchema", { ...base, name: "a", parameters: object }],
  ["schema", "inputSchema", { ...base, name: "a", schema: object }],
  ["run", "execute", { name: "a", description: "d", inputSchema: object, run: () => 1 }],
  ["func", "execute", { name: "a", description: "d", inputSchema: object, func: () => 1 }],
  ["needsApproval", "requiresConfirmation", { ...base, name: "a", inputSchema: object, needsApproval: true }],
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

it.each([
  ["parameters", "schema"],
  ["inputSchema", "schema"],
  ["handler", "execute"],
  ["consequence", "consequenceLevel"],
  ["needsApproval", "requiresConfirmation"],
])("createToolDefinition names the right member in place of %s", (wrong, right) => {
  expect(() => createToolDefinition({ ...universal, [wrong]: "x" } as never)).toThrow(
    `createToolDefinition "get_thing": there is nothing named "${wrong}". Write ${right} in its place.`,
  );
});

it("createToolDefinition rejects an execute that is no function", () => {
  expect(() => createToolDefinition({ ...universal, execute: "run" } as never)).toThrow(
    'createToolDefinition "get_thing": execute must be a function of (params, context), got string.',
  );
});

it("createToolDefinition names all that is missing at once, and what to write", () => {
  expect(() => createToolDefinition({ name: "get_thing", description: "Gets.", schema: object, execute: () => 1 } as never)).toThrow(
    'createToolDefinition "get_thing": category, consequenceLevel, requiresConfirmation are missing. ' +
      'Write: category: "read", consequenceLevel: "low", requiresConfirmation: false.',
  );
  expect(() => createToolDefinition({ ...universal, category: undefined, execute: () => 1 } as never)).toThrow(
    'createToolDefinition "get_thing": category is missing. Write: category: "read".',
  );
  expect(() => createToolDefinition({} as never)).toThrow(
    "createToolDefinition: name, description, schema, category, consequenceLevel, requiresConfirmation, execute are missing.",
  );
});

it("an answer of createToolDefinition without data or error is an error of the call", async () => {
  const tool = createToolDefinition({ ...universal, execute: () => ({ temperature: 21 }) } as never);
  const result = await new ToolExecutor({ tools: [tool] }).call({ id: "1", name: "get_thing", arguments: {} }, createRunScope());
  expect(result.error).toContain("execute must return a ToolResult, { data } or { error, errorType }, got an object with temperature.");
});
