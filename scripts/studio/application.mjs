// An application that starts a run in a SQLite file or on Postgres, and prints what its tool did: node application.mjs <address>
import { Agent, createTool, model, usesTools } from "toolwright";
import { InProcessRuntime } from "toolwright/durable";
import { ScriptedModel } from "toolwright/models";
import { PostgresStorage, SqliteStorage } from "toolwright/storage";

const refund = createTool({
  name: "refund",
  description: "Refunds an order. Use when the customer wants the money back.",
  inputSchema: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
  requiresConfirmation: true,
  execute: ({ order }) => `Refunded ${order}.`,
});
class DeskAgent extends Agent {}
model(new ScriptedModel([{ toolCalls: [{ name: "refund", arguments: { order: "C-9" } }] }, "The money is on its way."]))(DeskAgent);
usesTools([refund])(DeskAgent);

const [, , address] = process.argv;
const leaseDuration = 1_000;
const storage = address.startsWith("postgres:")
  ? new PostgresStorage({ connectionString: address }, { leaseDuration })
  : new SqliteStorage(address, { leaseDuration });
const runtime = new InProcessRuntime({ storage, agents: [DeskAgent] });
await runtime.start(DeskAgent, "Refund C-9", { runId: "desk-1", context: { userId: "42" } });
for await (const { event } of runtime.events("desk-1")) {
  if (event.type === "confirmation_required") console.log("It waits.");
  if (event.type === "tool_result") console.log(event.content);
}
await runtime.drain();
await storage.close();
