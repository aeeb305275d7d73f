/** Approves what waits, and waits for the end of the runs: npm run example -- durable/approve ./runs */
import { approve } from "toolwright";
import { openRuntime } from "./shop.js";

const [directory = "./runs"] = process.argv.slice(2);
const { runtime, storage } = openRuntime(directory);
const waiting = await runtime.pending();
if (waiting.length === 0) console.log("Nothing waits for a decision.");

for (const { runId, callId, confirmation } of waiting) {
  console.log(`Approved: ${confirmation.tool} of ${runId}.`);
  await runtime.decide(runId, callId, approve(confirmation));
  console.log(`Agent: ${(await runtime.result(runId)).text}`);
}
await runtime.drain();
await storage.close();
