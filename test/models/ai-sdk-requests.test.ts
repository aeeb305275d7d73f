import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createOpenAI as createOpenAIForV2 } from "ai-sdk-openai-v2";
import { Agent, model } from "../../src/agent/index.js";
import { AiSdkModel, type ChatRequest, type ChatResponse, type ContentPart, type Message, resolveModel } from "../../src/models/index.js";
import {
  anthropicMessage,
  chatCompletion,
  geminiAnswer,
  openAiResponse,
  ProviderServer,
  type ServerReply,
} from "../support/provider-servers.js";
import { anthropicStream, chatStream } from "../support/provider-streams.js";

const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
const weather = { name: "weather", description: "Gets the weather.", parameters };
const forecast = { ...weather, name: "forecast" };
const question: readonly Message[] = [{ role: "user", content: "Weather in Paris?" }];

let server: ProviderServer;
beforeAll(async () => {
  server = await ProviderServer.start();
});
afterAll(() => server.close());

const openAi = () => new AiSdkModel(createOpenAI({ apiKey: "test-key", baseURL: server.url }).chat("gpt-4o"));
const openAiV2 = () => new AiSdkModel(createOpenAIForV2({ apiKey: "test-key", baseURL: server.url }).chat("gpt-4o"));
const compatible = () => new AiSdkModel(createOpenAICompatible({ name: "ollama", baseURL: server.url })("llama3.2"));
const responses = () => new AiSdkModel(createOpenAI({ apiKey: "test-key", baseURL: server.url })("gpt-5-mini"));
const anthropic = () => new AiSdkModel(createAnthropic({ apiKey: "test-key", baseURL: server.url })("claude-sonnet-4-5"));
const gemini = () => new AiSdkModel(createGoogleGenerativeAI({ apiKey: "test-key", baseURL: server.url })("gemini-3-flash"));

const chat = () => chatCompletion({ text: "{}" });
const response = () => openAiResponse([]);
const message = () => anthropicMessage([{ type: "text", text: "{}" }]);
const answer = () => geminiAnswer([{ text: "{}" }]);

/** The body that the provider gets. */
async function send(model: AiSdkModel, reply: ServerReply, request: Partial<ChatRequest>): Promise<any> {
  server.play(reply);
  await model.generate({ messages: question, tools: [], ...request });
  return server.requests[0]!.body;
}

describe("the tags of a run", () => {
  const tags = { tenant: "acme", feature: "refunds" };

  it("reach OpenAI's Responses API as metadata, without those that it would reject the request for", async () => {
    const long = { note: "x".repeat(513), ["k".repeat(65)]: "v" };
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`tag${index}`, "v"]));

    expect((await send(responses(), response(), { tags: { ...tags, ...long } })).metadata).toEqual(tags);
    expect(Object.keys((await send(responses(), response(), { tags: many })).metadata)).toHaveLength(16);
  });

  it("give way to metadata of the application", async () => {
    const options = { providerOptions: { openai: { metadata: { own: "yes" }, user: "ann" } } };

    expect(await send(responses(), response(), { tags, options })).toMatchObject({ metadata: { own: "yes" }, user: "ann" });
  });

  it("reach no provider that takes no metadata", async () => {
    for (const [create, reply] of [
      [openAi, chat()],
      [compatible, chat()],
      [anthropic, message()],
      [gemini, answer()],
    ] as const) {
      expect(JSON.stringify(await send(create(), reply, { tags }))).not.toContain("acme");
    }
  });
});

describe("toolChoice", () => {
  it.each([
    ["auto", "auto"],
    ["required", "required"],
    ["none", "none"],
    [{ tool: "weather" }, { type: "function", function: { name: "weather" } }],
  ] as const)("%j reaches OpenAI and its likes as %j", async (toolChoice, sent) => {
    for (const create of [openAi, openAiV2, compatible]) {
      expect((await send(create(), chat(), { tools: [weather], toolChoice })).tool_choice).toEqual(sent);
    }
  });

  it("reaches Anthropic and Gemini in their own words", async () => {
    expect((await send(anthropic(), message(), { tools: [weather], toolChoice: "required" })).tool_choice).toMatchObject({ type: "any" });
    expect((await send(anthropic(), message(), { tools: [weather], toolChoice: { tool: "weather" } })).tool_choice).toMatchObject({
      type: "tool",
      name: "weather",
    });
    expect((await send(gemini(), answer(), { tools: [weather], toolChoice: "none" })).toolConfig).toMatchObject({
      functionCallingConfig: { mode: "NONE" },
    });
  });

  it("is left out without a choice, and without a tool to choose", async () => {
    expect(await send(openAi(), chat(), { tools: [weather] })).not.toHaveProperty("tool_choice");
    expect(await send(openAi(), chat(), { toolChoice: "required" })).not.toHaveProperty("tool_choice");
  });
});

