import { InProcessRuntime } from "toolwright/durable";
import { MemoryStorage } from "toolwright/storage";
import { ClerkAgent } from "./clerk.js";
import { ShopAgent } from "./shop.js";

export { ClerkAgent };

export const storage = new MemoryStorage();
export const runtime = new InProcessRuntime({ storage, agents: [ShopAgent, ClerkAgent] });

await runtime.start(ShopAgent, 'Refund the order "A-17"', { runId: "order-17", context: { userId: "42" }, tags: { tenant: "acme" } });
await runtime.start(ShopAgent, 'What is the weather in "Paris"?', { runId: "weather-1" });
await runtime.start(ClerkAgent, "Where is my order A-17?", { runId: "clerk-1", context: { userId: "42" } });
