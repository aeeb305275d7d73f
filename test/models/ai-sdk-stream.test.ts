import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenAI as createOpenAIForV2 } from "ai-sdk-openai-v2";
import { AiSdkModel, type ChatRequest, type ChatResponse, type Message, type ModelDelta, ModelError } from "../../src/models/index.js";
import { parseArgumentsText } from "../../src/schema/internal.js";
import {
  anthropicMessage,
  chatCompletion,
  geminiAnswer,
  openAiResponse,
  ProviderServer,
  type ServerReply,
} from "../support/provider-servers.js";
import { anthropicStream, chatStream, geminiStream, openAiResponseStream, type StreamFault } from "../support/provider-streams.js";

const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
const weather = { name: "weather", description: "Gets the weather.", parameters };
const opening: readonly Message[] = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Weather in Paris and Rome?" },
];

let server: ProviderServer;
beforeAll(async () => {
  server = await ProviderServer.start();
});
afterAll(() => server.close());

/** One streamed answer, and what was told while it came; checks that both say the same. */
async function listen(model: AiSdkModel, reply: ServerReply, request: Partial<ChatRequest> = {}) {
  server.play(reply);
  const deltas: ModelDelta[] = [];
  const response = await model.generate({ messages: opening, tools: [weather], onDelta: (delta) => deltas.push(delta), ...request });
  const told = (type: "text" | "reasoning") => deltas.map((delta) => (delta.type === type ? delta.text : "")).join("");
  const calls: { id: string; name: string; arguments: string }[] = [];
  for (const delta of deltas) {
    if (delta.type !== "tool_call") continue;
    calls[delta.index] ??= { id: delta.id, name: delta.name, arguments: "" };
    calls[delta.index]!.arguments += delta.arguments;
  }
  expect(told("text")).toBe(response.text);
  expect(told("reasoning")).toBe(response.reasoning ?? "");
  expect(calls).toEqual(response.toolCalls.map(({ id, name, arguments: text }) => ({ id, name, arguments: text })));
  return { response, deltas };
}

/** The same answer without a listener. */
async function ask(model: AiSdkModel, reply: ServerReply): Promise<ChatResponse> {
  server.play(reply);
  return model.generate({ messages: opening, tools: [weather] });
}

/** What goes to the provider on the step after an answer with two calls. */
async function nextBody(model: AiSdkModel, { text, toolCalls, reasoning, providerMetadata }: ChatResponse, reply: ServerReply) {
  const [first, second] = toolCalls;
  const messages = [
    ...opening,
    { role: "assistant", content: text, toolCalls, reasoning, providerMetadata },
    { role: "tool", toolCallId: first!.id, toolName: "weather", content: "Sunny." },
    { role: "tool", toolCallId: second!.id, toolName: "weather", content: "Rain." },
  ];
  server.play(reply);
  await model.generate({ messages: JSON.parse(JSON.stringify(messages)), tools: [weather] });
  return server.requests[0]!.body;
}

async function failure(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error;
}

const calls = [
  { id: "c1", name: "weather", arguments: '{"city":"Paris"}' },
  { id: "c2", name: "weather", arguments: '{"city":"Zürich 🏔️"}' },
];
const text = "Grüße aus Zürich 🏔️, ich schaue nach.";
const usage = { inputTokens: 20, outputTokens: 9, cachedInputTokens: 5, reasoningTokens: 4 };

const openAi = () => new AiSdkModel(createOpenAI({ apiKey: "test-key", baseURL: server.url }).chat("gpt-4o"));
const openAiV2 = () => new AiSdkModel(createOpenAIForV2({ apiKey: "test-key", baseURL: server.url }).chat("gpt-4o"));
const compatible = () => new AiSdkModel(createOpenAICompatible({ name: "ollama", baseURL: server.url, includeUsage: true })("llama3.2"));
const responses = () => new AiSdkModel(createOpenAI({ apiKey: "test-key", baseURL: server.url })("gpt-5-mini"));
const responsesV2 = () => new AiSdkModel(createOpenAIForV2({ apiKey: "test-key", baseURL: server.url })("gpt-5-mini"));
const anthropic = () => new AiSdkModel(createAnthropic({ apiKey: "test-key", baseURL: server.url })("claude-sonnet-4-5"));
const gemini = () => new AiSdkModel(createGoogleGenerativeAI({ apiKey: "test-key", baseURL: server.url })("gemini-3-flash"));

