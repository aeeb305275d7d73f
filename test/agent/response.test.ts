import { Agent, maxSteps, model, usesTools } from "../../src/agent/index.js";
import { ModelError } from "../../src/models/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/testing/index.js";
import { createTool } from "../../src/tool/index.js";

const pay = createTool({
  name: "pay",
  description: "Pays.",
  inputSchema: { type: "object" },
  requiresConfirmation: true,
  execute: () => "paid",
});
const ask = createTool({ name: "ask", description: "Asks.", inputSchema: { type: "object" }, execute: () => "asked" });

function generate(...script: ScriptedStep[]) {
  @model(new ScriptedModel(script), { retries: 0 })
  @usesTools([pay, ask])
  @maxSteps(2)
  class AnyAgent extends Agent {}
  return AnyAgent.generate("Go on");
}

describe("response.reason", () => {
  it.each<[string, ScriptedStep]>([
    ["success", "Done."],
    ["awaiting_confirmation", { toolCalls: [{ name: "pay", arguments: {} }] }],
    ["max_steps", { toolCalls: [{ name: "ask", arguments: {} }] }],
    ["model_error", { error: new ModelError("scripted", "No capacity.", { retryable: false }) }],
    ["truncated", { text: "Do", finishReason: "length" }],
  ])("is that of the outcome: %s", async (reason, step) => {
    const response = await generate(step, step);
    expect([response.reason, response.outcome.reason]).toEqual([reason, reason]);
  });

  it("says what the response has", async () => {
    const response = await generate({ toolCalls: [{ name: "pay", arguments: {} }] });
    if (response.reason !== "awaiting_confirmation") throw new Error(response.outcome.detail);
    expect(response.confirmations.map(({ tool }) => tool)).toEqual(["pay"]);
    expect(response.state.runId).toBe(response.runId);
  });
});
