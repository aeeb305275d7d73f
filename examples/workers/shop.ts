import { Agent, description, effect, identifier, instructions, model, required, Tool, usesTools } from "toolwright";
import { DbosRuntime } from "toolwright/durable";

@identifier("pack_order")
@description("Packs an order. Use when the user wants an order to be packed.")
@effect("idempotent")
class PackOrderTool extends Tool {
  @required(String, { description: "The order's number", pattern: "^[A-Z]-[0-9]+$" })
  order!: string;

  async call() {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    console.log(`   (packing ${this.order})`);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return `The order ${this.order} is packed.`;
  }
}

@model("embedded/keyword")
@instructions("You work in a warehouse.")
@usesTools([PackOrderTool])
export class WarehouseAgent extends Agent {}

/** Web servers and workers open the same runtime. With a short `leaseDuration`, another worker takes over soon. */
export const openRuntime = () =>
  new DbosRuntime({
    connectionString: process.env.DATABASE_URL ?? "postgres://postgres:postgres@localhost:5432/postgres",
    leaseDuration: 2_000,
  });
