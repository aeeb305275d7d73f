/** A worker, until it is ended: npm run example -- workers/worker. Start as many as you like. */
import { createWorker } from "toolwright/durable";
import { openRuntime, WarehouseAgent } from "./shop.js";

const runtime = openRuntime();
const worker = await createWorker(runtime, { agents: [WarehouseAgent], version: "1" });
console.log("   (a worker is ready)");

process.once("SIGTERM", async () => {
  await worker.drain({ deadline: 10_000 });
  await runtime.close();
});
