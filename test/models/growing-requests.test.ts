/** seed: DESIGN "Conversations only grow". What the real packages send if instructions or tools change in a conversation. */
import { createAmazonBedrock } from "@ai-sdk/amazon-bedrock";
import { createBedrockAnthropic } from "@ai-sdk/amazon-bedrock/anthropic";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, type AgentListener, instructions, model, modelOptions, usesTools } from "../../src/agent/index.js";
import type { AiSdkCallOptions } from "../../src/models/ai-sdk/language-model.js";
import {
  type AiSdkLanguageModel,
  AiSdkModel,
  type ChangedPart,
  type ModelOptions,
  type ModelReference,
  ScriptedModel,
  withFallback,
} from "../../src/models/index.js";
import { MemoryConversationStore } from "../../src/storage/index.js";
import { createTool, required, returns, type ToolClass } from "../../src/tool/index.js";
import { anthropicMessage, geminiAnswer, openAiResponse, ProviderServer, type ServerReply } from "../support/provider-servers.js";
import { anthropicStream } from "../support/provider-streams.js";

const tool = (name: string, description = `Does ${name}. Use when asked to.`): ToolClass =>
  createTool({ name, description, inputSchema: { type: "object", properties: { q: { type: "string" } } }, execute: () => "done" });
const search = tool("search");
const refund = tool("refund");
const audit = tool("audit");

/** POST /model/{id}/converse of Bedrock. */
const bedrockConversation = (content: readonly object[]): ServerReply => ({
  body: {
    output: { message: { role: "assistant", content } },
    stopReason: "end_turn",
    usage: { inputTokens: 20, outputTokens: 9, totalTokens: 29 },
  },
});

interface Situation {
  readonly tools?: readonly ToolClass[];
  readonly says?: string | undefined;
}

class Note {
  @required(String) title!: string;
}

