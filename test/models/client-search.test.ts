/** What OpenAI's package sends if an agent has deferred tools, and the model takes `tool_search`. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { Agent, model, modelOptions, usesTools } from "../../src/agent/index.js";
import type { AgentTools } from "../../src/agent/index.js";
import {
  type AiSdkLanguageModel,
  AiSdkModel,
  type ConversationPrefix,
  type Message,
  type ModelReference,
  type ModelTool,
} from "../../src/models/index.js";
import { MemoryConversationStore, MemoryStorage } from "../../src/storage/index.js";
import { createTool, deferred, type ToolClass } from "../../src/tool/index.js";
import { anthropicMessage, openAiResponse, ProviderServer } from "../support/provider-servers.js";
import { openAiResponseStream } from "../support/provider-streams.js";

const inputSchema = { type: "object", properties: { order: { type: "string" } } } as const;
const toolNamed = (name: string, description = `Does ${name}. Use when asked to.`): ToolClass =>
  createTool({ name, description, inputSchema, execute: () => `${name} ran` });
const refund = toolNamed("refund");
const shop = [deferred({ name: "shop", tools: [refund, toolNamed("cancel"), toolNamed("track")] })];

const search = (query: string, id = "1") => ({
  type: "tool_search_call",
  id: `tsc_${id}`,
  call_id: `call_${id}`,
  execution: "client",
  status: "completed",
  arguments: { query },
});
const call = (name: string, id = "2") => ({
  status: "completed",
  type: "function_call",
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name,
  arguments: '{"order":"A-17"}',
});
const said = (text = "Done.") => ({
  type: "message",
  role: "assistant",
  id: "msg_1",
  content: [{ type: "output_text", text, annotations: [] }],
});

const loaded = (name: string) => ({
  type: "function",
  name,
  description: `Does ${name}. Use when asked to.`,
  parameters: expect.objectContaining({ type: "object" }),
  strict: expect.any(Boolean),
  defer_loading: true,
});

describe("the search for deferred tools on OpenAI's newer models", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());
  let warnings: jest.SpiedFunction<typeof process.emitWarning>;
  beforeEach(() => {
    warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  });
  afterEach(() => warnings.mockRestore());

  const gpt = (id = "gpt-5.4"): AiSdkLanguageModel => createOpenAI({ apiKey: "key", baseURL: server.url }).responses(id);
  const claude = (): AiSdkLanguageModel => createAnthropic({ apiKey: "key", baseURL: server.url })("claude-sonnet-4-5");
  const agentOn = (reference: ModelReference, tools: AgentTools | ((context: { userId?: string }) => AgentTools) = shop) => {
    @model(reference, { retries: 0 })
    @usesTools(tools as AgentTools)
    class ShopAgent extends Agent {}
    return new ShopAgent();
  };
  const bodies = () => server.requests.map(({ body }) => body);
  /** Each request begins with the one before. */
  const expectGrowth = (): void => {
    const sent = bodies();
    for (const [index, { tools, input }] of sent.entries()) {
      const next = sent[index + 1];
      if (next === undefined) continue;
      expect(JSON.stringify(next.tools)).toBe(JSON.stringify(tools));
      expect(JSON.stringify(next.input.slice(0, input.length))).toBe(JSON.stringify(input));
    }
  };

  it("is sent as tool_search, and its result loads what it found, so that the list of tools stays as it was", async () => {
    server.play(openAiResponse([search("refund")]), openAiResponse([call("refund")]), openAiResponse([said()]));
    const changed: string[] = [];
    const response = await agentOn(gpt()).generate("Refund A-17.", { listeners: [{ prefixChanged: ({ part }) => changed.push(part) }] });

    expect(response.text).toBe("Done.");
    expect(response.steps.flatMap(({ toolCalls }) => toolCalls.map(({ name, content }) => [name, content]))).toEqual([
      ["search_tools", expect.stringContaining("refund")],
      ["refund", "refund ran"],
    ]);
    const [first, second] = bodies();
    expect(first.tools).toEqual([
      {
        type: "tool_search",
        execution: "client",
        description: expect.stringContaining("Finds tools that you have"),
        parameters: expect.objectContaining({ required: ["query"] }),
      },
    ]);
    expect(second.input.slice(1)).toEqual([
      { type: "item_reference", id: "tsc_1" },
      { type: "tool_search_output", execution: "client", call_id: "call_1", status: "completed", tools: [loaded("refund")] },
    ]);
    expectGrowth();
    expect(changed).toEqual([]);
  });

  it("goes back with its arguments if the provider stores nothing", async () => {
    server.play(openAiResponse([search("refund")]), openAiResponse([said()]));
    @model(gpt(), { retries: 0 })
    @modelOptions({ providerOptions: { openai: { store: false } } })
    @usesTools(shop)
    class StatelessAgent extends Agent {}
    await new StatelessAgent().generate("Refund A-17.");
    expect(bodies()[1].input[1]).toEqual({ ...search("refund"), status: "completed" });
    expectGrowth();
  });

  it("streams its calls like calls of any other tool", async () => {
    server.play(openAiResponseStream([search("refund")]), openAiResponseStream([call("refund")]), openAiResponseStream([said()]));
    const stream = agentOn(gpt()).stream("Refund A-17.");
    const events = [];
    for await (const event of stream) events.push(event);
    expect(events.filter(({ type }) => type === "tool_call_done")).toEqual([
      expect.objectContaining({ tool: "search_tools", arguments: '{"query":"refund"}' }),
      expect.objectContaining({ tool: "refund" }),
    ]);
    expect(
      events.filter(({ type }) => type === "tool_call_delta").map((event) => (event as { readonly tool?: string }).tool),
    ).not.toContain("tool_search");
    expect(bodies()[1].input[2]).toMatchObject({ type: "tool_search_output", call_id: "call_1", tools: [loaded("refund")] });
    expectGrowth();
  });

  it("loads nothing if it finds nothing", async () => {
    server.play(openAiResponse([search("weather")]), openAiResponse([said("I can't.")]));
    await agentOn(gpt()).generate("Weather?");
    expect(bodies()[1].input[2]).toEqual({
      type: "tool_search_output",
      execution: "client",
      call_id: "call_1",
      status: "completed",
      tools: [],
    });
    expectGrowth();
  });

  it("loads what two searches of one step found, each its own", async () => {
    server.play(
      openAiResponse([search("refund", "1"), search("cancel", "2")]),
      openAiResponse([search("refund", "3")]),
      openAiResponse([said()]),
    );
    await agentOn(gpt()).generate("Refund A-17, or cancel it.");
    const outputs = bodies()[2].input.filter(({ type }: { type: string }) => type === "tool_search_output");
    expect(outputs.map(({ tools }: { tools: { name: string }[] }) => tools.map(({ name }) => name))).toEqual([
      ["refund"],
      ["cancel"],
      ["refund"],
    ]);
    expectGrowth();
  });

  it("sends the same bytes from another process, from a state, a store and a journal", async () => {
    const failed = { status: 500, body: { error: { message: "down" } } };
    const journal = new MemoryStorage();
    server.play(openAiResponse([search("refund")]), failed);
    const recorded = await agentOn(gpt()).generate("Refund A-17.", { journal });
    server.play(openAiResponse([search("refund")]), failed);
    const stopped = await agentOn(gpt()).generate("Refund A-17.");
    if (stopped.reason !== "model_error") throw new Error(stopped.reason);
    const expected = JSON.stringify(bodies()[1]);
    for (const resume of [
      () => agentOn(gpt()).resume(JSON.parse(JSON.stringify(stopped.state))),
      () => agentOn(gpt()).resume(recorded.runId, { journal }),
    ]) {
      server.play(openAiResponse([said()]));
      expect((await resume()).reason).toBe("success");
      expect(JSON.stringify(bodies()[0])).toBe(expected);
    }

    const store = new MemoryConversationStore();
    const agent = agentOn(gpt());
    server.play(openAiResponse([search("refund")]), openAiResponse([call("refund")]), openAiResponse([said()]));
    await agent.generate("Refund A-17.");
    const [, , last] = bodies();
    await agent.save(store, "ada");
    const later = agentOn(gpt());
    await later.load(store, "ada");
    server.play(openAiResponse([call("refund", "4")]), openAiResponse([said()]));
    const response = await later.generate("And A-18.");
    expect(response.steps[0]?.toolCalls[0]?.content).toBe("refund ran");
    expect(JSON.stringify(bodies()[0].tools)).toBe(JSON.stringify(last.tools));
    expect(JSON.stringify(bodies()[0].input.slice(0, last.input.length))).toBe(JSON.stringify(last.input));
  });

  it("says which tools can't be called any more, because a list of allowed tools can't name the search", async () => {
    const agent = agentOn(gpt(), ({ userId }) => [toolNamed("help"), ...(userId === undefined ? [] : shop)]);
    const user = { toolContext: { userId: "Ada" } };
    server.play(...["a", "b"].map(() => openAiResponse([said()])));
    await agent.generate("Hello", user);
    await agent.generate("And?", user);
    server.play(openAiResponse([search("refund")]), openAiResponse([said()]), openAiResponse([said()]), openAiResponse([said()]));
    await agent.generate("Refund A-17.", user);
    await agent.generate("I have signed out.");
    await agent.generate("I am back.", user);
    const sent = bodies();
    expect(sent[2].input.at(-1)).toEqual({ role: "developer", content: "These tools can't be called any more: tool_search, refund." });
    expect(sent[2].tool_choice).toEqual({ type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "help" }] });
    expect(sent[3].input.at(-1)).toEqual({ role: "developer", content: "These tools can be called again: tool_search, refund." });
    expect(sent[3].tool_choice).toBeUndefined();
    expectGrowth();
  });

  it("is a function for a fallback, which doesn't get the ids of OpenAI's searches", async () => {
    const agent = agentOn(gpt());
    server.play(openAiResponse([search("refund")]), openAiResponse([said()]));
    await agent.generate("Refund A-17.");
    for (const [other, reply] of [
      [gpt("gpt-5-mini"), openAiResponse([said()])],
      [claude(), anthropicMessage([{ type: "text", text: "Done." }])],
    ] as const) {
      const later = agentOn(other);
      later.restore(JSON.parse(JSON.stringify(agent.messages)) as Message[]);
      server.play(reply);
      await later.generate("And A-18?");
      const [{ input, messages }] = bodies();
      expect(JSON.stringify(input ?? messages)).not.toMatch(/tsc_|tool_search/);
      expect(JSON.stringify(input ?? messages)).toContain("search_tools");
    }
  });

  it("takes over searches that another model made, as calls of a function", async () => {
    const first = agentOn(claude());
    server.play(
      anthropicMessage([{ type: "tool_use", id: "toolu_1", name: "search_tools", input: { query: "refund" } }], "tool_use"),
      anthropicMessage([{ type: "text", text: "Done." }]),
    );
    await first.generate("Refund A-17.");
    const later = agentOn(gpt());
    later.restore(JSON.parse(JSON.stringify(first.messages)) as Message[]);
    server.play(openAiResponse([said()]));
    await later.generate("And A-18?");
    const [{ input, tools }] = bodies();
    expect(input.slice(1, 3)).toEqual([
      expect.objectContaining({ type: "function_call", call_id: "toolu_1", name: "search_tools" }),
      expect.objectContaining({ type: "function_call_output", call_id: "toolu_1" }),
    ]);
    expect(tools.map(({ type, name }: { type: string; name?: string }) => name ?? type)).toEqual(["tool_search", "refund"]);
  });

  it("keeps the form of a conversation that was stored when the search was a function", async () => {
    const agent = agentOn(gpt());
    server.play(openAiResponse([said()]));
    await agent.generate("Hello");
    const { findsTools: _, ...search_tools } = (agent.prefix as ConversationPrefix).tools[0] as ModelTool;
    const store = new MemoryConversationStore();
    await store.save("ada", { version: 1, revision: 1, messages: agent.messages, prefix: { tools: [search_tools] } } as never);
    const later = agentOn(gpt());
    await later.load(store, "ada");
    server.play(openAiResponse([said()]));
    await later.generate("And?");
    expect(bodies()[0].tools).toEqual([expect.objectContaining({ type: "function", name: "search_tools" })]);
  });

  it("is a function for models that don't take it", async () => {
    for (const asked of [
      gpt("gpt-5-mini"),
      gpt("gpt-5.1"),
      gpt("gpt-5.4-nano"),
      createOpenAI({ apiKey: "key", baseURL: server.url }).responses("o4"),
    ]) {
      server.play(openAiResponse([said()]));
      await agentOn(asked).generate("Hello");
      expect(bodies()[0].tools).toEqual([expect.objectContaining({ type: "function", name: "search_tools" })]);
    }
    for (const asked of [gpt("gpt-5.6-sol"), gpt("gpt-6-astra"), gpt("ft:gpt-5.4:acme")]) {
      server.play(openAiResponse([said()]));
      await agentOn(asked).generate("Hello");
      expect(bodies()[0].tools[0].type).toBe("tool_search");
    }
  });

  it("is sent as a function, with a warning, if the model rejects it", async () => {
    const asked = new AiSdkModel(gpt("gpt-5.9-tiny"));
    server.play(
      {
        status: 400,
        body: { error: { message: "Tool 'tool_search' is not supported with gpt-5.9-tiny.", type: "invalid_request_error" } },
      },
      openAiResponse([said()]),
      openAiResponse([said()]),
    );
    const agent = agentOn(asked);
    expect((await agent.generate("Hello")).text).toBe("Done.");
    await agent.generate("And?");
    expect(bodies().map(({ tools }) => tools[0].type)).toEqual(["tool_search", "function", "function"]);
    expect(warnings.mock.calls.map(([warning]) => warning)).toEqual([
      expect.stringContaining("openai/gpt-5.9-tiny: the model or its package doesn't take"),
    ]);
  });

  it("leaves an own tool of this name alone", async () => {
    server.play(openAiResponse([{ ...call("tool_search"), arguments: "{}" }]), openAiResponse([said()]));
    const response = await agentOn(gpt(), [toolNamed("tool_search"), ...shop]).generate("Hello");
    expect(response.steps[0]?.toolCalls[0]?.content).toBe("tool_search ran");
    expect(bodies()[0].tools.map(({ type }: { type: string }) => type)).toEqual(["function", "function"]);
  });

  it("is required if the application requires it, because it can't be named", async () => {
    server.play(openAiResponse([search("refund")]), openAiResponse([said()]));
    await agentOn(gpt()).generate("Refund A-17.", { toolChoice: { tool: "search_tools" } });
    expect(bodies().map(({ tool_choice }) => tool_choice)).toEqual(["required", undefined]);
  });

  it("loads a found tool as it is defined now, and leaves the list as it was", async () => {
    let shopNow = shop;
    const agent = agentOn(gpt(), () => shopNow);
    server.play(openAiResponse([search("refund")]), openAiResponse([said()]), openAiResponse([said()]));
    await agent.generate("Refund A-17.");
    shopNow = [deferred({ name: "shop", tools: [toolNamed("refund", "Refunds in full."), toolNamed("cancel"), toolNamed("track")] })];
    await agent.generate("And?");

    const [first, , third] = bodies();
    expect(third.tools).toEqual(first.tools);
    expect(third.input.flatMap(({ tools = [] }) => tools)).toEqual([{ ...loaded("refund"), description: "Refunds in full." }]);
  });

  it("leaves the model a free choice if it must call a tool that was found, because that can't be named", async () => {
    server.play(openAiResponse([search("refund")]), openAiResponse([said()]), openAiResponse([said()]));
    const agent = agentOn(gpt());
    await agent.generate("Refund A-17.");
    await agent.generate("Refund A-18.", { toolChoice: { tool: "refund" } });
    expect(bodies()[2].tool_choice).toBe("auto");
  });
});
