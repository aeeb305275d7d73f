/** What the packages of AI SDK 7 send and read for forms that only some providers have. */
import assert from "node:assert/strict";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, createTool, deferred, model, usesTools } from "../../../src/index.js";
import { openAiResponse, ProviderServer } from "../../support/provider-servers.js";

const inputSchema = { type: "object", properties: { order: { type: "string" } } } as const;
const toolNamed = (name: string) => createTool({ name, description: `Does ${name}.`, inputSchema, execute: () => `${name} ran` });
const said = { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "Done.", annotations: [] }] };
const server = await ProviderServer.start();

/** Each request begins with the one before. */
function assertGrowth(): void {
  for (const [index, { body }] of server.requests.entries()) {
    const next = server.requests[index + 1]?.body;
    if (next === undefined) continue;
    assert.equal(JSON.stringify(next.tools), JSON.stringify(body.tools));
    assert.equal(JSON.stringify(next.input.slice(0, body.input.length)), JSON.stringify(body.input));
  }
}

const search = {
  type: "tool_search_call",
  id: "tsc_1",
  call_id: "call_1",
  execution: "client",
  status: "completed",
  arguments: { query: "refund" },
};
const call = { type: "function_call", id: "fc_1", call_id: "call_2", name: "refund", arguments: "{}", status: "completed" };

@model(createOpenAI({ apiKey: "key", baseURL: server.url }).responses("gpt-6-astra"), { retries: 0 })
@usesTools([deferred({ name: "shop", tools: [toolNamed("refund"), toolNamed("cancel")] })])
class ShopAgent extends Agent {}

server.play(openAiResponse([search]), openAiResponse([call]), openAiResponse([said]));
const response = await new ShopAgent().generate("Refund A-17.");
assert.equal(response.text, "Done.");
assert.equal(response.steps[1]?.toolCalls[0]?.content, "refund ran");
assert.equal(server.requests[0]?.body.tools[0].type, "tool_search");
assert.deepEqual(server.requests[1]?.body.input.at(-1), {
  type: "tool_search_output",
  execution: "client",
  call_id: "call_1",
  status: "completed",
  tools: [
    {
      type: "function",
      name: "refund",
      description: "Does refund.",
      parameters: server.requests[1]?.body.input.at(-1).tools[0].parameters,
      strict: server.requests[1]?.body.input.at(-1).tools[0].strict,
      defer_loading: true,
    },
  ],
});
assertGrowth();
console.log("OpenAI's search for deferred tools: kept its form.");

await server.close();
