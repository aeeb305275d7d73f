/** The tools that Google, xAI and Groq run, with the real packages: what is sent, what comes back, and what goes out again. */
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createGroq } from "@ai-sdk/groq";
import { createXai } from "@ai-sdk/xai";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import type { AgentTools } from "../../src/agent/index.js";
import type { AiSdkLanguageModel, Message } from "../../src/models/index.js";
import { createTool, providerTool } from "../../src/tool/index.js";
import { chatCompletion, openAiResponse, ProviderServer, type ServerReply } from "../support/provider-servers.js";

const now = createTool({ name: "now", description: "Tells the time.", inputSchema: { type: "object" }, execute: () => "noon" });

describe("tools that other providers run", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  const settings = () => ({ apiKey: "key", baseURL: server.url });
  const agentOn = (asked: AiSdkLanguageModel, tools: AgentTools): Agent => {
    @model(asked, { retries: 0 })
    @usesTools(tools)
    class SearchingAgent extends Agent {}
    return new SearchingAgent();
  };
  const sent = (index: number) => server.requests[index]?.body;
  const nextOf = async (agent: Agent, asked: AiSdkLanguageModel, tools: AgentTools, reply: ServerReply): Promise<void> => {
    const later = agentOn(asked, tools);
    later.restore(JSON.parse(JSON.stringify(agent.messages)) as Message[]);
    server.play(reply);
    expect((await later.generate("And now?")).reason).toBe("success");
  };

  describe("Gemini", () => {
    const gemini = () => createGoogleGenerativeAI(settings())("gemini-3-pro");
    const answer = (parts: readonly object[], more: object = {}): ServerReply => ({
      body: {
        candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0, ...more }],
        usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 9, totalTokenCount: 29 },
      },
    });

    it("searches, and names its sources", async () => {
      const tools = [providerTool("google/google_search")];
      const groundingMetadata = {
        webSearchQueries: ["news"],
        groundingChunks: [{ web: { uri: "https://news.example/", title: "News" } }],
      };
      server.play(answer([{ text: "Rain." }], { groundingMetadata }));
      const agent = agentOn(gemini(), tools);
      const response = await agent.generate("News?");
      expect(sent(0).tools).toEqual([{ googleSearch: {} }]);
      expect([response.text, response.steps[0]?.sources]).toEqual(["Rain.", [{ url: "https://news.example/", title: "News" }]]);
      await nextOf(agent, gemini(), tools, answer([{ text: "Sun." }]));
      expect(sent(0).contents[1]).toEqual({ role: "model", parts: [{ text: "Rain." }] });
    });

    it("runs code, which this version of its package can't send back: only the text goes", async () => {
      const tools = [providerTool("google/code_execution")];
      const parts = [
        { executableCode: { language: "PYTHON", code: "print(6*7)" } },
        { codeExecutionResult: { outcome: "OUTCOME_OK", output: "42\n" } },
        { text: "It is 42." },
      ];
      server.play(answer(parts));
      const agent = agentOn(gemini(), tools);
      const response = await agent.generate("6*7?");
      expect(sent(0).tools).toEqual([{ codeExecution: {} }]);
      expect(response.steps[0]?.providerCalls).toEqual([
        expect.objectContaining({
          name: "code_execution",
          arguments: JSON.stringify(parts[0]?.executableCode),
          result: parts[1]?.codeExecutionResult,
        }),
      ]);
      expect(response.reason).toBe("success");
      await nextOf(agent, gemini(), tools, answer([{ text: "Still 42." }]));
      expect(sent(0).contents[1]).toEqual({ role: "model", parts: [{ text: "It is 42." }] });
    });
  });

  describe("xAI", () => {
    const grok = () => createXai(settings()).responses("grok-4");
    const said = {
      type: "message",
      role: "assistant",
      id: "msg_1",
      status: "completed",
      content: [{ type: "output_text", text: "Rain.", annotations: [] }],
    };
    const search = {
      type: "web_search_call",
      id: "ws_1",
      name: "web_search",
      arguments: '{"query":"news"}',
      call_id: "",
      status: "completed",
    };

    it("searches beside own tools; its package sends only the text back", async () => {
      const tools = [now, providerTool("xai/web_search"), providerTool("xai/x_search")];
      server.play(openAiResponse([search, said]));
      const agent = agentOn(grok(), tools);
      const response = await agent.generate("News?");
      expect(sent(0).tools).toEqual([
        expect.objectContaining({ type: "function", name: "now" }),
        { type: "web_search" },
        { type: "x_search" },
      ]);
      expect(response.reason).toBe("success");
      expect(response.steps[0]?.providerCalls).toEqual([
        expect.objectContaining({ id: "ws_1", name: "web_search", arguments: '{"query":"news"}' }),
      ]);
      await nextOf(agent, grok(), tools, openAiResponse([said]));
      expect(sent(0).input.slice(1, 2)).toEqual([{ role: "assistant", content: "Rain." }]);
    });
  });

  describe("Groq", () => {
    const groq = () => createGroq(settings())("openai/gpt-oss-120b");

    it("browses", async () => {
      const tools = [now, providerTool("groq/browser_search")];
      server.play(chatCompletion({ text: "Rain." }));
      const agent = agentOn(groq(), tools);
      expect((await agent.generate("News?")).text).toBe("Rain.");
      expect(sent(0).tools).toEqual([expect.objectContaining({ type: "function" }), { type: "browser_search" }]);
      await nextOf(agent, groq(), tools, chatCompletion({ text: "Sun." }));
      expect(sent(0).messages[1]).toMatchObject({ role: "assistant", content: "Rain." });
    });
  });
});
