/**
 * The tools of a company and of one of its projects in one registry: the project replaces the company's refund, of which the
 * process is warned; an assistant gets a part of the tools; and code that may only read is refused the rest.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, category, description, identifier, model, required, Tool, usesTools } from "toolwright";
import { createRegistry, createWorkspace, fromRegistry, useRegistry } from "toolwright/registry";

@identifier("refund")
@description("Refunds an order. Use when the customer wants the money back.")
@category("write")
class RefundTool extends Tool {
  @required(String, "The order's number")
  order!: string;

  call(): string {
    return `${this.order} is refunded within 30 days.`;
  }
}

@identifier("refund")
class FastRefundTool extends RefundTool {
  override call(): string {
    return `${this.order} is refunded today.`;
  }
}

@identifier("invoice")
@description("Shows the invoice of an order. Use when the customer asks what an order cost.")
@category("read")
class InvoiceTool extends Tool {
  @required(String, "The order's number")
  order!: string;

  call() {
    return `${this.order}: 20 euros.`;
  }
}

process.on("warning", ({ name, message }) => name === "ToolwrightWarning" && console.log(`Warning: ${message}`));

const organisation = createWorkspace({ organisation: "acme" }).toolbox("billing").addTool(RefundTool).addTool(InvoiceTool).build();
const project = createWorkspace().toolbox("acme/billing").addTool(FastRefundTool).build();
const registry = createRegistry({ organisation, project });
await sleep(0); // Warnings of a process come after what warned.
console.log(`The registry has ${registry.names.join(", ")}.`);

useRegistry(registry);

@model("embedded/keyword")
@usesTools(fromRegistry("acme/billing/*"))
class BillingAgent extends Agent {}

const { text } = await BillingAgent.generate('Please refund the order "A-17"');
console.log(`Agent: ${text}`);

const reader = registry.executor({ allowedTools: ["acme/billing/*"], categories: ["read"] });
console.log(`Invoice: ${await reader.run("invoice", { order: "A-17" })}`);
try {
  await reader.run("refund", { order: "A-17" });
} catch (error) {
  console.log(`Refused: ${error instanceof Error ? error.message : String(error)}`);
}
