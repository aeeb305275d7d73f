/** What the real packages send if an agent has deferred tools, and its model finds one. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, type AgentTools, model, usesTools } from "../../src/agent/index.js";
import { type AiSdkLanguageModel, AiSdkModel, type Message, ModelError, type ModelReference } from "../../src/models/index.js";
import { createTool, deferred, type ToolClass } from "../../src/tool/index.js";
import { anthropicMessage, geminiAnswer, openAiResponse, ProviderServer } from "../support/provider-servers.js";

const inputSchema = { type: "object", properties: { order: { type: "string" } } } as const;
const toolNamed = (name: string, description = `Does ${name}. Use when asked to.`): ToolClass =>
  createTool({ name, description, inputSchema, execute: () => `${name} ran` });
const refund = toolNamed("refund");
const others = (count: number): readonly ToolClass[] => Array.from({ length: count }, (_, index) => toolNamed(`other_${index}`));

describe("a deferred tool", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  const agentOn = (reference: ModelReference, tools: AgentTools) => {
    @model(reference, { retries: 0 })
    @usesTools(tools)
    class ShopAgent extends Agent {}
    return new ShopAgent();
  };
  const bodies = () => server.requests.map(({ body }) => body);
  const namesIn = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
  const shop = (count: number) => [deferred({ name: "shop", tools: [refund, ...others(count)] })];

  describe("on the Claude API", () => {
    const claude = () => createAnthropic({ apiKey: "key", baseURL: server.url })("claude-opus-5-5");
    const searches = anthropicMessage([{ type: "tool_use", id: "toolu_1", name: "search_tools", input: { query: "refund" } }], "tool_use");
    const refunds = anthropicMessage([{ type: "tool_use", id: "toolu_2", name: "refund", input: { order: "A-17" } }], "tool_use");
    const done = anthropicMessage([{ type: "text", text: "Done." }]);

    it("is sent with its definition behind the result of the search, and the tools before stay as they were", async () => {
      server.play(searches, refunds, done);
      const response = await agentOn(claude(), shop(0)).generate("Refund A-17.");
      expect(response.steps.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name))).toEqual(["search_tools", "refund"]);

      const [first, second, third] = bodies();
      expect([namesIn(first.tools), second.tools, third.tools]).toEqual([["search_tools"], first.tools, first.tools]);
      expect(second.messages.slice(2)).toEqual([
        { role: "user", content: [expect.objectContaining({ type: "tool_result", tool_use_id: "toolu_1" })] },
        {
          role: "system",
          content: [
            {
              type: "tool_addition",
              tool: {
                type: "tool_definition",
                definition: { name: "refund", description: "Does refund. Use when asked to.", input_schema: expect.anything() },
              },
            },
          ],
        },
      ]);
      expect(third.messages.slice(0, second.messages.length)).toEqual(second.messages);
    });

    it("costs no byte until it is found, with 1,000 as with one", async () => {
      const sent: (readonly unknown[])[] = [];
      for (const count of [0, 999]) {
        server.play(searches, done);
        await agentOn(claude(), shop(count)).generate("Refund A-17.");
        sent.push(bodies());
      }
      expect(sent[1]?.[0]).toEqual(sent[0]?.[0]);
      expect(JSON.stringify(sent[1])).not.toContain("other_");
    });

    it.each([
      [10_001, 10, "10001 tools after its first request, and Claude takes 10000"],
      [5, 900_000, "4500230 bytes of tools after its first request, and Claude takes 4000000"],
    ])("is reported before the request if there are more than the API takes: %i tools of %i characters", async (count, length, excess) => {
      server.play();
      const description = "x".repeat(length);
      const offered = Array.from({ length: count }, (_, index) => ({ name: `t${index}`, description, parameters: {} }));
      const messages: readonly Message[] = [{ role: "user", content: "Hi." }];
      const growing = { messages: [...messages, { role: "change" as const, offered }], tools: [] };
      const asking = new AiSdkModel(claude() as AiSdkLanguageModel).generate({ messages, tools: offered, growing });
      await expect(asking).rejects.toThrow(ModelError);
      await expect(asking).rejects.toThrow(
        `anthropic/claude-opus-5-5: the conversation has defined ${excess}. Begin a new conversation, or offer fewer tools.`,
      );
      expect(server.requests).toEqual([]);
    });

    it.each([
      [200, 20],
      [60, 1_500],
    ])("counts once if it is withdrawn and offered again many times: %i tools of %i characters", async (count, length) => {
      server.play(done);
      const description = "x".repeat(length);
      const offered = Array.from({ length: count }, (_, index) => ({ name: `t${index}`, description, parameters: {} }));
      const withdrawn = offered.map(({ name }) => name);
      // A conversation that was stored has another object for each change.
      const toggles = Array.from({ length: 60 }, () => [
        { role: "change" as const, offered: offered.map((tool) => ({ ...tool })) },
        { role: "change" as const, withdrawn },
      ]).flat();
      const messages: readonly Message[] = [{ role: "user", content: "Hi." }];
      const growing = { messages: [...messages, ...toggles], tools: [] };
      await new AiSdkModel(claude() as AiSdkLanguageModel).generate({ messages, tools: [], growing });
      expect(server.requests).toHaveLength(1);
    });
  });

  it("goes to the end of the list on OpenAI's Responses API", async () => {
    const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "search_tools", arguments: '{"query":"refund"}' };
    const text = { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "Done.", annotations: [] }] };
    server.play(openAiResponse([call]), openAiResponse([text]));
    await agentOn(createOpenAI({ apiKey: "key", baseURL: server.url }).responses("gpt-5-mini"), shop(50)).generate("Refund A-17.");
    expect(bodies().map(({ tools }) => namesIn(tools))).toEqual([["search_tools"], ["search_tools", "refund"]]);
  });

  it("goes to the end of the list for Gemini", async () => {
    server.play(geminiAnswer([{ functionCall: { name: "search_tools", args: { query: "refund" } } }]), geminiAnswer([{ text: "Done." }]));
    await agentOn(createGoogleGenerativeAI({ apiKey: "key", baseURL: server.url })("gemini-3-pro-preview"), shop(50)).generate(
      "Refund A-17.",
    );
    expect(bodies().map(({ tools }) => namesIn(tools[0].functionDeclarations))).toEqual([["search_tools"], ["search_tools", "refund"]]);
  });
});
