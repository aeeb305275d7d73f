import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenAI as createOpenAIForV2 } from "ai-sdk-openai-v2";
import { AiSdkModel, type ChatRequest, type ChatResponse, type Message } from "../../src/models/index.js";
import {
  anthropicMessage,
  chatCompletion,
  geminiAnswer,
  openAiResponse,
  ProviderServer,
  type ServerReply,
} from "../support/provider-servers.js";

const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
const weather = { name: "weather", description: "Gets the weather.", parameters };
const opening: readonly Message[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Weather in Paris and Rome?" },
];

/** The history after the model called two tools: the first answered, the second failed. Stored and read again as JSON. */
function afterCalls({ text, toolCalls, reasoning, providerMetadata }: ChatResponse): readonly Message[] {
  const [first, second] = toolCalls;
  const history = [
    ...opening,
    { role: "assistant", content: text, toolCalls, reasoning, providerMetadata },
    { role: "tool", toolCallId: first!.id, toolName: first!.name, content: "Sunny." },
    {
      role: "tool",
      toolCallId: second!.id,
      toolName: second!.name,
      content: "Error executing tool: no station",
      errorType: "execution_error",
    },
  ];
  return JSON.parse(JSON.stringify(history));
}

let server: ProviderServer;
beforeAll(async () => {
  server = await ProviderServer.start();
});
afterAll(() => server.close());

/** Two steps of a run; gives both responses, and both request bodies as the server got them. */
async function runTwoSteps(model: AiSdkModel, first: ServerReply, second: ServerReply, request: Partial<ChatRequest> = {}) {
  server.play(first, second);
  const called = await model.generate({ messages: opening, tools: [weather], ...request });
  const answered = await model.generate({ messages: afterCalls(called), tools: [weather], ...request });
  return { called, answered, firstBody: server.requests[0]!.body, secondBody: server.requests[1]!.body };
}

const calls = [
  { id: "c1", name: "weather", arguments: '{"city":"Paris"}' },
  { id: "c2", name: "weather", arguments: "" },
];
const usage = { inputTokens: 20, outputTokens: 9, cachedInputTokens: 5, reasoningTokens: 4 };

describe.each([
  [
    "@ai-sdk/openai 3 (specification v3)",
    () => createOpenAI({ apiKey: "test-key", baseURL: server.url }).chat("gpt-4o"),
    "openai/gpt-4o",
    { strict: true, parameters: { ...parameters, additionalProperties: false } },
  ],
  [
    "@ai-sdk/openai 2 (specification v2)",
    () => createOpenAIForV2({ apiKey: "test-key", baseURL: server.url }).chat("gpt-4o"),
    "openai/gpt-4o",
    { strict: false },
  ],
  ["@ai-sdk/openai-compatible 2", () => createOpenAICompatible({ name: "ollama", baseURL: server.url })("llama3.2"), "ollama/llama3.2", {}],
])("OpenAI chat completions through %s", (_package, create, id, strict) => {
  it("reads text, parallel calls, finish reason and usage", async () => {
    const model = new AiSdkModel(create());
    const { called } = await runTwoSteps(model, chatCompletion({ text: "I look.", calls }), chatCompletion({ text: "Sunny." }));

    expect(model.id).toBe(id);
    expect(called).toMatchObject({ text: "I look.", toolCalls: calls, finishReason: "tool_calls", usage });
  });

  it("sends messages, tools and options, and nothing else", async () => {
    const options = { temperature: 0, maxOutputTokens: 100, stopSequences: ["END"] };
    const { firstBody } = await runTwoSteps(new AiSdkModel(create()), chatCompletion({ calls }), chatCompletion({ text: "" }), { options });

    expect(firstBody).toEqual({
      model: id.split("/")[1],
      temperature: 0,
      max_tokens: 100,
      stop: ["END"],
      messages: opening,
      tools: [{ type: "function", function: { name: "weather", description: "Gets the weather.", parameters, ...strict } }],
    });
  });

  it("carries each result back to its call on the second step, and empty arguments as an empty object", async () => {
    const { secondBody, answered } = await runTwoSteps(
      new AiSdkModel(create()),
      chatCompletion({ text: "I look.", calls }),
      chatCompletion({ text: "Sunny." }),
    );

    expect(secondBody.messages.slice(2)).toEqual([
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "weather", arguments: '{"city":"Paris"}' } },
          { id: "c2", type: "function", function: { name: "weather", arguments: "{}" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "Sunny." },
      { role: "tool", tool_call_id: "c2", content: "Error executing tool: no station" },
    ]);
    expect(answered).toMatchObject({ text: "Sunny.", toolCalls: [], finishReason: "stop" });
  });

  it("sends no tool list if there are no tools", async () => {
    server.play(chatCompletion({ text: "Hello." }));
    await new AiSdkModel(create()).generate({ messages: opening, tools: [] });

    expect(server.requests[0]!.body).not.toHaveProperty("tools");
  });
});