describe.each([
  ["@ai-sdk/openai 3 (specification v3)", openAi],
  ["@ai-sdk/openai 2 (specification v2)", openAiV2],
  ["@ai-sdk/openai-compatible 2", compatible],
])("OpenAI chat completions, streamed through %s", (_package, create) => {
  it("stream text and parallel calls as they come, without broken characters, and count tokens at the end", async () => {
    const { response, deltas } = await listen(create(), chatStream({ text, calls }));

    expect(response).toMatchObject({ text, toolCalls: calls, finishReason: "tool_calls", usage });
    expect(deltas.filter((delta) => delta.type === "text").length).toBeGreaterThan(5);
    expect(deltas.filter((delta) => delta.type === "tool_call").length).toBeGreaterThan(5);
    expect(server.requests[0]!.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it("give the response that the same answer has without a listener", async () => {
    const { response } = await listen(create(), chatStream({ text, calls }));

    expect(response).toEqual(await ask(create(), chatCompletion({ text, calls })));
    expect(server.requests[0]!.body).not.toHaveProperty("stream");
  });

  it("case 31: keep calls apart that all come with index 0, by their ids", async () => {
    const whole = calls.map(({ id, ...call }) => [{ index: 0, id, type: "function", function: call }]);

    expect((await listen(create(), chatStream({ calls: [], extra: whole }))).response.toolCalls).toMatchObject(calls);
  });

  it("leave a call that the output limit cut off as it came, with arguments that are refused", async () => {
    const cut = { id: "c1", name: "weather", arguments: '{"city":"Par' };
    const { response } = await listen(create(), chatStream({ calls: [cut], finish: "length" }));

    expect(response).toMatchObject({ finishReason: "length", toolCalls: [cut] });
    expect(parseArgumentsText(response.toolCalls[0]!.arguments)).toMatchObject({ ok: false });
  });

  it.each([
    ["server_error", true],
    ["invalid_request_error", false],
  ])("throw a ModelError for an error of type %s within the stream; retryable: %s", async (type, retryable) => {
    const reply = chatStream({ text: "It is" }, { error: { message: "Something broke", type, param: null, code: null } });
    const error = await failure(listen(create(), reply));

    expect(error.message).toContain("Something broke");
    expect(error.retryable).toBe(retryable);
  });
});

describe("OpenAI responses, streamed", () => {
  const message = (id: string, said: string) => ({
    type: "message",
    id,
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: said, annotations: [] }],
  });
  const functionCall = (id: string, callId: string, city: string) => ({
    type: "function_call",
    id,
    call_id: callId,
    name: "weather",
    arguments: JSON.stringify({ city }),
    status: "completed",
  });
  const thinking = [
    {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "Two cities: Paris and Zürich." }],
      encrypted_content: "sealed",
    },
    message("msg_1", text),
    functionCall("fc_1", "c1", "Paris"),
    functionCall("fc_2", "c2", "Zürich 🏔️"),
  ];

  it.each([
    ["3", responses],
    ["2", responsesV2],
  ])("through @ai-sdk/openai %s give the same response, and the same next request, as unstreamed", async (_version, create) => {
    const { response } = await listen(create(), openAiResponseStream(thinking));
    const unstreamed = await ask(create(), openAiResponse(thinking));
    const done = openAiResponse([message("msg_2", "Sunny.")]);

    expect(response).toMatchObject({ text, reasoning: "Two cities: Paris and Zürich.", finishReason: "tool_calls", usage });
    expect(response.toolCalls).toEqual(unstreamed.toolCalls);
    const body = await nextBody(create(), response, done);
    expect(body).toEqual(await nextBody(create(), unstreamed, done));
    expect(body.input).toContainEqual({ type: "item_reference", id: "rs_1" });
  });

  it.each([
    ["server_error", true],
    ["insufficient_quota", false],
  ])("throw a ModelError for an error event %s; retryable: %s", async (code, retryable) => {
    const error = await failure(
      listen(responses(), openAiResponseStream(thinking, { error: { code, message: "Something broke", param: null } })),
    );

    expect(error).toMatchObject({ retryable, message: expect.stringContaining("Something broke") });
  });
});

