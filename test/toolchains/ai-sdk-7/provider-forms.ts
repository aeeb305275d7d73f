/** What the packages of AI SDK 7 send and read for forms that only some providers have. */
import assert from "node:assert/strict";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createGroq } from "@ai-sdk/groq";
import { createOpenAI } from "@ai-sdk/openai";
import { createXai } from "@ai-sdk/xai";
import { Agent, createTool, deferred, model, modelOptions, providerTool, usesTools } from "../../../src/index.js";
import { anthropicMessage, chatCompletion, openAiResponse, ProviderServer } from "../../support/provider-servers.js";
import { openAiResponseStream } from "../../support/provider-streams.js";

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

// OpenAI's compaction is an item of its own, which only these packages read.
const compacted = { type: "compaction", id: "cmp_1", encrypted_content: "gAAAAB" };
const gpt = createOpenAI({ apiKey: "key", baseURL: server.url }).responses("gpt-6-astra");
for (const store of [true, false]) {
  @model(gpt, { retries: 0 })
  @modelOptions({ providerOptions: { openai: { store, contextManagement: [{ type: "compaction", compactThreshold: 50_000 }] } } })
  @usesTools([toolNamed("refund")])
  class LongAgent extends Agent {}
  for (const reply of [openAiResponse, openAiResponseStream]) {
    server.play(reply([compacted, call]), reply([said]));
    const agent = new LongAgent();
    const ended = await (reply === openAiResponse ? agent.generate("Refund A-17.") : agent.stream("Refund A-17.").response);
    assert.equal(ended.text, "Done.");
    const stored = JSON.parse(JSON.stringify(agent.messages));
    const later = new LongAgent();
    later.restore(stored);
    assert.deepEqual(server.requests[0]?.body.context_management, [{ type: "compaction", compact_threshold: 50_000 }]);
    assert.deepEqual(server.requests[1]?.body.input[1], store ? { type: "item_reference", id: "cmp_1" } : compacted);
    assertGrowth();
    const before = server.requests[1]?.body.input;
    server.play(openAiResponse([said]));
    await later.generate("And A-18?");
    assert.deepEqual(server.requests[0]?.body.input.slice(0, before.length), before);
  }
}
console.log("OpenAI's compaction: sent back as it came.");

// Claude's has a signature, and goes back with it.
const summary = { type: "compaction", content: "The user asked for a refund.", signature: "EqQB" };
@model(createAnthropic({ apiKey: "key", baseURL: server.url })("claude-opus-5-5"), { retries: 0 })
@modelOptions({ providerOptions: { anthropic: { contextManagement: { edits: [{ type: "compact_20260112" }] } } } })
@usesTools([toolNamed("refund")])
class CompactedAgent extends Agent {}
const use = { type: "tool_use", id: "toolu_1", name: "refund", input: {} };
server.play(anthropicMessage([summary, use], "tool_use"), anthropicMessage([{ type: "text", text: "Done." }]));
const claudes = await new CompactedAgent().generate("Refund A-17.");
assert.equal(claudes.text, "Done.");
assert.deepEqual(server.requests[1]?.body.messages[1].content, [summary, use]);
console.log("Claude's compaction: sent back with its signature.");

// The code that Gemini ran goes back with its result.
const ran = [
  { executableCode: { language: "PYTHON", code: "print(6*7)" } },
  { codeExecutionResult: { outcome: "OUTCOME_OK", output: "42\n" } },
  { text: "It is 42." },
];
const geminiCode = {
  body: { candidates: [{ content: { role: "model", parts: ran }, finishReason: "STOP", index: 0 }], usageMetadata: {} },
};
@model(createGoogleGenerativeAI({ apiKey: "key", baseURL: server.url })("gemini-3-pro"), { retries: 0 })
@usesTools([providerTool("google/code_execution")])
class CountingAgent extends Agent {}
server.play(geminiCode, geminiCode);
const counting = new CountingAgent();
const counted = await counting.generate("6*7?");
assert.equal(counted.steps[0]?.providerCalls?.length, 1);
await counting.generate("Sure?");
assert.deepEqual(server.requests[1]?.body.contents[1].parts, ran);
console.log("Gemini's code: sent back with its result.");

// xAI and Groq take their tools beside others.
const web = { type: "web_search_call", id: "ws_1", name: "web_search", arguments: '{"query":"news"}', call_id: "", status: "completed" };
for (const [asked, tool, reply, expected] of [
  [
    createXai({ apiKey: "key", baseURL: server.url }).responses("grok-4"),
    "xai/web_search",
    openAiResponse([web, { ...said, status: "completed" }]),
    "web_search",
  ],
  [
    createGroq({ apiKey: "key", baseURL: server.url })("openai/gpt-oss-120b"),
    "groq/browser_search",
    chatCompletion({ text: "Done." }),
    "browser_search",
  ],
] as const) {
  @model(asked, { retries: 0 })
  @usesTools([toolNamed("refund"), providerTool(tool)])
  class SearchingAgent extends Agent {}
  server.play(reply, reply);
  const agent = new SearchingAgent();
  for (const prompt of ["News?", "More?"]) assert.equal((await agent.generate(prompt)).text, "Done.");
  assert.equal(server.requests[0]?.body.tools[1].type, expected);
  console.log(`${tool}: sent, and the conversation goes on.`);
}

await server.close();
