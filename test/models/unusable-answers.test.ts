import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { AiSdkModel, type ChatRequest, type ChatResponse, type ModelError, noUsage, withRetries } from "../../src/models/index.js";
import { fromProviderResponse } from "../../src/models/provider-tools/index.js";
import { createTool } from "../../src/tool/index.js";
import { ProviderServer } from "../support/provider-servers.js";

let server: ProviderServer;
beforeAll(async () => {
  server = await ProviderServer.start();
});
afterAll(() => server.close());

const models = {
  "an OpenAI-compatible server": () => createOpenAICompatible({ name: "acme", baseURL: server.url })("test"),
  "OpenAI's chat completions": () => createOpenAI({ apiKey: "key", baseURL: server.url }).chat("test"),
  "OpenAI's responses": () => createOpenAI({ apiKey: "key", baseURL: server.url })("test"),
  Anthropic: () => createAnthropic({ apiKey: "key", baseURL: server.url })("test"),
  Gemini: () => createGoogleGenerativeAI({ apiKey: "key", baseURL: server.url })("test"),
};
type Provider = keyof typeof models;
const providers = Object.keys(models) as Provider[];
const question: ChatRequest = { messages: [{ role: "user", content: "Hello" }], tools: [] };

/** The error of two attempts at one answer, and how often the provider was asked. */
async function ask(provider: Provider, body: string, streamed: boolean) {
  const reply = streamed ? { stream: `data: ${body}\n\n` } : { body };
  server.play(reply, reply);
  const asked = withRetries(new AiSdkModel(models[provider]()), { attempts: 2, sleep: async () => undefined });
  const error: ModelError = await asked.generate(streamed ? { ...question, onDelta: () => undefined } : question).then(
    (response) => {
      throw new Error(`This counts as an answer: ${JSON.stringify(response)}`);
    },
    (reason) => reason,
  );
  return { error, requests: server.requests.length };
}

describe.each([
  ["whole", false],
  ["streamed", true],
])("an answer with status 200, %s,", (_mode, streamed) => {
  const unreadable = ["null", "{}", '""', "[]", "<html>Bad gateway</html>", '{"candidates":[]}'];

  it.each([
    ...providers.flatMap((provider) => unreadable.map((body) => [provider, body] as const)),
    ...(["an OpenAI-compatible server", "OpenAI's chat completions"] as const).flatMap((provider) =>
      ['{"choices":[]}', '{"choices":null}'].map((body) => [provider, body] as const),
    ),
  ])("of %s that is %s is asked for again", async (provider, body) => {
    const { error, requests } = await ask(provider, body, streamed);

    expect(error).toMatchObject({ name: "ModelError", retryable: true });
    expect(requests).toBe(2);
  });

  it.each(providers)("of %s that is an error which passes is asked for again, and reported in the provider's words", async (provider) => {
    const body = '{"error":{"message":"Overloaded, try later","type":"overloaded_error","code":"overloaded"}}';
    const { error, requests } = await ask(provider, body, streamed);

    expect(error.message).toContain("Overloaded, try later");
    expect(requests).toBe(2);
  });

  it.each(providers)("of %s that is an error which stays is reported at once", async (provider) => {
    const { error, requests } = await ask(provider, '{"error":{"message":"Bad key","type":"invalid_request_error","code":401}}', streamed);

    expect(error).toMatchObject({ status: 401, retryable: false, message: expect.stringContaining("Bad key") });
    expect(requests).toBe(1);
  });

  it.each(providers)("of %s that is an error in plain text is asked for again", async (provider) => {
    const { error, requests } = await ask(provider, '{"error":"model is loading"}', streamed);

    expect(error.message).toContain("model is loading");
    expect(requests).toBe(2);
  });
});

const completion = (finish: unknown, message: object) =>
  JSON.stringify({ id: "x", created: 1, model: "m", choices: [{ index: 0, finish_reason: finish, message, delta: message }] });
const said = { role: "assistant", content: "Hi" };