describe("Anthropic messages, streamed", () => {
  const thinking = [
    { type: "thinking", thinking: "Two cities: Paris and Zürich.", signature: "signed" },
    { type: "redacted_thinking", data: "sealed" },
    { type: "text", text },
    { type: "tool_use", id: "c1", name: "weather", input: { city: "Zürich 🏔️" } },
    { type: "tool_use", id: "c2", name: "weather", input: {} },
  ];

  it("give the same next request as unstreamed, signatures included, and empty arguments as an empty object", async () => {
    const { response } = await listen(anthropic(), anthropicStream(thinking, "tool_use"));
    const unstreamed = await ask(anthropic(), anthropicMessage(thinking, "tool_use"));
    const done = anthropicMessage([{ type: "text", text: "Sunny." }]);

    expect(response).toMatchObject({ text, reasoning: "Two cities: Paris and Zürich.", toolCalls: unstreamed.toolCalls });
    expect(response.toolCalls[1]?.arguments).toBe("{}");
    const body = await nextBody(anthropic(), response, done);
    expect(body).toEqual(await nextBody(anthropic(), unstreamed, done));
    expect(JSON.stringify(body)).toContain('"signature":"signed"');
  });

  it("count tokens that were written to the prompt cache as input, and those read from it as cached", async () => {
    const { response } = await listen(anthropic(), anthropicStream([{ type: "text", text: "Hi." }]));

    expect(response.usage).toMatchObject({ inputTokens: 20, outputTokens: 9, cachedInputTokens: 5 });
  });

  it.each([
    ["overloaded_error", true],
    ["api_error", true],
    ["invalid_request_error", false],
  ])("throw a ModelError for an error event %s within the answer; retryable: %s", async (type, retryable) => {
    const reply = anthropicStream([{ type: "text", text: "It is" }], "end_turn", { error: { type, message: "Something broke" } });

    expect(await failure(listen(anthropic(), reply))).toMatchObject({ retryable, message: expect.stringContaining("Something broke") });
  });
});

describe("Gemini, streamed", () => {
  const thinking = [
    { text: "Two cities: Paris and Zürich.", thought: true },
    { text, thoughtSignature: "signed text" },
    { functionCall: { name: "weather", args: { city: "Paris" } }, thoughtSignature: "signed call" },
    { functionCall: { name: "weather", args: { city: "Zürich 🏔️" } } },
  ];

  it("returns text, reasoning and calls, and sends thought signatures back with the parts they came with", async () => {
    const { response } = await listen(gemini(), geminiStream(thinking));
    const body = await nextBody(gemini(), response, geminiAnswer([{ text: "Sunny." }]));

    expect(response).toMatchObject({ text, reasoning: "Two cities: Paris and Zürich.", finishReason: "tool_calls", usage });
    expect(body.contents[1]).toMatchObject({
      role: "model",
      parts: [
        { text: "Two cities: Paris and Zürich.", thought: true },
        { text, thoughtSignature: "signed text" },
        { functionCall: { name: "weather", args: { city: "Paris" } }, thoughtSignature: "signed call" },
        { functionCall: { name: "weather", args: { city: "Zürich 🏔️" } } },
      ],
    });
  });

  it.each([
    [503, "UNAVAILABLE", true],
    [400, "INVALID_ARGUMENT", false],
  ])("throws a ModelError for an error of code %d within the answer (%s); retryable: %s", async (code, status, retryable) => {
    const reply = geminiStream([{ text: "It is" }], { error: { code, status, message: "Something broke" } });

    expect(await failure(listen(gemini(), reply))).toMatchObject({
      retryable,
      status: code,
      message: expect.stringContaining("Something broke"),
    });
  });
});

