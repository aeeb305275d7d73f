import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { type AiSdkLanguageModel, AiSdkModel, type ChatRequest, type Message, type ModelTool } from "../../src/models/index.js";
import { WireCallIds } from "../../src/models/ai-sdk/history/wire-call-ids.js";
import { createTool } from "../../src/tool/index.js";
import { loadPackages, type ProviderPackages } from "../support/histories/models.js";
import { replyOn } from "../support/histories/replies.js";
import type { Wire } from "../support/histories/rules.js";
import { ProviderServer } from "../support/provider-servers.js";

const done = { text: "Done.", calls: [] };

const search: ModelTool = { name: "search", description: "Searches. Use when asked to.", parameters: { type: "object", properties: {} } };
const called = (...ids: string[]): Message => ({
  role: "assistant",
  content: "",
  toolCalls: ids.map((id) => ({ id, name: "search", arguments: "{}" })),
});
const result = (toolCallId: string, content = "found"): Message => ({ role: "tool", toolCallId, toolName: "search", content });
const user = (content: string): Message => ({ role: "user", content });

describe("a history on the wire", () => {
  let server: ProviderServer;
  let packages: ProviderPackages;
  beforeAll(async () => {
    packages = await loadPackages();
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  const settings = () => ({ apiKey: "test-key", baseURL: server.url, region: "us-east-1", name: "local" });
  const make: Partial<Record<Wire, () => AiSdkLanguageModel>> = {
    mistral: () => packages.createMistral(settings())("mistral-large-latest"),
    anthropic: () => createAnthropic({ apiKey: "test-key", baseURL: server.url })("claude-sonnet-4-5"),
    openai: () => createOpenAI({ apiKey: "test-key", baseURL: server.url }).chat("gpt-5-mini"),
    google: () => packages.createGoogleGenerativeAI({ apiKey: "test-key", baseURL: server.url })("gemini-2.5-flash"),
    "amazon-bedrock": () => packages.createAmazonBedrock(settings())("anthropic.claude-sonnet-4-5-20250929-v1:0"),
    "openai-compatible": () => packages.createOpenAICompatible(settings())("kimi-k2"),
  };
  /** The body of the request that a history becomes. */
  const sent = async (wire: Wire, messages: readonly Message[], rest: Partial<ChatRequest> = {}) => {
    server.play({ body: replyOn(wire, done) });
    await new AiSdkModel(make[wire]?.() as AiSdkLanguageModel).generate({ messages, tools: [search], ...rest });
    return server.requests[0]?.body;
  };
  const idsIn = (body: { messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[] }) => ({
    calls: body.messages.flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id)),
    results: body.messages.flatMap(({ tool_call_id = [] }) => tool_call_id),
  });

  describe("ids of calls", () => {
    const foreign = [user("Go"), called("toolu_01A.b", "toolu_01A:b"), result("toolu_01A.b"), result("toolu_01A:b")];

    it("have nine letters and digits for Mistral, the same for call and result", async () => {
      const { calls, results } = idsIn(await sent("mistral", foreign));

      expect(calls).toEqual([expect.stringMatching(/^[a-zA-Z0-9]{9}$/), expect.stringMatching(/^[a-zA-Z0-9]{9}$/)]);
      expect(new Set(calls).size).toBe(2);
      expect(results).toEqual(calls);
    });

    it("stay the same in each later request", async () => {
      const first = idsIn(await sent("mistral", foreign)).calls;
      const later = idsIn(await sent("mistral", [...foreign, called("abcdefghi", "call_9"), result("abcdefghi"), result("call_9")])).calls;

      expect(later.slice(0, 2)).toEqual(first);
      expect(later[2]).toBe("abcdefghi");
    });

    it("differ when an id is the one that an earlier foreign id became", async () => {
      const taken = idsIn(await sent("mistral", foreign)).calls[0] as string;
      const { calls, results } = idsIn(await sent("mistral", [...foreign, called(taken), result(taken)]));

      expect(new Set(calls).size).toBe(3);
      expect(calls[0]).toBe(taken);
      expect(results).toEqual(calls);
    });

    it("differ when two foreign ids would become the same", () => {
      const ids = new WireCallIds({ legal: /^never$/, make: (text) => (/^\d/.test(text) ? `other${text[0]}` : "same") });

      expect(["a", "b", "c", "a", "b"].map((id) => ids.toWire(id))).toEqual(["same", "other1", "other2", "same", "other1"]);
    });

    it("of legal form stay as they are, and those of Kimi on a compatible server", async () => {
      const kimi = "functions.search:0";
      expect(idsIn(await sent("openai-compatible", [user("Go"), called(kimi), result(kimi)])).calls).toEqual([kimi]);
      expect(idsIn(await sent("openai", [user("Go"), called("call_1"), result("call_1")])).calls).toEqual(["call_1"]);
    });

    it("have 40 characters at most for OpenAI, and none but letters, digits, _ and - for Anthropic", async () => {
      const long = "x".repeat(80);
      expect(idsIn(await sent("openai", [user("Go"), called(long), result(long)])).calls[0]?.length).toBeLessThanOrEqual(40);
      const { messages } = await sent("anthropic", [user("Go"), called("functions.search:0"), result("functions.search:0")]);
      const { id } = messages[1].content[0];
      expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
      expect(messages[2].content[0].tool_use_id).toBe(id);
    });
  });

  it("answers a tool's result before the user goes on, for Mistral and for Mistral's models elsewhere", async () => {
    const history = [user("Go"), called("call_1"), result("call_1"), user("Stop")];

    expect((await sent("mistral", history)).messages.slice(2)).toEqual([
      expect.objectContaining({ role: "tool" }),
      { role: "assistant", content: "(no answer)" },
      { role: "user", content: [{ type: "text", text: "Stop" }] },
    ]);
    expect((await sent("openai", history)).messages).toHaveLength(4);
    server.play({ body: replyOn("openai-compatible", done) });
    await new AiSdkModel(packages.createOpenAICompatible(settings())("mistralai/devstral-small")).generate({
      messages: history,
      tools: [search],
    });
    expect(server.requests[0]?.body.messages.map(({ role }: { role: string }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "user",
    ]);
  });

  it.each(["anthropic", "amazon-bedrock", "google", "mistral"] as const)(
    "has the model's turns between the user's for %s",
    async (wire) => {
      const said = (content: string): Message => ({ role: "assistant", content });
      const body = await sent(wire, [said("Hello, I am Bot."), user("Hi"), said("One"), said("Two")]);
      const turns = body.messages ?? body.contents;

      expect(turns.map(({ role }: { role: string }) => role.replace("model", "assistant"))).toEqual([
        ...["user", "assistant", "user", "assistant", "user", "assistant", "user"],
      ]);
    },
  );

  it.each(["amazon-bedrock", "google", "mistral"] as const)("has its system messages first for %s", async (wire) => {
    const body = await sent(wire, [
      user("Hi"),
      { role: "assistant", content: "Hello" },
      { role: "system", content: "Be brief." },
      user("Go"),
    ]);

    expect(JSON.stringify(body.system ?? body.systemInstruction ?? body.messages[0])).toContain("Be brief.");
  });

  it.each(["anthropic", "amazon-bedrock"] as const)("has no blank text and no blank result for %s", async (wire) => {
    const blankCall: Message = { ...called("call_1"), content: " \n" } as Message;
    const { messages } = await sent(wire, [user(" "), blankCall, result("call_1", ""), { role: "assistant", content: "\n" }, user("Go")]);
    const texts = JSON.stringify(messages);

    expect(texts).not.toMatch(/"(text|content)":"\s*"/);
    expect(texts).not.toMatch(/"text":"(\\n| )*"/);
    expect(texts).toContain("(no output)");
    expect(messages).toHaveLength(3);
  });

  it("ends with a text after thinking, which Anthropic wants", async () => {
    server.play({ body: { ...replyOn("anthropic", { text: " ", calls: [] }) } }, { body: replyOn("anthropic", done) });
    @model(make.anthropic?.() as AiSdkLanguageModel)
    class ThinkingAgent extends Agent {}
    const agent = new ThinkingAgent();
    await agent.generate("Think");
    await agent.generate("Go on");

    expect(server.requests[1]?.body.messages[1].content).toEqual([
      { type: "thinking", thinking: "", signature: "signed" },
      { type: "text", text: "(no text)" },
    ]);
    expect(agent.messages[1]?.content).toBe(" ");
  });

  it("keeps the signed thinking beside a call whose id was given twice", async () => {
    const call = { id: "toolu_1", name: "search", arguments: {} };
    const step = { body: replyOn("anthropic", { text: "", calls: [call] }) };
    server.play(step, step, { body: replyOn("anthropic", done) });
    const tool = createTool({
      name: "search",
      description: "Searches. Use when asked to.",
      inputSchema: search.parameters,
      execute: () => "found",
    });
    @model(make.anthropic?.() as AiSdkLanguageModel)
    @usesTools([tool])
    class SearchAgent extends Agent {}
    await new SearchAgent().generate("Go");

    const [, first, , second] = server.requests[2]?.body.messages ?? [];
    expect([first, second].map(({ content }) => content.map(({ type }: { type: string }) => type))).toEqual([
      ["thinking", "tool_use"],
      ["thinking", "tool_use"],
    ]);
    expect(second.content[1].id).not.toBe(first.content[1].id);
  });

  describe("of Bedrock", () => {
    const history = [user("Go"), called("call_1"), result("call_1"), user("And?")];
    const blocks = (body: { messages: { content: object[] }[] }) =>
      body.messages.flatMap(({ content }) => content.flatMap((block) => Object.keys(block)));

    it("keeps calls and results, with the tools declared, when no tool may be called", async () => {
      const body = await sent("amazon-bedrock", history, { toolChoice: "none" });

      expect(blocks(body)).toEqual(["text", "toolUse", "toolResult", "text"]);
      expect(body.toolConfig).toEqual({
        tools: [
          {
            toolSpec: {
              name: "search",
              description: "Not available now. Answer without calling it.",
              inputSchema: { json: { type: "object", properties: {} } },
            },
          },
        ],
      });
    });

    it("keeps them when there are no tools any more", async () => {
      const body = await sent("amazon-bedrock", history, { tools: [] });

      expect(blocks(body)).toEqual(["text", "toolUse", "toolResult", "text"]);
      expect(body.toolConfig.tools.map(({ toolSpec }: { toolSpec: { name: string } }) => toolSpec.name)).toEqual(["search"]);
    });

    it("declares nothing when nothing was called", async () => {
      expect((await sent("amazon-bedrock", [user("Go")], { toolChoice: "none" })).toolConfig).toBeUndefined();
    });

    it("refuses a call in a step in which none is allowed", async () => {
      const call = { id: "call_1", name: "search", arguments: {} };
      const step = { body: replyOn("amazon-bedrock", { text: "", calls: [call] }) };
      server.play(step, { body: replyOn("amazon-bedrock", done) });
      let runs = 0;
      const tool = createTool({
        name: "search",
        description: "Searches. Use when asked to.",
        inputSchema: search.parameters,
        execute: () => {
          runs += 1;
          return "found";
        },
      });
      @model(make["amazon-bedrock"]?.() as AiSdkLanguageModel)
      @usesTools([tool])
      class SearchAgent extends Agent {}
      const response = await new SearchAgent().generate("Go", { toolChoice: "none" });

      expect(runs).toBe(0);
      expect(response.steps[0]?.toolCalls[0]?.errorType).toBe("unknown_tool");
      expect(response.text).toBe("Done.");
    });
  });
});