describe("responseFormat", () => {
  const closed = { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false } as const;
  const open = { type: "object", properties: { city: { type: "string" }, note: { type: "string" } }, required: ["city"] } as const;

  it("asks OpenAI for strict JSON if the schema is made for it", async () => {
    const format = { name: "place", schema: closed };

    expect((await send(openAi(), chat(), { responseFormat: format })).response_format).toEqual({
      type: "json_schema",
      json_schema: { name: "place", strict: true, schema: closed },
    });
    expect((await send(responses(), response(), { responseFormat: format })).text.format).toEqual({
      type: "json_schema",
      name: "place",
      strict: true,
      schema: closed,
    });
  });

  it.each([
    ["an optional property", open],
    ["an open object", { ...closed, additionalProperties: true }],
    ["an object that isn't closed within a list", { ...closed, properties: { city: { type: "array", items: open } } }],
    ["an unknown keyword", { ...closed, properties: { city: { type: "string", default: "Paris" } } }],
    ["an alternative that isn't closed", { ...closed, properties: { city: { anyOf: [open, { type: "null" }] } } }],
    ["a definition that isn't closed", { ...closed, properties: { city: { $ref: "#/$defs/open" } }, $defs: { open } }],
  ] as const)("asks OpenAI not to be strict where the schema has %s, which it would refuse", async (_what, schema) => {
    const format = { name: "place", schema };

    for (const create of [openAi, openAiV2]) {
      expect((await send(create(), chat(), { responseFormat: format })).response_format.json_schema.strict).toBe(false);
    }
    expect((await send(responses(), response(), { responseFormat: format })).text.format.strict).toBe(false);
  });

  it("keeps the application's own provider options beside that", async () => {
    const options = { providerOptions: { openai: { user: "ann" } } };
    const body = await send(openAi(), chat(), { responseFormat: { name: "place", schema: open }, options });

    expect(body).toMatchObject({ user: "ann", response_format: { json_schema: { strict: false } } });
  });

  it("reaches Gemini as a response schema, and Anthropic as an output format or its tool", async () => {
    const responseFormat = { name: "place", schema: closed };

    expect((await send(gemini(), answer(), { responseFormat })).generationConfig).toMatchObject({
      responseMimeType: "application/json",
      responseSchema: { type: "object", required: ["city"] },
    });
    expect(JSON.stringify(await send(anthropic(), message(), { responseFormat }))).toContain('"properties":{"city":{"type":"string"}}');
  });

  it("is left out beside tools if providers reject it, and stands in the instructions there", async () => {
    const request = { responseFormat: { name: "place", schema: closed }, tools: [weather] };
    const schema = JSON.stringify(closed);

    const ofGemini = await send(gemini(), answer(), request);
    expect(ofGemini.generationConfig).not.toHaveProperty("responseSchema");
    expect(ofGemini.generationConfig).not.toHaveProperty("responseMimeType");
    expect(ofGemini.systemInstruction.parts[0].text).toContain(schema);
    const ofAnthropic = await send(anthropic(), message(), request);
    expect(ofAnthropic.tools.map(({ name }: { name: string }) => name)).toEqual(["weather"]);
    expect(ofAnthropic.system[0].text).toContain(schema);
    server.play(chat());
    await (await resolveModel(`${server.url}/v1#local`)).generate({ messages: question, ...request });
    expect(server.requests[0]!.body).not.toHaveProperty("response_format");
    expect(server.requests[0]!.body.messages[0]).toMatchObject({ role: "system", content: expect.stringContaining(schema) });
    expect(await send(openAi(), chat(), request)).toHaveProperty("response_format");
  });

  it("sends the schema to a model that is named by its URL, and asks it for the count of tokens of a stream", async () => {
    server.play(chatStream({ text: "{}" }));
    const model = await resolveModel(`${server.url}/v1#local`);
    const { usage } = await model.generate({
      messages: question,
      tools: [],
      responseFormat: { name: "place", schema: closed },
      onDelta: () => {},
    });

    expect(server.requests[0]!.body.response_format.json_schema).toMatchObject({ name: "place", schema: closed });
    expect(usage.inputTokens).toBe(20);
  });
});

