import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { Agent, createTool, model, ToolNotFoundError, usesTools } from "../../src/index.js";
import { ScriptedModel } from "../../src/models/index.js";

/** Faults that users of like libraries met with errors that go back to the model. */

const typed = createTool(
  "typed",
  "Takes a type and a number.",
  { type: "object", properties: { type: { type: "string" }, n: { type: "integer" } }, required: ["type", "n"] },
  () => "ran",
);

it("case 35: the model sees all faults at once with their paths, the run goes on, and ends after identical failing calls", async () => {
  const wrong = { toolCalls: [{ name: "typed", arguments: { n: "x" } }] };
  const script = new ScriptedModel(Array.from({ length: 20 }, () => wrong));
  @model(script)
  @usesTools([typed])
  class TypedAgent extends Agent {}
  const response = await TypedAgent.generate("go");
  expect(response.steps[0]?.toolCalls[0]?.content).toMatch(
    /^Invalid arguments: (type is required; n must be an integer, got string "x"|n must be an integer, got string "x"; type is required)/,
  );
  expect(response.outcome.reason).toBe("repeated_failure");
  expect(response.steps.length).toBeGreaterThan(1);
  expect(response.steps.length).toBeLessThan(16);
});

it("case 37: a tool's own error is what the caller reads, and its output schema isn't applied to it", async () => {
  const full = createTool({
    name: "full",
    description: "Writes.",
    inputSchema: { type: "object" },
    outputSchema: { type: "object", required: ["bytes"] },
    execute: () => {
      throw new Error("disk full");
    },
  });
  const result = await new ToolExecutor({ tools: [full] }).call({ id: "c1", name: "full", arguments: {} }, createRunScope());
  expect(result).toMatchObject({ error: "disk full", errorType: "execution_error" });
  expect(modelText(result)).toBe("Error executing tool: disk full");
});

it("case 38: an unknown tool has its own error type, different from that of bad arguments, and run throws ToolNotFoundError", async () => {
  const executor = new ToolExecutor({ tools: [typed] });
  expect(await executor.call({ id: "c1", name: "nope", arguments: {} }, createRunScope())).toMatchObject({ errorType: "unknown_tool" });
  expect(await executor.call({ id: "c2", name: "typed", arguments: {} }, createRunScope())).toMatchObject({
    errorType: "validation_error",
  });
  await expect(executor.run("nope", {})).rejects.toBeInstanceOf(ToolNotFoundError);
});