describe.each([
  ["whole", false],
  ["streamed", true],
])("an answer, %s,", (_mode, streamed) => {
  const unfinished: readonly (readonly [string, Provider, string])[] = [
    ["without a finish reason", "an OpenAI-compatible server", completion(null, said)],
    ["without a finish reason", "OpenAI's chat completions", completion(null, said)],
    ["without a finish reason", "Gemini", '{"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"Hi"}]}}]}'],
    ["with an unknown finish reason", "OpenAI's chat completions", completion("weird", said)],
    ["with an unknown finish reason", "an OpenAI-compatible server", completion("weird", said)],
    ["that is empty and has an unknown finish reason", "Gemini", '{"candidates":[{"index":0,"finishReason":"BRAND_NEW","content":{}}]}'],
    ["that announces tool calls and has none", "an OpenAI-compatible server", completion("tool_calls", { ...said, tool_calls: [] })],
    ["that announces tool calls and has none", "OpenAI's chat completions", completion("tool_calls", { ...said, content: "" })],
  ];

  it.each(unfinished)("%s, of %s, is no success", async (_what, provider, body) => {
    @model(models[provider](), { retries: 0 })
    class Helper extends Agent {}

    server.play(streamed ? { stream: `data: ${body}\n\n` } : { body });
    const response = streamed ? await new Helper().stream("Hello").response : await new Helper().generate("Hello");

    expect(response.outcome.reason).toBe("model_error");
    expect(response.error).toMatchObject({ retryable: true });
  });

  it.each(["UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE", "MALFORMED_RESPONSE", "OTHER"])(
    "without content that Gemini ends with %s is no success",
    async (finishReason) => {
      @model(models.Gemini(), { retries: 0 })
      class Helper extends Agent {}

      const body = JSON.stringify({ candidates: [{ index: 0, finishReason }] });
      server.play(streamed ? { stream: `data: ${body}\n\n` } : { body });
      const response = streamed ? await new Helper().stream("Hello").response : await new Helper().generate("Hello");

      expect(response.outcome.reason).toBe("content_filter");
      expect(response.text).toBeUndefined();
    },
  );

  it("that is empty after stop is a success", async () => {
    @model(models["an OpenAI-compatible server"](), { retries: 0 })
    class Helper extends Agent {}

    const body = completion("stop", { role: "assistant", content: "" });
    server.play(streamed ? { stream: `data: ${body}\n\n` } : { body });
    const response = streamed ? await new Helper().stream("Hello").response : await new Helper().generate("Hello");

    expect(response).toMatchObject({ outcome: { reason: "success" }, text: "" });
  });
});

it.each(["tool_use_failed", "json_validate_failed"])(
  "Groq's %s is asked for again, because the model may write it better",
  async (code) => {
    const reply = { status: 400, body: { error: { message: "Failed to call a function.", type: "invalid_request_error", code } } };
    server.play(reply, reply);
    const asked = withRetries(new AiSdkModel(models["an OpenAI-compatible server"]()), { attempts: 2, sleep: async () => undefined });

    await expect(asked.generate(question)).rejects.toMatchObject({ status: 400, retryable: true });
    expect(server.requests).toHaveLength(2);
  },
);

describe("a stream that a package of the AI SDK 7 reports as interrupted", () => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
  const parts = [
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Sunny, but" },
    { type: "text-end", id: "1" },
    { type: "finish", finishReason: { unified: "interrupted", raw: undefined }, usage },
  ];
  const interrupted = {
    specificationVersion: "v4",
    provider: "acme.chat",
    modelId: "large",
    doGenerate: async () => ({ content: [{ type: "text", text: "Sunny, but" }], finishReason: { unified: "interrupted" }, usage }),
    doStream: async () => ({ stream: ReadableStream.from(parts) }),
  };

  it("is the retryable error of a stream that was cut off", async () => {
    const asked = new AiSdkModel(interrupted as never).generate({ ...question, onDelta: () => undefined });

    await expect(asked).rejects.toMatchObject({ retryable: true, message: "acme/large: the answer was cut off before its end" });
  });

  it.each([false, true])("is no success of an agent (streamed: %s)", async (streamed) => {
    @model(interrupted as never, { retries: 0 })
    class Helper extends Agent {}

    const response = streamed ? await new Helper().stream("Hello").response : await new Helper().generate("Hello");

    expect(response).toMatchObject({ outcome: { reason: "model_error" }, error: { retryable: true } });
    // What somebody has read already stays.
    expect(response.text).toBe(streamed ? "Sunny, but" : undefined);
  });
});

describe("calls of an answer whose finish reason isn't known", () => {
  const refunds: unknown[] = [];
  const refund = createTool("refund", "Refunds an order.", { type: "object" }, (input) => void refunds.push(input));
  const answer: ChatResponse = {
    text: "",
    toolCalls: [{ id: "c1", name: "refund", arguments: "{}" }],
    finishReason: "other",
    usage: noUsage,
  };

  it("don't run in an agent", async () => {
    @model({ id: "acme/test", generate: async () => answer }, { retries: 0 })
    @usesTools([refund])
    class Helper extends Agent {}

    const response = await new Helper().generate("Refund it");

    expect(response.outcome.reason).toBe("model_error");
    expect(refunds).toEqual([]);
  });

  it("are refused by fromProviderResponse", () => {
    const call = { id: "c1", type: "function", function: { name: "refund", arguments: "{}" } };
    const read = fromProviderResponse({ choices: [{ finish_reason: "weird", message: { tool_calls: [call] } }] }, [refund], "openai-chat");

    expect(read).toMatchObject({ finishReason: "other", calls: [], refused: [{ id: "c1", content: expect.stringMatching(/^Not run: /) }] });
  });
});
