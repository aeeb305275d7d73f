import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { type AiSdkLanguageModel, AiSdkModel, type ChatRequest, ModelError } from "../../src/models/index.js";
import { chatCompletion, ProviderServer, type ServerReply } from "../support/provider-servers.js";

const question: ChatRequest = { messages: [{ role: "user", content: "Weather in Paris?" }], tools: [] };
const answer = { content: [{ type: "text", text: "Sunny." }], finishReason: "stop", usage: {} };

/** A language-model object as a provider package makes it; keeps the options of each call. */
function languageModel(settings: Partial<AiSdkLanguageModel> & { result?: unknown } = {}) {
  const calls: any[] = [];
  const doGenerate = async (options: unknown): Promise<any> => {
    calls.push(options);
    return settings.result ?? answer;
  };
  return { specificationVersion: "v4", provider: "acme.chat", modelId: "large", doGenerate, calls, ...settings };
}

async function failure(promise: Promise<unknown>): Promise<ModelError> {
  const error = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(ModelError);
  return error;
}

describe("AiSdkModel", () => {
  it.each(["v2", "v3", "v4"])("takes language models of specification %s", async (specificationVersion) => {
    const model = new AiSdkModel(languageModel({ specificationVersion }));

    expect(model.id).toBe("acme/large");
    expect((await model.generate(question)).text).toBe("Sunny.");
  });

  it("refuses other specifications, and says which it takes", () => {
    expect(() => new AiSdkModel(languageModel({ specificationVersion: "v1" }))).toThrow(
      'acme/large: specification "v1" of the AI SDK\'s language models is not supported; v2, v3 and v4 are.',
    );
  });

  it.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content-filter", "content_filter"],
    ["error", "error"],
    ["unknown", "other"],
    ["something new", "other"],
  ])("reads the finish reason %s as %s, as a word (v2) and as an object (v3, v4)", async (theirs, ours) => {
    const plain = new AiSdkModel(languageModel({ result: { ...answer, finishReason: theirs } }));
    const unified = new AiSdkModel(languageModel({ result: { ...answer, finishReason: { unified: theirs, raw: "x" } } }));

    expect((await plain.generate(question)).finishReason).toBe(ours);
    expect((await unified.generate(question)).finishReason).toBe(ours);
  });

  it("calls a step with calls tool_calls if the provider says stop, but keeps length, since the last call may be cut", async () => {
    const content = [{ type: "tool-call", toolCallId: "c1", toolName: "weather", input: "{}" }];
    const stopped = new AiSdkModel(languageModel({ result: { ...answer, content, finishReason: "stop" } }));
    const cut = new AiSdkModel(languageModel({ result: { ...answer, content, finishReason: "length" } }));

    expect((await stopped.generate(question)).finishReason).toBe("tool_calls");
    expect((await cut.generate(question)).finishReason).toBe("length");
  });

  it.each([
    ["tool-calls", "content_filter", "content_filter"],
    ["other", "UNEXPECTED_TOOL_CALL", "content_filter"],
    ["stop", "refusal", "content_filter"],
    ["other", "model_length", "length"],
    ["other", "error", "error"],
    ["other", "eos", "tool_calls"],
  ])("reads a step with calls that a package calls %s by the provider's own word %s", async (unified, raw, ours) => {
    const content = [{ type: "tool-call", toolCallId: "c1", toolName: "weather", input: "{}" }];
    const model = new AiSdkModel(languageModel({ result: { ...answer, content, finishReason: { unified, raw } } }));

    expect((await model.generate(question)).finishReason).toBe(ours);
  });

  it("counts 0 tokens if the provider reports none", async () => {
    expect((await new AiSdkModel(languageModel()).generate(question)).usage).toEqual({
      inputTokens: 0,
      outputTokens: 0,
      cachedInputTokens: 0,
      reasoningTokens: 0,
    });
  });

  it("leaves out calls that the provider ran itself, and parts of kinds that it doesn't know", async () => {
    const content = [
      { type: "tool-call", toolCallId: "p1", toolName: "web_search", input: "{}", providerExecuted: true },
      { type: "source", sourceType: "url", id: "s1", url: "https://example.com" },
      { type: "text", text: "Found it." },
    ];

    expect(await new AiSdkModel(languageModel({ result: { ...answer, content } })).generate(question)).toMatchObject({
      text: "Found it.",
      toolCalls: [],
    });
  });

  it("takes arguments that a provider sends as an object instead of text", async () => {
    const content = [{ type: "tool-call", toolCallId: "c1", toolName: "weather", input: { city: "Paris" } }];

    expect((await new AiSdkModel(languageModel({ result: { ...answer, content } })).generate(question)).toolCalls[0]?.arguments).toBe(
      '{"city":"Paris"}',
    );
  });

  it.each(["not json at all", "[1, 2]", "null", '"text"'])(
    "sends the unreadable arguments %s back as an empty object, since providers take only objects",
    async (text) => {
      const double = languageModel();
      await new AiSdkModel(double).generate({
        messages: [
          { role: "assistant", content: "", toolCalls: [{ id: "c1", name: "weather", arguments: text }] },
          { role: "tool", toolCallId: "c1", toolName: "weather", content: "Invalid arguments", errorType: "validation_error" },
        ],
        tools: [],
      });

      expect(double.calls[0].prompt[0].content).toEqual([{ type: "tool-call", toolCallId: "c1", toolName: "weather", input: {} }]);
    },
  );

  it("asks the provider nothing for a request that is aborted already", async () => {
    const double = languageModel();

    await expect(new AiSdkModel(double).generate({ ...question, abortSignal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
    expect(double.calls).toHaveLength(0);
  });
});

describe("when the provider fails, AiSdkModel throws a ModelError", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  const secret = "sk-proj-0123456789abcdefghij";
  const model = () => new AiSdkModel(createOpenAI({ apiKey: secret, baseURL: server.url }).chat("gpt-4o"));
  const failedBy = (reply: ServerReply) => {
    server.play(reply);
    return failure(model().generate(question));
  };
  const errorBody = (message: string, code?: string) => ({ error: { message, type: "some_error", param: null, code } });

  it("that is retryable and has the delay of a retry-after header in seconds (429)", async () => {
    const error = await failedBy({ status: 429, headers: { "retry-after": "7" }, body: errorBody("Rate limit reached") });

    expect(error).toMatchObject({
      modelId: "openai/gpt-4o",
      message: "openai/gpt-4o: HTTP 429: Rate limit reached",
      status: 429,
      retryable: true,
      retryAfter: 7_000,
    });
  });

  it("that reads retry-after-ms before Retry-After", async () => {
    const error = await failedBy({ status: 429, headers: { "retry-after": "7", "retry-after-ms": "150" }, body: errorBody("Slow down") });

    expect(error.retryAfter).toBe(150);
  });

  it("that reads Retry-After as a date, and one that is past as no wait", async () => {
    const inAnHour = await failedBy({
      status: 503,
      headers: { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() },
      body: errorBody("Overloaded"),
    });
    const past = await failedBy({ status: 503, headers: { "retry-after": new Date(0).toUTCString() }, body: errorBody("Overloaded") });

    expect(inAnHour.retryAfter).toBeGreaterThan(3_500_000);
    expect(inAnHour.retryAfter).toBeLessThanOrEqual(3_600_000);
    expect(past.retryAfter).toBe(0);
  });

  it("that has no wait if Retry-After can't be read", async () => {
    const error = await failedBy({ status: 429, headers: { "retry-after": "soon" }, body: errorBody("Slow down") });

    expect(error.retryAfter).toBeUndefined();
  });

  it.each([500, 502, 529])("that is retryable for status %d", async (status) => {
    expect(await failedBy({ status, body: errorBody("Internal error") })).toMatchObject({ status, retryable: true });
  });

  it.each([400, 401, 403, 404, 422])("that is not retryable for status %d", async (status) => {
    expect(await failedBy({ status, body: errorBody("No") })).toMatchObject({ status, retryable: false });
  });

  it("that is not retryable if the account has no credit left, although the status is 429", async () => {
    expect(await failedBy({ status: 429, body: errorBody("You exceeded your current quota", "insufficient_quota") })).toMatchObject({
      retryable: false,
    });
  });

  it("that is retryable if the connection breaks before the answer", async () => {
    expect((await failedBy("break")).retryable).toBe(true);
  });

  it("that is retryable if the connection breaks within the answer", async () => {
    expect((await failedBy("break in the body")).retryable).toBe(true);
  });

  it("that is retryable if nothing listens", async () => {
    const nobody = new AiSdkModel(createOpenAI({ apiKey: secret, baseURL: "http://127.0.0.1:1" }).chat("gpt-4o"));

    expect(await failure(nobody.generate(question))).toMatchObject({
      retryable: true,
      message: expect.stringContaining("openai/gpt-4o: "),
    });
  });

  it("that is retryable if the body is cut off, or whole but of another shape", async () => {
    expect((await failedBy({ body: '{"id": "chatcmpl-1", "choi' })).retryable).toBe(true);
    expect(await failedBy({ body: { unexpected: true } })).toMatchObject({
      retryable: true,
      message: "openai/gpt-4o: HTTP 200: the answer isn't in the form of the provider's API: {\"unexpected\":true}",
    });
  });

  it("that shows no key, even if the provider echoes it, and no header", async () => {
    const error = await failedBy({
      status: 401,
      body: errorBody(`Incorrect API key provided: ${secret}. Sent: Authorization: Bearer ${secret}`),
    });

    expect(error.message).toContain("Incorrect API key provided: [redacted]");
    expect(error.message).not.toContain("0123456789");
  });

  it("that names the variable to set if the key is missing, at the first call", async () => {
    const before = process.env.ANTHROPIC_API_KEY;
    delete process.env.ANTHROPIC_API_KEY;
    const error = await failure(new AiSdkModel(createAnthropic({ baseURL: server.url })("claude-sonnet-4-5")).generate(question));
    if (before !== undefined) process.env.ANTHROPIC_API_KEY = before;

    expect(error).toMatchObject({ retryable: false, message: expect.stringContaining("ANTHROPIC_API_KEY") });
  });

  it("but passes the reason of an abort through, while the provider hangs", async () => {
    server.play("hang");
    const controller = new AbortController();
    const pending = model().generate({ ...question, abortSignal: controller.signal });
    setTimeout(() => controller.abort(), 20);

    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
  });

  it("and answers again on the next call", async () => {
    await failedBy({ status: 500, body: errorBody("Internal error") });
    server.play(chatCompletion({ text: "Sunny." }));

    expect((await model().generate(question)).text).toBe("Sunny.");
  });
});
