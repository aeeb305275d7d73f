import { Agent, model, usesTools } from "../../src/agent/index.js";
import { autoApprove } from "../../src/confirmation/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { bindAgent, createToolLibrary, specificationOf, usesSpecifications } from "../../src/specification/index.js";
import { description, identifier, requiresConfirmation, Tool, type ToolClass } from "../../src/tool/index.js";
import { registryOf } from "../registry/support.js";

let refunds = 0;

@identifier("refund")
@description("Refunds an order. Use when the customer wants the money back.")
@requiresConfirmation()
class Refund extends Tool {
  call() {
    refunds += 1;
    return "Refunded.";
  }
}

const registered = registryOf({ billing: [Refund] }).tool("refund");
const refund = { toolCalls: [{ name: "billing_refund" }] };

const forms: readonly (readonly [string, string | ToolClass])[] = [
  ["the full name", "billing/refund"],
  ["the class that was added", Refund],
  ["the registry's class", registered],
];

beforeEach(() => {
  refunds = 0;
});

it.each(forms)("options of an agent that is bound to a library take a registry's tool by %s", async (_form, tool) => {
  @model(new ScriptedModel([refund, refund, "Done."]))
  @usesSpecifications([specificationOf(registered)])
  class RefundAgent extends Agent {}
  const { outcome } = await bindAgent(RefundAgent, createToolLibrary([registered])).generate("Go", {
    confirm: autoApprove({ tools: [tool] }),
    toolChoice: { tool },
    profile: { allowedTools: [tool] },
    budget: { callsPerTool: new Map([[tool, 1]]) },
  });
  expect(refunds).toBe(1);
  expect(outcome).toMatchObject({ reason: "budget_exhausted", budget: "callsPerTool" });
});

it.each(forms)("a sub-agent inherits a profile and a policy that name a registry's tool by %s", async (_form, tool) => {
  @description("Refunds. Use when money goes back.")
  @model(new ScriptedModel([refund, "Done."]))
  @usesTools([registered])
  class HelperAgent extends Agent {}

  @model(new ScriptedModel([{ toolCalls: [{ name: "helper_agent", arguments: { prompt: "Go" } }] }, "Done."]))
  @usesTools([HelperAgent])
  class DeskAgent extends Agent {}
  const response = await DeskAgent.generate("Go", {
    confirm: autoApprove({ tools: [tool] }),
    profile: { allowedTools: [tool, HelperAgent] },
  });
  expect(response.text).toBe("Done.");
  expect(refunds).toBe(1);
});