describe("images and files in a prompt", () => {
  const content: readonly ContentPart[] = [
    { type: "text", text: "What is this?" },
    { type: "image", mediaType: "image/png", data: "aW1hZ2U=" },
    { type: "image", mediaType: "image/*", url: "https://example.com/photo" },
    { type: "file", mediaType: "application/pdf", filename: "report.pdf", data: "JVBERi0=" },
  ];
  const messages: readonly Message[] = [{ role: "user", content }];
  const pngUrl = "data:image/png;base64,aW1hZ2U=";
  const pdfUrl = "data:application/pdf;base64,JVBERi0=";

  it.each([
    ["v3", openAi],
    ["v2", openAiV2],
  ])("reach OpenAI's chat completions through a package of specification %s", async (_version, create) => {
    expect((await send(create(), chat(), { messages })).messages[0].content).toEqual([
      { type: "text", text: "What is this?" },
      { type: "image_url", image_url: { url: pngUrl } },
      { type: "image_url", image_url: { url: "https://example.com/photo" } },
      { type: "file", file: { filename: "report.pdf", file_data: pdfUrl } },
    ]);
  });

  it("reach OpenAI's responses", async () => {
    expect((await send(responses(), response(), { messages })).input[0].content).toEqual([
      { type: "input_text", text: "What is this?" },
      { type: "input_image", image_url: pngUrl },
      { type: "input_image", image_url: "https://example.com/photo" },
      { type: "input_file", filename: "report.pdf", file_data: pdfUrl },
    ]);
  });

  it("reach Anthropic", async () => {
    expect((await send(anthropic(), message(), { messages })).messages[0].content).toMatchObject([
      { type: "text", text: "What is this?" },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "aW1hZ2U=" } },
      { type: "image", source: { type: "url", url: "https://example.com/photo" } },
      { type: "document", title: "report.pdf", source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" } },
    ]);
  });

  it("reach Gemini", async () => {
    expect((await send(gemini(), answer(), { messages })).contents[0].parts).toMatchObject([
      { text: "What is this?" },
      { inlineData: { mimeType: "image/png", data: "aW1hZ2U=" } },
      { fileData: { fileUri: "https://example.com/photo" } },
      { inlineData: { mimeType: "application/pdf", data: "JVBERi0=" } },
    ]);
  });

  it("are written with a tag for packages of specification v4", async () => {
    const calls: any[] = [];
    const doGenerate = async (options: unknown) => {
      calls.push(options);
      return { content: [], finishReason: { unified: "stop" }, usage: {} };
    };
    await new AiSdkModel({ specificationVersion: "v4", provider: "acme", modelId: "m", doGenerate }).generate({ messages, tools: [] });

    expect(calls[0].prompt[0].content.slice(1)).toEqual([
      { type: "file", mediaType: "image/png", data: { type: "data", data: "aW1hZ2U=" } },
      { type: "file", mediaType: "image/jpeg", data: { type: "url", url: new URL("https://example.com/photo") } },
      { type: "file", mediaType: "application/pdf", filename: "report.pdf", data: { type: "data", data: "JVBERi0=" } },
    ]);
  });
});