describe("a conversation whose instructions and tools change", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  const agentOn = (reference: Parameters<typeof model>[0], options: ModelOptions = {}) => {
    @model(reference, { retries: 0 })
    @modelOptions(options)
    @instructions((context) => (context as Situation).says as string)
    @usesTools((context) => [...((context as Situation).tools ?? [search])])
    class ChangingAgent extends Agent {}
    return new ChangingAgent();
  };
  const say = (agent: Agent, says: string | undefined, tools: readonly ToolClass[], listeners: readonly AgentListener[] = []) =>
    agent.generate("Go on.", { toolContext: { says, tools }, listeners });
  const bodies = () => server.requests.map(({ body }) => body);
  const namesIn = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

  describe("on the Claude API", () => {
    const claude = (id = "claude-opus-5-5") => createAnthropic({ apiKey: "key", baseURL: server.url })(id);
    const answer = anthropicMessage([{ type: "text", text: "Done." }]);
    const definition = (name: string, description?: string) => ({
      name,
      ...(description && { description }),
      input_schema: expect.anything(),
    });

    it("keeps its first instructions and tools, and gets each change in its place", async () => {
      server.play(answer, answer, answer, answer);
      const agent = agentOn(claude());
      await say(agent, "Be brief.", [search]);
      await say(agent, "Be brief.", [search, refund]);
      await say(agent, "Be kind.", [refund]);
      await say(agent, "Be kind.", [search, refund]);

      const [first, second, third, fourth] = bodies();
      for (const body of [second, third, fourth]) expect([body.system, body.tools]).toEqual([first.system, first.tools]);
      expect(second.messages.at(-1)).toEqual({
        role: "system",
        content: [
          { type: "tool_addition", tool: { type: "tool_definition", definition: definition("refund", "Does refund. Use when asked to.") } },
        ],
      });
      expect(third.messages.at(-1)).toEqual({
        role: "system",
        content: [
          { type: "text", text: "The instructions have changed. These replace the earlier ones:\n\nBe kind." },
          { type: "tool_removal", tool: { type: "tool_reference", name: "search" } },
        ],
      });
      expect(fourth.messages.at(-1)).toEqual({
        role: "system",
        content: [{ type: "tool_addition", tool: { type: "tool_reference", name: "search" } }],
      });
      expect(fourth.messages.slice(0, third.messages.length)).toEqual(third.messages);
      expect(server.requests.at(-1)?.headers["anthropic-beta"]).toContain("inline-tools-2026-09-15");
    });

    it("replaces a definition that has changed, and says once that instructions are gone", async () => {
      server.play(answer, answer);
      const agent = agentOn(claude());
      await say(agent, "Be brief.", [search]);
      await say(agent, undefined, [tool("search", "Searches the new index.")]);

      expect(bodies()[1].messages.at(-1).content).toEqual([
        { type: "text", text: "The instructions above don't apply any more." },
        { type: "tool_addition", tool: { type: "tool_definition", definition: definition("search", "Searches the new index.") } },
      ]);
    });

    it("sends instructions that come later beside a tool: alone they would become the first ones", async () => {
      server.play(answer, answer);
      const agent = agentOn(claude());
      await say(agent, undefined, [search]);
      await say(agent, "Be brief.", [search]);

      const [first, second] = bodies();
      expect([first.system, second.system]).toEqual([undefined, undefined]);
      expect(second.messages.at(-1).content[0]).toMatchObject({ type: "text", text: expect.stringContaining("Be brief.") });
    });

    it("stands between a result and the next answer if a step changes its tools", async () => {
      const called = anthropicMessage([{ type: "tool_use", id: "toolu_1", name: "search", input: {} }], "tool_use");
      server.play(called, answer);
      @model(claude(), { retries: 0 })
      @usesTools([search, refund])
      class SteppingAgent extends Agent {
        override prepareStep({ step }: { readonly step: number }) {
          return step === 1 ? {} : { tools: ["refund"] };
        }
      }
      expect((await new SteppingAgent().generate("Go.")).text).toBe("Done.");

      const [first, second] = bodies();
      expect(second.tools).toEqual(first.tools);
      expect(second.messages.map(({ role }: { readonly role: string }) => role)).toEqual(["user", "assistant", "user", "system"]);
    });

    it("stands before an answer with content: an empty one is left out of the request", async () => {
      server.play(answer, anthropicMessage([]), answer);
      const agent = agentOn(claude());
      await say(agent, "Be brief.", [search]);
      await say(agent, "Be kind.", [search]);
      await say(agent, "Be kind.", [search]);

      expect(bodies()[2].messages.map(({ role }: { readonly role: string }) => role)).toEqual(["user", "assistant", "user", "system"]);
    });

    it.each([{}, { providerOptions: { anthropic: { toolStreaming: false } } }])(
      "has the same tools if an answer is streamed: %j",
      async (options) => {
        server.play(answer, anthropicStream([{ type: "text", text: "Done." }]), answer);
        const agent = agentOn(claude(), options);
        await say(agent, "Be brief.", [search]);
        await agent.stream("Go on.", { toolContext: { says: "Be brief.", tools: [search] } }).response;
        await say(agent, "Be brief.", [search]);

        const [first, second, third] = bodies();
        expect(second.stream).toBe(true);
        expect([second.tools, third.tools]).toEqual([first.tools, first.tools]);
      },
    );

    it("marks for the cache what stays, and not what changed", async () => {
      server.play(answer, answer);
      const agent = agentOn(claude(), { cachePrompt: true });
      await say(agent, "Be brief.", [search]);
      await say(agent, "Be kind.", [search, refund]);

      const marked = JSON.stringify(bodies()[1].messages.at(-1));
      expect(bodies()[1].system[0].cache_control).toEqual({ type: "ephemeral" });
      expect(marked).not.toContain("cache_control");
      expect(bodies()[1].messages.at(-2).content.at(-1).cache_control).toEqual({ type: "ephemeral" });
    });

    it("begins anew with each change if the package is too old for changes, which it shows in the first request with one", async () => {
      const sent: AiSdkCallOptions[] = [];
      const old: AiSdkLanguageModel = {
        specificationVersion: "v3",
        provider: "anthropic.messages",
        modelId: "claude-opus-5-5",
        doGenerate: async (options: AiSdkCallOptions) => {
          sent.push(options);
          return { content: [{ type: "text", text: "Done." }], finishReason: "stop", usage: {}, request: { body: JSON.stringify({}) } };
        },
      };
      const agent = agentOn(old);
      await say(agent, "Be brief.", [search]);
      expect((await say(agent, "Be kind.", [refund])).text).toBe("Done.");
      await say(agent, "Be kind.", [refund]);

      expect(sent.map(({ tools = [] }) => namesIn(tools))).toEqual([["search"], ["search"], ["refund"], ["refund"]]);
      expect(sent.at(-1)?.prompt[0]).toMatchObject({ role: "system", content: "Be kind." });
    });

    it("begins anew in each of two conversations that learn at the same time that the package is too old, and warns once", async () => {
      const warned = jest.spyOn(process, "emitWarning").mockImplementation();
      let left = 2;
      let release = (): void => undefined;
      const both = new Promise<void>((resolve) => (release = resolve));
      const old: AiSdkLanguageModel = {
        specificationVersion: "v3",
        provider: "anthropic.messages",
        modelId: "claude-opus-5-5",
        doGenerate: async ({ prompt }: AiSdkCallOptions) => {
          if (prompt.slice(1).some(({ role }) => role === "system")) {
            if ((left -= 1) === 0) release();
            await both;
          }
          return { content: [{ type: "text", text: "Done." }], finishReason: "stop", usage: {}, request: { body: "{}" } };
        },
      };
      const agents = [agentOn(old)];
      agents.push(new (agents[0]!.constructor as new () => (typeof agents)[number])());
      for (const agent of agents) await say(agent, "Be brief.", [search]);
      const answers = await Promise.all(agents.map((agent) => say(agent, "Be kind.", [refund])));

      expect(answers.map(({ text }) => text)).toEqual(["Done.", "Done."]);
      expect(warned.mock.calls.filter(([message]) => String(message).includes("can't send changed tools"))).toHaveLength(1);
      warned.mockRestore();
    });

    it("begins anew with each change on models that don't take changes", async () => {
      server.play(answer, answer);
      const agent = agentOn(claude("claude-sonnet-5"));
      await say(agent, "Be brief.", [search]);
      await say(agent, "Be kind.", [refund]);

      expect([bodies()[1].system[0].text, namesIn(bodies()[1].tools)]).toEqual(["Be kind.", ["refund"]]);
    });
  });

  it("refers to tools on Bedrock's endpoint for Claude, and declares new ones so that they are loaded later", async () => {
    const bedrock = createBedrockAnthropic({ apiKey: "key", baseURL: server.url, region: "us-east-1" });
    const answer = anthropicMessage([{ type: "text", text: "Done." }]);
    server.play(answer, answer);
    const agent = agentOn(bedrock("anthropic.claude-opus-5-5-v1:0"));
    await say(agent, "Be brief.", [search]);
    await say(agent, "Be brief.", [refund]);

    const [first, second] = bodies();
    expect(second.tools).toEqual([...first.tools, expect.objectContaining({ name: "refund", defer_loading: true })]);
    expect(second.messages.at(-1).content).toEqual([
      { type: "tool_removal", tool: { type: "tool_reference", name: "search" } },
      { type: "tool_addition", tool: { type: "tool_reference", name: "refund" } },
    ]);
  });

  describe("on OpenAI's Responses API", () => {
    const gpt = () => createOpenAI({ apiKey: "key", baseURL: server.url }).responses("gpt-5-mini");
    const answer = openAiResponse([
      { type: "message", role: "assistant", id: "msg_1", content: [{ type: "output_text", text: "Done.", annotations: [] }] },
    ]);

    it("hides withdrawn tools by a list, and appends changed instructions", async () => {
      server.play(answer, answer, answer);
      const agent = agentOn(gpt());
      await say(agent, "Be brief.", [search, refund]);
      await say(agent, "Be kind.", [refund]);
      await say(agent, "Be kind.", [search, refund]);

      const [first, second, third] = bodies();
      expect([second.tools, third.tools]).toEqual([first.tools, first.tools]);
      expect(second.tool_choice).toEqual({ type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "refund" }] });
      expect(third.tool_choice).toBeUndefined();
      expect(second.input[0]).toEqual(first.input[0]);
      expect(second.input.at(-1)).toEqual({ role: "developer", content: expect.stringContaining("Be kind.") });
    });

    it("adds new tools to the end of the list", async () => {
      server.play(answer, answer, answer);
      const agent = agentOn(gpt());
      await say(agent, "Be brief.", [search]);
      await say(agent, "Be brief.", [audit, refund]);
      await say(agent, "Be brief.", []);

      expect(namesIn(bodies()[1].tools)).toEqual(["search", "audit", "refund"]);
      expect([namesIn(bodies()[2].tools), bodies()[2].tool_choice]).toEqual([["search", "audit", "refund"], "none"]);
    });
  });

  describe("on Bedrock's Converse, which checks the beginning and takes no change", () => {
    const converse = () =>
      createAmazonBedrock({ apiKey: "key", baseURL: server.url, region: "us-east-1" })("anthropic.claude-opus-5-5-v1:0");
    const thought = bedrockConversation([{ reasoningContent: { reasoningText: { text: "Hm.", signature: "signed" } } }, { text: "Done." }]);
    const toolsIn = (body: any) => body.toolConfig.tools.flatMap((entry: any) => entry.toolSpec?.name ?? []);

    it("keeps withdrawn tools and the first instructions", async () => {
      server.play(thought, thought);
      const agent = agentOn(converse());
      await say(agent, "Be brief.", [search, refund]);
      await say(agent, "Be kind.", [search]);

      const [first, second] = bodies();
      expect([second.system, second.toolConfig.tools]).toEqual([first.system, first.toolConfig.tools]);
      expect(JSON.stringify(second.messages)).toContain("signed");
    });

    it("sends changed instructions in a user message if the application allows it", async () => {
      server.play(thought, thought);
      const agent = agentOn(converse(), { changesAsUserMessages: true });
      await say(agent, "Be brief.", [search]);
      await say(agent, "Be kind.", [search]);

      expect(bodies()[1].messages.at(-1)).toEqual({
        role: "user",
        content: [{ text: "Go on." }, { text: expect.stringContaining("Be kind.") }],
      });
    });

    it("leaves thinking out once if a tool is added, and reports that", async () => {
      server.play(thought, thought, thought);
      const warnings: unknown[] = [];
      const agent = agentOn(converse());
      const listener: AgentListener = { modelFinished: ({ response }) => warnings.push(response?.warnings) };
      await say(agent, "Be brief.", [search], [listener]);
      await say(agent, "Be kind.", [search, refund], [listener]);
      await say(agent, "Be kind.", [search, refund], [listener]);

      const [, second, third] = bodies();
      expect([second, third].map(toolsIn)).toEqual([
        ["search", "refund"],
        ["search", "refund"],
      ]);
      expect(JSON.stringify(second.messages)).not.toContain("signed");
      expect(JSON.stringify(third.messages).split("signed")).toHaveLength(2);
      expect([third.system, third.messages.slice(0, 3)]).toEqual([second.system, second.messages]);
      expect(warnings).toEqual([undefined, [expect.stringContaining("thinking of earlier answers was dropped")], undefined]);
    });

    const bound: ServerReply = {
      status: 400,
      body: { message: "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation." },
    };
    const signedIn = (body: any) => JSON.stringify(body.messages).split("signed").length - 1;

    it("is asked once more without thinking if thinking is rejected, and earlier thinking stays out, also after it was stored", async () => {
      server.play(thought, bound, thought, thought, thought);
      const told: unknown[] = [];
      const listener: AgentListener = {
        modelRetried: ({ error }) => told.push(error.status),
        modelFinished: ({ response }) => told.push(response?.warnings),
      };
      const agent = agentOn(converse());
      await say(agent, "Be brief.", [search]);
      const { text } = await say(agent, "Be brief.", [search], [listener]);
      await say(agent, "Be brief.", [search], [listener]);
      const stored = JSON.parse(JSON.stringify(agent.messages));
      await say(agentOn(converse()).restore(stored), "Be brief.", [search]);

      expect(text).toBe("Done.");
      expect(told).toEqual([400, [expect.stringContaining("thinking of earlier answers was dropped")], undefined]);
      expect(bodies().map(signedIn)).toEqual([0, 1, 0, 1, 2]);
      const [, , third, fourth, fifth] = bodies();
      expect(fourth.messages.slice(0, 3)).toEqual(third.messages);
      expect(fifth.messages.slice(0, 5)).toEqual(fourth.messages);
    });

    it("is asked once more with the current instructions and all tools, and keeps them", async () => {
      server.play(thought, thought, bound, thought, thought);
      const agent = agentOn(converse());
      await say(agent, "Be brief.", [search, refund]);
      await say(agent, "Be kind.", [search]);
      await say(agent, "Be kind.", [search]);
      await say(agent, "Be brief.", [refund]);

      const [first, , , fourth, fifth] = bodies();
      expect([fourth.system, fourth.toolConfig.tools]).toEqual([[{ text: "Be kind." }], first.toolConfig.tools]);
      expect([fifth.system, fifth.toolConfig.tools]).toEqual([fourth.system, fourth.toolConfig.tools]);
      expect(fifth.messages.slice(0, 5)).toEqual(fourth.messages);
    });

    it("declares a tool as it is now if its definition changed back while another model answered", async () => {
      const failed: ServerReply = { status: 503, body: { message: "Unavailable." } };
      const other = new ScriptedModel(["From another model."]);
      server.play(thought, failed, thought, thought);
      const agent = agentOn(withFallback([new AiSdkModel(converse()), other]));
      await say(agent, "Be brief.", [search]);
      await say(agent, "Be brief.", [tool("search", "Searches elsewhere. Use when asked to."), refund]);
      await say(agent, "Be brief.", [search]);
      await say(agent, "Be brief.", [search]);

      const [first, , third, fourth] = bodies();
      for (const { toolConfig } of [third, fourth]) expect(toolConfig).toEqual(first.toolConfig);
      expect([third, fourth].map(signedIn)).toEqual([1, 2]);
    });

    it("keeps the beginning from then on if the ARN of an inference profile doesn't name a model that rejects thinking", async () => {
      const profile = () =>
        createAmazonBedrock({ apiKey: "key", baseURL: server.url, region: "us-east-1" })(
          "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/shop",
        );
      server.play(thought, bound, thought, thought, thought);
      const agent = agentOn(profile());
      await say(agent, "Be brief.", [search, refund]);
      await say(agent, "Be brief.", [search]);
      await say(agent, "Be kind.", [refund]);
      const store = new MemoryConversationStore();
      await agent.save(store, "ada");
      await say(await agentOn(profile()).load(store, "ada"), "Be kind.", [search]);

      expect(bodies().map(signedIn)).toEqual([0, 1, 0, 1, 2]);
      const [first, , third, ...later] = bodies();
      for (const { system, toolConfig } of [third, ...later]) expect([system, toolConfig]).toEqual([first.system, first.toolConfig]);
    });

    it("fails the run if thinking is rejected twice", async () => {
      server.play(thought, bound, bound);
      const agent = agentOn(converse());
      await say(agent, "Be brief.", [search]);
      expect((await say(agent, "Be brief.", [search])).outcome.reason).toBe("model_error");
      expect(bodies()).toHaveLength(3);
    });

    it("keeps its tools in a step that may call none, and rejects a call in it", async () => {
      const calls = bedrockConversation([
        { reasoningContent: { reasoningText: { text: "Hm.", signature: "signed" } } },
        { toolUse: { toolUseId: "tooluse_1", name: "search", input: {} } },
      ]);
      server.play(calls, thought, calls, thought);
      @model(converse(), { retries: 0 })
      @usesTools([search])
      class SteppingAgent extends Agent {
        override prepareStep({ step }: { readonly step: number }) {
          return step === 1 ? {} : { toolChoice: "none" as const };
        }
      }
      const agent = new SteppingAgent();
      expect((await agent.generate("Go.")).text).toBe("Done.");
      const { steps } = await agent.generate("Go on.", { toolChoice: "none" });

      const [first, ...others] = bodies();
      for (const { toolConfig } of others) expect(toolConfig).toEqual(first.toolConfig);
      expect(steps[0]?.toolCalls[0]?.errorType).toBeDefined();
    });
  });

  it("is written anew for Gemini, with tools in an order that stays the same", async () => {
    const answer = geminiAnswer([{ text: "Done." }]);
    server.play(answer, answer, answer);
    const agent = agentOn(createGoogleGenerativeAI({ apiKey: "key", baseURL: server.url })("gemini-3-pro-preview"));
    const parts: ChangedPart[] = [];
    const listener: AgentListener = { prefixChanged: ({ part }) => parts.push(part) };
    await say(agent, "Be brief.", [search, refund], [listener]);
    await say(agent, "Be kind.", [audit, refund], [listener]);
    await say(agent, "Be kind.", [refund, search, audit], [listener]);

    const declared = bodies().map(({ tools }) => namesIn(tools[0].functionDeclarations));
    expect(declared).toEqual([
      ["search", "refund"],
      ["refund", "audit"],
      ["search", "refund", "audit"],
    ]);
    expect(bodies()[1].systemInstruction.parts[0].text).toBe("Be kind.");
    expect(parts).toEqual(["tools", "tools"]);
  });

  describe("with a listener for changes of the beginning", () => {
    const answer = geminiAnswer([{ text: "Done." }]);
    const gemini = (id = "gemini-3-pro-preview") => createGoogleGenerativeAI({ apiKey: "key", baseURL: server.url })(id);
    const partsOf = async (agent: Agent, act: (listeners: readonly AgentListener[]) => Promise<unknown>) => {
      const parts: ChangedPart[] = [];
      await say(agent, "Be brief.", [search]);
      await say(agent, "Be brief.", [search]);
      await act([{ prefixChanged: ({ part }) => parts.push(part) }]);
      return parts;
    };

    it("reports changed instructions", async () => {
      server.play(answer, answer, answer, answer);
      const agent = agentOn(gemini());
      const parts = await partsOf(agent, async (listeners) => {
        await say(agent, "Be kind.", [search], listeners);
        await say(agent, "Be kind.", [search], listeners);
      });
      expect(parts).toEqual(["instructions"]);
    });

    it("reports another model", async () => {
      server.play(answer, answer, answer);
      const models = [gemini(), gemini(), gemini("gemini-3-flash")];
      const agent = agentOn(() => models.shift() as AiSdkLanguageModel);
      expect(await partsOf(agent, (listeners) => say(agent, "Be brief.", [search], listeners))).toEqual(["model"]);
    });

    it.each([0, 1, 2])("reports that message %i of a restored history was edited", async (index) => {
      server.play(answer, answer, answer);
      const agent = agentOn(gemini());
      const parts = await partsOf(agent, (listeners) => {
        const edited = agent.messages.map((message, place) => (place === index ? { ...message, content: "Edited." } : message));
        return say(agent.restore(edited as Agent["messages"]), "Be brief.", [search], listeners);
      });
      expect(parts).toEqual(["messages"]);
    });

    it("reports nothing if the same history is restored", async () => {
      server.play(answer, answer, answer);
      const agent = agentOn(gemini());
      expect(await partsOf(agent, (listeners) => say(agent.restore(agent.messages), "Be brief.", [search], listeners))).toEqual([]);
    });
  });

  describe("with a type for its answers", () => {
    const json = '{"title":"Done."}';
    const typedAgentOn = (reference: ModelReference) => {
      @model(reference, { retries: 0 })
      @instructions("Be brief.")
      @returns(Note)
      @usesTools((context) => [...((context as Situation).tools ?? [])])
      class TypedAgent extends Agent<Note> {}
      return new TypedAgent();
    };

    it("keeps its beginning on the Claude API while tools are added and withdrawn", async () => {
      const answer = anthropicMessage([{ type: "text", text: json }]);
      server.play(answer, answer, answer);
      const agent = typedAgentOn(createAnthropic({ apiKey: "key", baseURL: server.url })("claude-opus-5-5"));
      await say(agent, undefined, [search]);
      await say(agent, undefined, [search, refund]);
      expect((await say(agent, undefined, [refund])).output).toEqual({ title: "Done." });

      const [first, ...others] = bodies();
      expect([namesIn(first.tools), JSON.stringify(first.system)]).toEqual([["search"], expect.stringContaining("title")]);
      for (const { system, tools } of others) expect({ system, tools }).toEqual({ system: first.system, tools: first.tools });
    });

    it("has no tool for the answer, and the same instructions with each list of tools, on Gemini", async () => {
      const answer = geminiAnswer([{ text: json }]);
      server.play(answer, answer);
      const agent = typedAgentOn(createGoogleGenerativeAI({ apiKey: "key", baseURL: server.url })("gemini-3-pro-preview"));
      await say(agent, undefined, [search]);
      await say(agent, undefined, [search, refund]);

      const [first, second] = bodies();
      expect(second.systemInstruction).toEqual(first.systemInstruction);
      expect([first, second].map(({ tools }) => namesIn(tools[0].functionDeclarations))).toEqual([["search"], ["search", "refund"]]);
    });
  });
});
