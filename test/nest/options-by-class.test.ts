import { autoApprove } from "../../src/confirmation/index.js";
import { AgentFactory, ToolwrightModule } from "../../src/nest/index.js";
import { description, identifier, requiresConfirmation, Tool, type ToolClass } from "../../src/tool/index.js";
import { registryOf } from "../registry/support.js";
import { boot, closeApplications, scriptedAgent } from "./support.js";

afterEach(closeApplications);

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

const registry = registryOf({ billing: [Refund] });

it.each<[string, string | ToolClass]>([
  ["the full name", "billing/refund"],
  ["the class that was added", Refund],
  ["the registry's class", registry.tool("refund")],
])("options of a Nest agent take a registry's tool by %s", async (_form, tool) => {
  refunds = 0;
  const refund = { toolCalls: [{ name: "billing_refund" }] };
  class RefundAgent extends scriptedAgent(registry.select("*"), [refund, refund, "Done."]) {}
  const application = await boot({ imports: [ToolwrightModule.forFeature({ tools: [Refund], agents: [RefundAgent] })] });
  const agent = await application.get(AgentFactory).create(RefundAgent);
  const { outcome } = await agent.generate("Go", {
    confirm: autoApprove({ tools: [tool] }),
    toolChoice: { tool },
    profile: { allowedTools: [tool] },
    budget: { callsPerTool: new Map([[tool, 1]]) },
  });
  expect(refunds).toBe(1);
  expect(outcome).toMatchObject({ reason: "budget_exhausted", budget: "callsPerTool" });
});