describe("prompt caching", () => {
  /** The histories of three steps of one run: two calls, then one, then the answer. */
  const call = (id: string, city: string) => ({ id, name: "weather", arguments: JSON.stringify({ city }) });
  const result = (id: string): Message => ({ role: "tool", toolCallId: id, toolName: "weather", content: "Sunny." });
  const first: readonly Message[] = [{ role: "system", content: "Be brief." }, ...question];
  const second: readonly Message[] = [
    ...first,
    { role: "assistant", content: "I look.", toolCalls: [call("c1", "Paris"), call("c2", "Rome")] },
    result("c1"),
    result("c2"),
  ];
  const third: readonly Message[] = [...second, { role: "assistant", content: "", toolCalls: [call("c3", "Oslo")] }, result("c3")];

  it.each([
    ["OpenAI chat completions", openAi, chat, "messages"],
    ["OpenAI responses", responses, response, "input"],
    ["Anthropic", anthropic, message, "messages"],
    ["Gemini", gemini, answer, "contents"],
  ])("finds the prompt of each step of %s at the beginning of the next one's, byte for byte", async (_name, create, reply, key) => {
    const bodies = [];
    for (const messages of [first, second, third]) bodies.push(await send(create(), reply(), { messages, tools: [weather, forecast] }));
    const prompts = bodies.map((body) => JSON.stringify(body[key]).slice(0, -1));

    expect(prompts[1]!.startsWith(prompts[0]!)).toBe(true);
    expect(prompts[2]!.startsWith(prompts[1]!)).toBe(true);
    expect(new Set(bodies.map((body) => JSON.stringify(body.tools))).size).toBe(1);
  });

  const ephemeral = { type: "ephemeral" };

  it("marks the instructions and the last message for Anthropic if cachePrompt asks for it", async () => {
    const options = { cachePrompt: true };
    const body = await send(anthropic(), message(), { messages: second, tools: [weather], options });

    expect(body.system.at(-1).cache_control).toEqual(ephemeral);
    expect(body.messages.at(-1).content.at(-1)).toMatchObject({ tool_use_id: "c2", cache_control: ephemeral });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(2);
  });

  it("marks nothing unasked, and nothing for other providers, which cache by themselves", async () => {
    const options = { cachePrompt: true };

    expect(JSON.stringify(await send(anthropic(), message(), { messages: second }))).not.toContain("cache");
    expect(JSON.stringify(await send(openAi(), chat(), { messages: second, options }))).not.toMatch(/cache/i);
    expect(JSON.stringify(await send(gemini(), answer(), { messages: second, options }))).not.toMatch(/cache/i);
  });
});

describe("the count of input tokens", () => {
  const count = async (specificationVersion: string, result: object) => {
    const answered = { content: [], finishReason: "stop", ...result };
    const model = new AiSdkModel({
      specificationVersion,
      provider: "anthropic.messages",
      modelId: "m",
      doGenerate: async () => answered as any,
    });
    return (await model.generate({ messages: question, tools: [] })).usage;
  };

  it("includes what was read from a cache and what was written to it, in every specification", async () => {
    const inputTokens = { total: 20, noCache: 12, cacheRead: 5, cacheWrite: 3 };
    const uncached = { inputTokens: 20, cachedInputTokens: 5 };
    const counted = { ...uncached, cacheWriteInputTokens: 3 };

    expect(await count("v4", { usage: { inputTokens } })).toMatchObject(counted);
    expect(await count("v3", { usage: { inputTokens } })).toMatchObject(counted);
    // Version 2 of Anthropic's package counts 12, and tells the rest elsewhere.
    const providerMetadata = { anthropic: { cacheCreationInputTokens: 3 } };
    expect(await count("v2", { usage: { inputTokens: 12, cachedInputTokens: 5 }, providerMetadata })).toMatchObject(counted);
    expect(await count("v2", { usage: { inputTokens: 20, cachedInputTokens: 5 } })).toMatchObject(uncached);
  });

  it("reaches the usage of a run and its listeners, with what Anthropic wrote to its cache, streamed or not", async () => {
    server.play(message(), anthropicStream([{ type: "text", text: "Done." }]));
    const told: unknown[] = [];
    const listeners = [{ modelFinished: ({ response }: { response?: ChatResponse | undefined }) => void told.push(response?.usage) }];
    @model(anthropic(), { retries: 0 })
    class CountingAgent extends Agent {}
    const whole = await new CountingAgent().generate("Go.", { listeners });
    const streamed = await new CountingAgent().stream("Go.", { listeners }).response;

    expect(whole.usage).toMatchObject({ cachedInputTokens: 5, cacheWriteInputTokens: 0 });
    expect(streamed.usage).toMatchObject({ inputTokens: 20, cachedInputTokens: 5, cacheWriteInputTokens: 3 });
    expect(told).toEqual([whole.usage, streamed.usage].map((usage) => expect.objectContaining(usage)));
  });
});
