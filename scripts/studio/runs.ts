import { InProcessRuntime } from "toolwright/durable";
import { MemoryStorage } from "toolwright/storage";
import { ShopAgent } from "./shop.js";

export const storage = new MemoryStorage();
export const runtime = new InProcessRuntime({ storage, agents: [ShopAgent] });

await runtime.start(ShopAgent, 'Refund the order "A-17"', { runId: "order-17", context: { userId: "42" }, tags: { tenant: "acme" } });
await runtime.start(ShopAgent, 'What is the weather in "Paris"?', { runId: "weather-1" });
