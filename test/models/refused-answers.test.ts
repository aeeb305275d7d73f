import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import type { ModelReference } from "../../src/models/index.js";
import { createTool } from "../../src/tool/index.js";
import { isPaired } from "../support/paired.js";
import {
  anthropicMessage,
  chatCompletion,
  geminiAnswer,
  openAiResponse,
  ProviderServer,
  type ServerReply,
} from "../support/provider-servers.js";
import { anthropicStream, chatStream, geminiStream, openAiResponseStream } from "../support/provider-streams.js";

const refunds: string[] = [];
const refundTool = createTool({
  name: "refund",
  description: "Refunds an order. Use when the user asks for money back.",
  inputSchema: { type: "object", properties: { order: { type: "string" } } },
  execute: ({ order }) => void refunds.push(String(order)),
});

const call = (id: string, order: string) => ({ id, name: "refund", arguments: JSON.stringify({ order }) });
const calls = [call("c1", "A-1"), call("c2", "A-2")];
const blocks = calls.map(({ id, name, arguments: text }) => ({ type: "tool_use", id, name, input: JSON.parse(text) }));
const parts = calls.map(({ id, name, arguments: text }) => ({ functionCall: { id, name, args: JSON.parse(text) } }));
const items = calls.map(({ id, ...written }) => ({ type: "function_call", id: `fc_${id}`, call_id: id, status: "completed", ...written }));

/** The reply with another end. */
const ending = (reply: ServerReply, from: RegExp, to: string): ServerReply =>
  typeof reply === "object" && "stream" in reply
    ? { stream: reply.stream.replace(from, to) }
    : { body: JSON.stringify((reply as { body: unknown }).body).replace(from, to) };

let server: ProviderServer;
beforeAll(async () => {
  server = await ProviderServer.start();
});
afterAll(() => server.close());
beforeEach(() => {
  refunds.length = 0;
});

interface Wire {
  readonly model: () => ModelReference;
  readonly whole: (finish: string) => ServerReply;
  readonly streamed: (finish: string) => ServerReply;
}

const chat = {
  whole: (finish: string) => ending(chatCompletion({ calls }), /"finish_reason":"\w+"/, `"finish_reason":"${finish}"`),
  streamed: (finish: string) => chatStream({ calls, finish }),
};

const wires: Readonly<Record<string, Wire>> = {
  "an OpenAI-compatible server": { model: () => `${server.url}/v1#test-model`, ...chat },
  "OpenAI's chat completions": { model: () => createOpenAI({ apiKey: "key", baseURL: server.url }).chat("gpt-test"), ...chat },
  "OpenAI's responses": {
    model: () => createOpenAI({ apiKey: "key", baseURL: server.url })("gpt-test"),
    whole: (finish) => ending(openAiResponse(items), /"status":"completed",/, incomplete(finish)),
    streamed: (finish) =>
      ending(
        openAiResponseStream(items),
        /"type":"response.completed",(.*?)"status":"completed",/,
        `"type":"response.incomplete",$1${incomplete(finish)}`,
      ),
  },
  Anthropic: {
    model: () => createAnthropic({ apiKey: "key", baseURL: server.url })("claude-test"),
    whole: (finish) => anthropicMessage(blocks, finish),
    streamed: (finish) => anthropicStream(blocks, finish),
  },
  Gemini: {
    model: () => createGoogleGenerativeAI({ apiKey: "key", baseURL: server.url })("gemini-test"),
    whole: (finish) => ending(geminiAnswer(parts), /"finishReason":"STOP"/, `"finishReason":"${finish}"`),
    streamed: (finish) => ending(geminiStream(parts), /"finishReason":"STOP"/, `"finishReason":"${finish}"`),
  },
};

const incomplete = (reason: string): string => `"status":"incomplete","incomplete_details":{"reason":"${reason}"},`;

async function run(wire: Wire, mode: "whole" | "streamed", finish: string, ...further: ServerReply[]) {
  @model(wire.model(), { retries: 0 })
  @usesTools([refundTool])
  class ShopAgent extends Agent {}

  const agent = new ShopAgent();
  server.play(wire[mode](finish), ...further);
  const response = mode === "whole" ? await agent.generate("Refund both") : await agent.stream("Refund both").response;
  return { agent, response };
}

const refusals = [
  ["an OpenAI-compatible server", "content_filter"],
  ["an OpenAI-compatible server", "sensitive"],
  ["an OpenAI-compatible server", "error"],
  ["OpenAI's chat completions", "content_filter"],
  ["OpenAI's responses", "content_filter"],
  ["OpenAI's responses", "cyber_policy_violation"],
  ["Anthropic", "refusal"],
  ["Gemini", "SAFETY"],
  ["Gemini", "PROHIBITED_CONTENT"],
  ["Gemini", "MALFORMED_FUNCTION_CALL"],
  ["Gemini", "UNEXPECTED_TOOL_CALL"],
  ["Gemini", "LANGUAGE"],
  ["Gemini", "OTHER"],
] as const;

describe.each(["whole", "streamed"] as const)("an answer with calls, %s,", (mode) => {
  it.each(refusals)("of %s that ends with %s runs none of them and leaves a paired history", async (name, finish) => {
    const { agent, response } = await run(wires[name]!, mode, finish);

    expect(refunds).toEqual([]);
    expect(response.outcome.reason).toBe("content_filter");
    expect(response.steps[0]?.toolCalls.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^Not run: /),
      expect.stringMatching(/^Not run: /),
    ]);
    expect(isPaired(agent.messages)).toBe(true);
  });

  it.each([
    ["an OpenAI-compatible server", "length"],
    ["OpenAI's chat completions", "length"],
    ["OpenAI's responses", "max_output_tokens"],
    ["Anthropic", "max_tokens"],
    ["Anthropic", "model_context_window_exceeded"],
    ["Gemini", "MAX_TOKENS"],
  ] as const)("of %s that ends with %s runs all but the last, which the model sends again", async (name, finish) => {
    const { agent, response } = await run(wires[name]!, mode, finish);

    expect(refunds).toEqual(["A-1"]);
    expect(response.outcome.reason).toBe("model_error");
    expect(response.steps[0]?.toolCalls[1]?.content).toMatch(/cut off .* Send it again/);
    expect(isPaired(agent.messages)).toBe(true);
    expect(server.requests).toHaveLength(2);
  });
});
