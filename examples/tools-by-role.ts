/** A user signs in midway: the agent gets more tools, and the beginning of its requests stays as it was. */
import { Agent, createTool, instructions, model, usesTools } from "toolwright";
import { ScriptedModel } from "toolwright/models";
import { MemoryConversationStore } from "toolwright/storage";

const noInput = { type: "object", properties: {} } as const;
const opening = createTool({
  name: "opening_hours",
  description: "Returns the shop's opening hours. Use when somebody asks when the shop is open.",
  inputSchema: noInput,
  execute: () => "Monday to Saturday, 9 to 18",
});
const orders = createTool({
  name: "my_orders",
  description: "Lists the orders of the user. Use when the user asks about an order.",
  inputSchema: noInput,
  execute: (_input, { userId }) => `${userId}: order 42, shipped`,
});

const script = new ScriptedModel([
  { toolCalls: [{ name: "opening_hours" }] },
  "We are open Monday to Saturday, 9 to 18. Sign in to see your orders.",
  { toolCalls: [{ name: "my_orders" }] },
  "Order 42 is on its way, Ada.",
]);

@model(script)
@instructions(({ userId }) => (userId === undefined ? "The user isn't signed in." : `The user is ${userId}.`))
@usesTools(({ userId }) => (userId === undefined ? [opening] : [opening, orders]))
class ShopAgent extends Agent {}

const store = new MemoryConversationStore();

/** Each request of a web application loads the conversation, and may run in another process. */
async function ask(prompt: string, userId?: string): Promise<void> {
  const agent = await new ShopAgent().load(store, "conversation-7");
  const { text } = await agent.generate(prompt, { toolContext: userId === undefined ? {} : { userId } });
  await agent.save(store, "conversation-7");
  console.log(`> ${prompt}\n${text}`);
}

await ask("When are you open?");
await ask("I signed in. Where is my order?", "Ada");

const request = script.requests.at(-1);
console.log("\nThe beginning that every request has:");
console.log(` ${request?.growing?.messages[0]?.role}: The user isn't signed in.`);
console.log(` tools: ${request?.growing?.tools.map(({ name }) => name).join(", ")}`);
console.log("What was appended:");
for (const entry of request?.growing?.messages ?? []) {
  if (entry.role !== "change") continue;
  console.log(` instructions: ${entry.instructions}`);
  console.log(` offered: ${entry.offered?.map(({ name }) => name).join(", ")}`);
}