describe("OpenAI responses", () => {
  const create = () => new AiSdkModel(createOpenAI({ apiKey: "test-key", baseURL: server.url })("gpt-5-mini"));
  const message = (id: string, text: string) => ({
    type: "message",
    id,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text, annotations: [] }],
  });
  const functionCall = (id: string, callId: string, city: string) => ({
    type: "function_call",
    id,
    call_id: callId,
    name: "weather",
    arguments: JSON.stringify({ city }),
    status: "completed",
  });
  const thinking = openAiResponse([
    { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Two cities." }], encrypted_content: "sealed" },
    message("msg_1", "I look."),
    functionCall("fc_1", "c1", "Paris"),
    functionCall("fc_2", "c2", "Rome"),
  ]);
  const done = openAiResponse([message("msg_2", "Sunny.")]);

  it("sends for each tool whether it is strict, as its schema allows or as the tool sets it", async () => {
    server.play(done);
    const open = { ...parameters, additionalProperties: true };
    await create().generate({
      messages: opening,
      tools: [
        weather,
        { ...weather, name: "open", parameters: open },
        { ...weather, name: "lax", strict: false },
        { ...weather, name: "forecast", strict: true },
      ],
    });

    const described = { type: "function", description: "Gets the weather.", parameters };
    expect(server.requests[0]!.body.tools).toEqual([
      { ...described, name: "weather", parameters: { ...parameters, additionalProperties: false }, strict: true },
      { ...described, name: "open", parameters: open, strict: false },
      { ...described, name: "lax", strict: false },
      { ...described, name: "forecast", strict: true },
    ]);
  });

  it("refers to the reasoning and message items of the first step by id on the second", async () => {
    const { called, secondBody } = await runTwoSteps(create(), thinking, done);

    expect(called).toMatchObject({ text: "I look.", reasoning: "Two cities.", finishReason: "tool_calls", usage });
    expect(secondBody.input.slice(2)).toEqual([
      { type: "item_reference", id: "rs_1" },
      { type: "item_reference", id: "msg_1" },
      { type: "function_call", call_id: "c1", name: "weather", arguments: '{"city":"Paris"}' },
      { type: "function_call", call_id: "c2", name: "weather", arguments: '{"city":"Rome"}' },
      { type: "function_call_output", call_id: "c1", output: "Sunny." },
      { type: "function_call_output", call_id: "c2", output: "Error executing tool: no station" },
    ]);
  });

  it("sends sealed reasoning back in its place where nothing is stored at the provider", async () => {
    const { secondBody } = await runTwoSteps(create(), thinking, done, { options: { providerOptions: { openai: { store: false } } } });

    expect(secondBody.input[2]).toMatchObject({ type: "reasoning", encrypted_content: "sealed", summary: [{ text: "Two cities." }] });
    expect(secondBody.input[3]).toMatchObject({ role: "assistant", content: [{ type: "output_text", text: "I look." }] });
  });

  it("keeps the provider's order if it thinks between two calls", async () => {
    const interleaved = openAiResponse([
      { type: "reasoning", id: "rs_1", summary: [] },
      functionCall("fc_1", "c1", "Paris"),
      { type: "reasoning", id: "rs_2", summary: [] },
      functionCall("fc_2", "c2", "Rome"),
    ]);
    const { secondBody } = await runTwoSteps(create(), interleaved, done);

    expect(secondBody.input.slice(2, 6).map((item: { id?: string; call_id?: string }) => item.id ?? item.call_id)).toEqual([
      "rs_1",
      "c1",
      "rs_2",
      "c2",
    ]);
  });

  it("sends an answer that the application edited as it now is, not as the provider remembers it", async () => {
    server.play(thinking, done);
    const called = await create().generate({ messages: opening, tools: [weather] });
    const edited = afterCalls(called).map((entry) => (entry.role === "assistant" ? { ...entry, content: "[redacted]" } : entry));
    await create().generate({ messages: edited, tools: [weather] });

    expect(server.requests[1]!.body.input[2]).toEqual({ role: "assistant", content: [{ type: "output_text", text: "[redacted]" }] });
  });
});