describe.each([
  ["OpenAI chat", openAi, (fault: StreamFault) => chatStream({ text: "It is" }, fault)],
  ["OpenAI chat, version 2", openAiV2, (fault: StreamFault) => chatStream({ text: "It is" }, fault)],
  ["an OpenAI-compatible server", compatible, (fault: StreamFault) => chatStream({ text: "It is" }, fault)],
  [
    "OpenAI responses",
    responses,
    (fault: StreamFault) => openAiResponseStream([{ type: "message", id: "m", role: "assistant", content: [{ text: "It is" }] }], fault),
  ],
  ["Anthropic", anthropic, (fault: StreamFault) => anthropicStream([{ type: "text", text: "It is" }], "end_turn", fault)],
  ["Gemini", gemini, (fault: StreamFault) => geminiStream([{ text: "It is" }], fault)],
])("a stream of %s", (_provider, create, reply) => {
  it("that breaks is a retryable ModelError", async () => {
    expect((await failure(listen(create(), reply({ ending: "break" })))).retryable).toBe(true);
  });

  it("that ends before the answer does is a retryable ModelError, not a short answer", async () => {
    expect((await failure(listen(create(), reply({})))).retryable).toBe(true);
  });

  it("that hangs ends when the request is aborted, with the reason of the signal", async () => {
    const controller = new AbortController();
    const heard = (delta: ModelDelta) => delta.type === "text" && controller.abort(new Error("enough"));

    await expect(listen(create(), reply({ ending: "hang" }), { onDelta: heard, abortSignal: controller.signal })).rejects.toThrow("enough");
  });
});

/** A language model of any specification that streams the given parts, as a provider's package would. */
function streaming(parts: readonly object[], hooks: { readonly cancel?: () => void } = {}) {
  const stream = new ReadableStream<any>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      if (hooks.cancel === undefined) controller.close();
    },
    ...hooks,
  });
  const doGenerate = () => Promise.reject(new Error("unexpected"));
  return new AiSdkModel({
    specificationVersion: "v4",
    provider: "acme.chat",
    modelId: "large",
    doGenerate,
    doStream: async () => ({ stream }),
  });
}

