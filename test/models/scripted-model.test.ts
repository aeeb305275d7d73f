import { Agent, model as modelOf, usesTools } from "../../src/agent/index.js";
import { addUsage, type ChatRequest, type ModelDelta, ModelError, noUsage, ScriptedModel } from "../../src/models/index.js";
import { providerTool } from "../../src/tool/index.js";

const request = (...texts: string[]): ChatRequest => ({
  messages: texts.map((content) => ({ role: "user", content })),
  tools: [{ name: "weather", description: "Gets the weather.", parameters: { type: "object" } }],
});

describe("ScriptedModel", () => {
  it("answers one step of its script per call", async () => {
    const model = new ScriptedModel([{ toolCalls: [{ name: "weather", arguments: { city: "Paris" } }] }, "It is sunny."]);

    expect(await model.generate(request("Weather?"))).toEqual({
      text: "",
      toolCalls: [{ id: "call_1", name: "weather", arguments: '{"city":"Paris"}' }],
      finishReason: "tool_calls",
      usage: noUsage,
    });
    expect(await model.generate(request("Weather?"))).toEqual({
      text: "It is sunny.",
      toolCalls: [],
      finishReason: "stop",
      usage: noUsage,
    });
  });

  it("makes up call ids that never repeat, unless the script gives them", async () => {
    const model = new ScriptedModel([
      { toolCalls: [{ name: "weather" }, { name: "weather", id: "mine" }] },
      { toolCalls: [{ name: "weather" }] },
    ]);

    expect((await model.generate(request())).toolCalls.map((call) => call.id)).toEqual(["call_1", "mine"]);
    expect((await model.generate(request())).toolCalls.map((call) => call.id)).toEqual(["call_3"]);
  });

  it("passes raw argument text through, so that a test can send malformed text", async () => {
    const model = new ScriptedModel([{ toolCalls: [{ name: "weather", arguments: '{"city": ' }] }]);

    expect((await model.generate(request())).toolCalls[0]?.arguments).toBe('{"city": ');
  });

  it("throws the error of a step, and goes on with the next", async () => {
    const error = new ModelError("scripted/model", "overloaded", { retryable: true, status: 529 });
    const model = new ScriptedModel([{ error }, "Here again."]);

    await expect(model.generate(request())).rejects.toBe(error);
    expect((await model.generate(request())).text).toBe("Here again.");
  });

  it("computes a step from the request, also asynchronously, and a computed step may fail", async () => {
    const model = new ScriptedModel([
      ({ messages }) => ({ text: `saw ${messages.length}` }),
      async ({ tools }) => `offered ${tools[0]?.name}`,
      () => ({ error: new Error("down") }),
    ]);

    expect((await model.generate(request("a", "b"))).text).toBe("saw 2");
    expect((await model.generate(request())).text).toBe("offered weather");
    await expect(model.generate(request())).rejects.toThrow("down");
  });

  it("keeps every request as it was at the time of the call", async () => {
    const model = new ScriptedModel(["one", "two"]);
    const messages: ChatRequest["messages"][number][] = [{ role: "user", content: "first" }];
    await model.generate({ messages, tools: [] });
    messages.push({ role: "user", content: "second" });
    await model.generate({ messages, tools: [] });

    expect(model.requests.map((sent) => sent.messages.length)).toEqual([1, 2]);
  });

  it("says so when the script is over", async () => {
    const model = new ScriptedModel(["only"]);
    await model.generate(request());

    await expect(model.generate(request())).rejects.toThrow("the script has 1 step(s), and the model was called once more");
  });

  it("takes no step for an aborted request", async () => {
    const model = new ScriptedModel(["kept"]);

    await expect(model.generate({ ...request(), abortSignal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
    expect((await model.generate(request())).text).toBe("kept");
  });

  it("reports finish reason, usage, reasoning and provider metadata as scripted", async () => {
    const model = new ScriptedModel(
      [{ text: "Cut", finishReason: "length", usage: { inputTokens: 12 }, reasoning: "Hm.", providerMetadata: { some: { id: "1" } } }],
      { id: "test/mine" },
    );

    expect(model.id).toBe("test/mine");
    expect(await model.generate(request())).toEqual({
      text: "Cut",
      toolCalls: [],
      finishReason: "length",
      usage: { inputTokens: 12, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
      reasoning: "Hm.",
      providerMetadata: { some: { id: "1" } },
    });
  });
});

describe("ScriptedModel, if somebody listens", () => {
  const toolCalls = [
    { id: "c1", name: "weather", arguments: { city: "Saint-Étienne 🏔️" } },
    { id: "c2", name: "weather", arguments: "" },
  ];

  it("streams its reasoning and text by words and its arguments in pieces, which make up the response", async () => {
    const deltas: ModelDelta[] = [];
    const model = new ScriptedModel([{ reasoning: "Two cities.", text: "  I look,\nthen tell. ", toolCalls }]);
    const response = await model.generate({ ...request(), onDelta: (delta) => deltas.push(delta) });

    const told = (type: string) => deltas.flatMap((delta) => (delta.type !== "tool_call" && delta.type === type ? [delta.text] : []));
    const written = (index: number) =>
      deltas.flatMap((delta) => (delta.type === "tool_call" && delta.index === index ? [delta.arguments] : []));
    expect(told("reasoning")).toEqual(["Two ", "cities."]);
    expect(told("text")).toEqual(["  I ", "look,\n", "then ", "tell. "]);
    expect(response.text).toBe(told("text").join(""));
    expect(written(0).length).toBeGreaterThan(2);
    expect(written(0).join("")).toBe(response.toolCalls[0]?.arguments);
    expect(written(1)).toEqual([""]);
  });

  it("stops telling when the request is aborted", async () => {
    const controller = new AbortController();
    const heard: ModelDelta[] = [];
    const onDelta = (delta: ModelDelta) => {
      heard.push(delta);
      controller.abort();
    };

    await expect(
      new ScriptedModel(["One two three."]).generate({ ...request(), onDelta, abortSignal: controller.signal }),
    ).rejects.toMatchObject({ name: "AbortError" });
    expect(heard).toEqual([{ type: "text", text: "One " }]);
  });
});

describe("addUsage", () => {
  it("sums every kind of token", () => {
    const usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 3, reasoningTokens: 4 };
    expect(addUsage(usage, addUsage(usage, noUsage))).toEqual({
      inputTokens: 2,
      outputTokens: 4,
      cachedInputTokens: 6,
      reasoningTokens: 8,
    });
  });
});

describe("calls of a provider in a script", () => {
  it("reach the step, its sources and the limits of the run, and the tool needs no provider", async () => {
    const model = new ScriptedModel([
      {
        text: "Rain.",
        providerCalls: [{ name: "web_search", arguments: { query: "news" }, result: [{ url: "https://news.example/" }] }],
        sources: [{ url: "https://news.example/" }],
      },
    ]);
    @modelOf(model)
    @usesTools([providerTool("anthropic/web_search")])
    class SearchingAgent extends Agent {}
    const response = await new SearchingAgent().generate("News?", { budget: { callsPerTool: { web_search: 1 } } });
    expect(response.steps[0]).toMatchObject({
      providerCalls: [{ id: "call_1", name: "web_search", arguments: '{"query":"news"}', result: [{ url: "https://news.example/" }] }],
      sources: [{ url: "https://news.example/" }],
      toolCalls: [],
    });
  });
});
