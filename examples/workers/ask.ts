/** Starts a run and shows what happens in it, whichever worker carries it on: npm run example -- workers/ask */
import { openRuntime } from "./shop.js";

const runtime = openRuntime();
const { runId } = await runtime.start("warehouse_agent", "Please pack the order A-17", { context: { userId: "42" } });

for await (const { event } of runtime.events(runId)) {
  if (event.type === "tool_call_done") console.log(`The agent calls ${event.tool}.`);
  if (event.type === "resumed") console.log("Another worker goes on with the run.");
}
console.log(`Agent: ${(await runtime.result(runId)).text}`);
await runtime.close();
