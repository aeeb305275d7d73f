import { Agent, description, effect, identifier, instructions, model, required, requiresConfirmation, Tool, usesTools } from "toolwright";
import { InProcessRuntime } from "toolwright/durable";
import { FileStorage } from "toolwright/storage";

@identifier("refund_order")
@description("Refunds an order. Use when the user wants the money back.")
@effect("once")
@requiresConfirmation()
class RefundOrderTool extends Tool {
  @required(String, { description: "The order's number", pattern: "^[A-Z]-[0-9]+$" })
  order!: string;

  call() {
    console.log(`   (the money of ${this.order} moves now)`);
    return `The order ${this.order} is refunded.`;
  }
}

@model("embedded/keyword")
@instructions("You help customers with their orders.")
@usesTools([RefundOrderTool])
export class ShopAgent extends Agent {}

/** Both programs open the same runtime. A directory serves one process at a time: end the first before you start the second. */
export function openRuntime(directory: string) {
  const storage = new FileStorage(directory);
  return { storage, runtime: new InProcessRuntime({ storage, agents: [ShopAgent] }) };
}
