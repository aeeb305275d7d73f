import assert from "node:assert/strict";
import { Mastra } from "@mastra/core";
import { Agent } from "@mastra/core/agent";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "toolwright";
import { toMastraTools } from "toolwright/ai-sdk";

const ran: unknown[] = [];

const echo = createTool({
  name: "echo",
  description: "Repeats a text. Use in tests.",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  execute: ({ text }: { text: string }) => `heard ${text}`,
});
const refund = createTool({
  name: "refund",
  description: "Refunds an amount. Use in tests.",
  inputSchema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  requiresConfirmation: true,
  execute: ({ amount }: { amount: number }) => {
    ran.push(amount);
    return { paid: amount };
  },
});

/** A model that calls a tool, then answers; and an agent with it. */
function shop(toolName: string, input: object) {
  const results: unknown[] = [];
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  const model = {
    specificationVersion: "v2" as const,
    provider: "scripted",
    modelId: "scripted",
    supportedUrls: {},
    async doGenerate({ prompt }: { prompt: { role: string; content: unknown }[] }) {
      const last = prompt.at(-1);
      if (last?.role !== "tool") {
        const call = { type: "tool-call" as const, toolCallId: "call_1", toolName, input: JSON.stringify(input) };
        return { content: [call], finishReason: "tool-calls" as const, usage, warnings: [] };
      }
      results.push((last.content as { output: { value: unknown } }[])[0]?.output.value);
      return { content: [{ type: "text" as const, text: "Done." }], finishReason: "stop" as const, usage, warnings: [] };
    },
    doStream: () => Promise.reject(new Error("The checks don't stream.")),
  };
  const agent = new Agent({
    id: "shop",
    name: "Shop",
    instructions: "Help.",
    model: model as never,
    tools: toMastraTools([echo, refund]) as never,
  });
  const mastra = new Mastra({ agents: { shop: agent }, storage: new InMemoryStore(), logger: false });
  return { agent: mastra.getAgent("shop"), results };
}

async function outcome(title: string, run: () => Promise<void>) {
  const failed = await run().then(
    () => undefined,
    (error: Error) => error.stack,
  );
  console.log(`outcome: ${JSON.stringify({ title, failed })}`);
}

await outcome("The model reads the result", async () => {
  const { agent, results } = shop("echo", { text: "hello" });
  await agent.generate("Go.");
  assert.deepEqual(results, ["heard hello"]);
});
await outcome("The model reads an error", async () => {
  const { agent, results } = shop("echo", {});
  await agent.generate("Go.");
  assert.deepEqual(results, ["Invalid arguments: text is required"]);
});
await outcome("An approved call runs", async () => {
  const { agent, results } = shop("refund", { amount: 5 });
  const { finishReason, runId } = await agent.generate("Go.");
  assert.deepEqual([finishReason, ran], ["suspended", []]);
  await agent.approveToolCallGenerate({ runId: runId as string, toolCallId: "call_1" });
  assert.deepEqual([ran, results], [[5], ['{"paid":5}']]);
});
await outcome("A declined call doesn't run", async () => {
  ran.length = 0;
  const { agent } = shop("refund", { amount: 7 });
  const { runId } = await agent.generate("Go.");
  await agent.declineToolCallGenerate({ runId: runId as string, toolCallId: "call_1" });
  assert.deepEqual(ran, []);
});
await outcome("A call that Mastra runs without asking is rejected", async () => {
  const tools = toMastraTools([refund]) as Record<string, { execute(input: unknown, call: object): Promise<unknown> }>;
  await assert.rejects(async () => tools.refund?.execute({ amount: 9 }, { toolCallId: "call_2" }));
  assert.deepEqual(ran, []);
});
process.exit();