describe("Anthropic messages", () => {
  const create = () => new AiSdkModel(createAnthropic({ apiKey: "test-key", baseURL: server.url })("claude-sonnet-4-5"));
  const thinking = anthropicMessage(
    [
      { type: "thinking", thinking: "Two cities.", signature: "signed" },
      { type: "redacted_thinking", data: "sealed" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "c1", name: "weather", input: { city: "Paris" } },
      { type: "tool_use", id: "c2", name: "weather", input: {} },
    ],
    "tool_use",
  );
  const done = anthropicMessage([{ type: "text", text: "Sunny." }]);

  it("sends the tools as input schemas and counts cached input", async () => {
    const { called, firstBody } = await runTwoSteps(create(), thinking, done);

    const tool = { name: "weather", description: "Gets the weather.", input_schema: parameters, eager_input_streaming: true };
    expect(firstBody.tools).toEqual([tool]);
    expect(called).toMatchObject({
      text: "I look.",
      reasoning: "Two cities.",
      finishReason: "tool_calls",
      usage: { ...usage, reasoningTokens: 0 },
    });
  });

  it("sends thinking blocks back with their signatures, all results in one message, and a failure marked as one", async () => {
    const providerOptions = { anthropic: { thinking: { type: "enabled", budgetTokens: 1024 } } };
    const { secondBody } = await runTwoSteps(create(), thinking, done, { options: { providerOptions } });

    expect(secondBody.messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Two cities.", signature: "signed" },
          { type: "redacted_thinking", data: "sealed" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "c1", name: "weather", input: { city: "Paris" } },
          { type: "tool_use", id: "c2", name: "weather", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", content: "Sunny." },
          { type: "tool_result", tool_use_id: "c2", content: "Error executing tool: no station", is_error: true },
        ],
      },
    ]);
  });

  it("leaves out an answer without any content, which the API refuses", async () => {
    server.play(done);
    await create().generate({ messages: [...opening, { role: "assistant", content: "" }, { role: "user", content: "Well?" }], tools: [] });

    expect(server.requests[0]!.body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Weather in Paris and Rome?" },
          { type: "text", text: "Well?" },
        ],
      },
    ]);
  });
});

describe("Gemini generateContent", () => {
  const create = () => new AiSdkModel(createGoogleGenerativeAI({ apiKey: "test-key", baseURL: server.url })("gemini-3-flash"));
  const thinking = geminiAnswer([
    { text: "Two cities.", thought: true },
    { text: "I look.", thoughtSignature: "signed text" },
    { functionCall: { name: "weather", args: { city: "Paris" } }, thoughtSignature: "signed call" },
    { functionCall: { name: "weather", args: { city: "Rome" } } },
  ]);

  it("sends thought signatures back with the parts they came with", async () => {
    const { called, firstBody, secondBody } = await runTwoSteps(create(), thinking, geminiAnswer([{ text: "Sunny." }]));

    expect(firstBody.tools).toMatchObject([{ functionDeclarations: [{ name: "weather", description: "Gets the weather." }] }]);
    expect(called).toMatchObject({ text: "I look.", reasoning: "Two cities.", finishReason: "tool_calls", usage });
    expect(secondBody.contents[1]).toMatchObject({
      role: "model",
      parts: [
        { text: "Two cities.", thought: true },
        { text: "I look.", thoughtSignature: "signed text" },
        { functionCall: { name: "weather", args: { city: "Paris" } }, thoughtSignature: "signed call" },
        { functionCall: { name: "weather", args: { city: "Rome" } } },
      ],
    });
    expect(secondBody.contents[2]).toMatchObject({
      role: "user",
      parts: [
        { functionResponse: { name: "weather", response: { content: "Sunny." } } },
        { functionResponse: { name: "weather", response: { content: "Error executing tool: no station" } } },
      ],
    });
  });
});
