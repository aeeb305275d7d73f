import { Agent, description, effect, identifier, model, required, requiresConfirmation, Tool, usesTools } from "../../../../src/index.js";
import { InProcessRuntime } from "../../../../src/durable/index.js";
import { ScriptedModel } from "../../../../src/models/index.js";
import { PostgresStorage, SqliteStorage } from "../../../../src/storage/index.js";

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@effect("once")
@requiresConfirmation()
class RefundTool extends Tool {
  @required(String) order!: string;

  call() {
    return `Refunded ${this.order}.`;
  }
}

@identifier("shop")
@model(new ScriptedModel([{ toolCalls: [{ id: "call_1", name: "refund", arguments: { order: "A-17" } }] }, "It is refunded."]))
@usesTools([RefundTool])
class ShopAgent extends Agent {}

// An application that starts a run in a storage, and prints how it ended: node refund-application.js <address>
const [, , address = ""] = process.argv;
const leaseDuration = 1_000;
const storage = address.startsWith("postgres:")
  ? new PostgresStorage({ connectionString: address }, { leaseDuration })
  : new SqliteStorage(address, { leaseDuration });
const runtime = new InProcessRuntime({ storage, agents: [ShopAgent] });
await runtime.start(ShopAgent, "Refund A-17", { runId: "order-7", context: { userId: "42" } });
for await (const { event } of runtime.events("order-7")) {
  if (event.type === "confirmation_required") process.stdout.write("It waits.\n");
  if (event.type === "tool_result") process.stdout.write(`${event.content}\n`);
  if (event.type === "done") process.stdout.write(`${event.response.text}\n`);
}
await runtime.drain();
await storage.close();
