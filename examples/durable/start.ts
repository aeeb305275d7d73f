/** Starts a run and waits for its end: npm run example -- durable/start ./runs. End the process while the run waits. */
import { openRuntime, ShopAgent } from "./shop.js";

const [directory = "./runs"] = process.argv.slice(2);
const { runtime, storage } = openRuntime(directory);
await runtime.start(ShopAgent, "Please refund the order A-17", { runId: "refund-A-17", context: { userId: "42" } });

for await (const { event } of runtime.events("refund-A-17")) {
  if (event.type !== "confirmation_required") continue;
  const { tool, input } = event.confirmation;
  console.log(`The agent wants to run ${tool} with ${JSON.stringify(input)}. The run waits: end this process, then approve.`);
}
console.log(`Agent: ${(await runtime.result("refund-A-17")).text}`);
await runtime.drain();
await storage.close();
