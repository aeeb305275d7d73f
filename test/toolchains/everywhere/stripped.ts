import assert from "node:assert/strict";
import { Agent, createTool, description, instructions, model, required, Tool, type ToolContext, usesTools } from "toolwright";
import { invokeTool } from "toolwright/testing";

// What Node runs as it is, because it only takes types away: decorators are called as the functions that they are.

class WeatherTool extends Tool {
  city!: string;

  async call({ abortSignal }: ToolContext) {
    abortSignal.throwIfAborted();
    return `Sunny, 21 degrees in ${this.city}.`;
  }
}
description("Gets the current weather for a city. Use when the user asks about weather now.")(WeatherTool);
required(String, "The city name")(WeatherTool.prototype, "city");

class WeatherAgent extends Agent {}
model("embedded/keyword")(WeatherAgent);
instructions("You are a weather assistant.")(WeatherAgent);
usesTools([WeatherTool])(WeatherAgent);

const add = createTool({
  name: "add",
  description: "Adds two numbers. Use for sums.",
  inputSchema: { type: "object", properties: { left: { type: "number" }, right: { type: "number" } }, required: ["left", "right"] },
  execute: ({ left, right }: { left: number; right: number }) => left + right,
});

async function outcome(title: string, run: () => Promise<void>) {
  const failed = await run().then(
    () => undefined,
    (error: Error) => error.stack,
  );
  console.log(`outcome: ${JSON.stringify({ title, failed })}`);
}

await outcome("README program", async () => {
  const response = await new WeatherAgent().generate("What is the weather in Paris?");
  assert.equal(response.text, "Sunny, 21 degrees in Paris.");
});
await outcome("createTool", async () => {
  assert.equal(await invokeTool(add, { left: 2, right: 3 }), 5);
});