describe("AiSdkModel reads the parts of any provider's stream", () => {
  const finish = { type: "finish", finishReason: { unified: "tool-calls", raw: "tool_calls" }, usage: {} };
  const play = async (...parts: object[]) => {
    const deltas: ModelDelta[] = [];
    const response = await streaming([...parts, finish]).generate({ messages: opening, tools: [], onDelta: (delta) => deltas.push(delta) });
    return { response, deltas };
  };
  const call = (toolCallId: string, input: unknown) => ({ type: "tool-call", toolCallId, toolName: "weather", input });

  it("sends a call that comes without pieces as one delta", async () => {
    expect((await play(call("c1", '{"city":"Paris"}'))).deltas).toEqual([
      { type: "tool_call", index: 0, id: "c1", name: "weather", arguments: '{"city":"Paris"}' },
    ]);
  });

  it("sends the missing piece if the last piece of the arguments came only with the whole call", async () => {
    const { deltas } = await play(
      { type: "tool-input-start", id: "c1", toolName: "weather" },
      { type: "tool-input-delta", id: "c1", delta: '{"city":' },
      call("c1", '{"city":"Paris"}'),
    );

    expect(deltas.map((delta) => delta.type === "tool_call" && delta.arguments)).toEqual(["", '{"city":', '"Paris"}']);
  });

  it("holds back pieces that aren't JSON until the whole call is there", async () => {
    const { deltas, response } = await play(
      { type: "tool-input-start", id: "c1", toolName: "weather", inputEncoding: "text" },
      { type: "tool-input-delta", id: "c1", delta: "Paris" },
      call("c1", '"Paris"'),
    );

    expect(deltas.map((delta) => delta.type === "tool_call" && delta.arguments).join("")).toBe(response.toolCalls[0]?.arguments);
  });

  it("puts calls in the order in which they began, whatever order they end in", async () => {
    const { response } = await play(
      { type: "tool-input-start", id: "c1", toolName: "weather" },
      { type: "tool-input-start", id: "c2", toolName: "weather" },
      call("c2", '{"city":"Rome"}'),
      call("c1", '{"city":"Paris"}'),
    );

    expect(response.toolCalls.map(({ id }) => id)).toEqual(["c1", "c2"]);
  });

  it("makes up one id for a call that has none, the same in all its deltas and in the response", async () => {
    const { deltas, response } = await play(
      { type: "tool-input-start", id: "", toolName: "weather" },
      { type: "tool-input-delta", id: "", delta: "{}" },
      call("", "{}"),
    );

    expect(response.toolCalls).toHaveLength(1);
    expect(response.toolCalls[0]?.id).toMatch(/^call_/);
    expect(new Set(deltas.map((delta) => delta.type === "tool_call" && delta.id))).toEqual(new Set([response.toolCalls[0]?.id]));
  });

  it("believes the first end that withholds the answer, whatever comes after it", async () => {
    const withheld = { type: "finish", finishReason: { unified: "content-filter", raw: "safety" }, usage: {} };
    expect((await play(call("c1", '{"city":"Paris"}'), withheld)).response.finishReason).toBe("content_filter");
  });

  it("never reads a call that was begun and not ended as one without arguments", async () => {
    const { response } = await play({ type: "tool-input-start", id: "c1", toolName: "weather" });

    expect(parseArgumentsText(response.toolCalls[0]!.arguments)).toMatchObject({ ok: false });
  });

  it("passes over tools that the provider runs itself, and parts of kinds that it doesn't know", async () => {
    const { deltas, response } = await play(
      { type: "stream-start", warnings: [] },
      { type: "tool-input-start", id: "p1", toolName: "web_search", providerExecuted: true },
      { type: "tool-input-delta", id: "p1", delta: "{}" },
      { ...call("p1", "{}"), providerExecuted: true },
      { type: "raw", rawValue: {} },
      { type: "ping" },
      { type: "reasoning-file", mediaType: "image/png", data: { type: "data", data: "" } },
      call("c1", "{}"),
    );

    expect(response.toolCalls.map(({ id }) => id)).toEqual(["c1"]);
    expect(deltas).toHaveLength(1);
  });

  it("calls doGenerate of a language model that can't stream, and sends no deltas", async () => {
    const answer = { content: [{ type: "text", text: "Sunny." }], finishReason: "stop", usage: {} };
    const model = new AiSdkModel({ specificationVersion: "v2", provider: "acme", modelId: "m", doGenerate: async () => answer });
    const onDelta = jest.fn();

    expect((await model.generate({ messages: opening, tools: [], onDelta })).text).toBe("Sunny.");
    expect(onDelta).not.toHaveBeenCalled();
  });

  it("cancels the stream when the request is aborted, also if the provider ignores the signal", async () => {
    const cancel = jest.fn();
    const controller = new AbortController();
    const pending = streaming([{ type: "text-delta", id: "1", delta: "It " }], { cancel }).generate({
      messages: opening,
      tools: [],
      onDelta: () => controller.abort(new Error("enough")),
      abortSignal: controller.signal,
    });

    await expect(pending).rejects.toThrow("enough");
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it("cancels a stream that sends an error and goes on", async () => {
    const cancel = jest.fn();
    const error = { type: "error", error: "the model is gone" };

    await expect(streaming([error], { cancel }).generate({ messages: opening, tools: [], onDelta: () => {} })).rejects.toThrow(
      "acme/large: the model is gone",
    );
    expect(cancel).toHaveBeenCalledTimes(1);
  });
});
