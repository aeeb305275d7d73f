import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAI as createOpenAIv2 } from "ai-sdk-openai-v2";
import { Agent, maxSteps, model, usesTools } from "../../src/agent/index.js";
import type { AgentTools } from "../../src/agent/index.js";
import type { Message, ModelReference } from "../../src/models/index.js";
import { MemoryStorage } from "../../src/storage/index.js";
import { description, identifier, providerTool, Tool } from "../../src/tool/index.js";
import { anthropicMessage, openAiResponse, ProviderServer } from "../support/provider-servers.js";
import { anthropicStream } from "../support/provider-streams.js";

@identifier("now")
@description("Tells the time. Use when asked for it.")
class NowTool extends Tool {
  call() {
    return "noon";
  }
}

const search = providerTool("anthropic/web_search", { maxUses: 3 });

const agentOn = (reference: ModelReference, tools: AgentTools): Agent => {
  @model(reference, { retries: 0 })
  @usesTools(tools)
  @maxSteps(4)
  class SearchingAgent extends Agent {}
  return new SearchingAgent();
};

/** A search of Claude with its result, as the API writes them. */
const searched = (id: string): Record<string, unknown>[] => [
  { type: "text", text: "I look." },
  { type: "server_tool_use", id, name: "web_search", input: { query: "news" } },
  {
    type: "web_search_tool_result",
    tool_use_id: id,
    content: [
      { type: "web_search_result", url: "https://news.example/", title: "News", page_age: null, encrypted_content: "Eo8BCioIAhgBIiQ=/+é" },
    ],
  },
];
const askNow = { type: "tool_use", id: "toolu_1", name: "now", input: {} };
const said = { type: "text", text: "It is noon." };

describe("tools that the provider runs", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  const claude = () => createAnthropic({ apiKey: "test-key", baseURL: server.url })("claude-opus-4-6");
  const gpt = () => createOpenAI({ apiKey: "test-key", baseURL: server.url }).responses("gpt-5");

  it("sends Claude its web search beside other tools, and sends its calls and encrypted results back as they came", async () => {
    const agent = agentOn(claude(), [NowTool, search]);
    const content = [...searched("srvtoolu_1"), askNow];
    server.play(anthropicMessage(content, "tool_use"), anthropicMessage([said]));
    const response = await agent.generate("News?");

    const [first, second] = server.requests;
    expect(first?.body.tools).toEqual([
      expect.objectContaining({ name: "now" }),
      { type: "web_search_20260209", name: "web_search", max_uses: 3 },
    ]);
    expect(second?.body.tools).toEqual(first?.body.tools);
    expect(JSON.stringify(second?.body.messages[1].content)).toBe(JSON.stringify(wire(content)));
    expect(response).toMatchObject({ reason: "success", text: "It is noon." });
  });

  it("shows the provider's calls and sources in the step, apart from the tool calls that ran here", async () => {
    const agent = agentOn(claude(), [NowTool, search]);
    server.play(anthropicMessage([...searched("srvtoolu_1"), askNow], "tool_use"), anthropicMessage([said]));
    const { steps } = await agent.generate("News?");

    expect(steps).toHaveLength(2);
    expect(steps[0]).toMatchObject({
      providerCalls: [{ id: "srvtoolu_1", name: "web_search", arguments: '{"query":"news"}', result: [{ url: "https://news.example/" }] }],
      sources: [{ url: "https://news.example/", title: "News" }],
      toolCalls: [{ name: "now", content: "noon" }],
    });
    expect(steps[1]).not.toHaveProperty("providerCalls");
  });

  it("sends the same bytes after the messages of the agent were stored as JSON", async () => {
    const content = [...searched("srvtoolu_1"), said];
    const agent = agentOn(claude(), [search]);
    server.play(anthropicMessage(content));
    await agent.generate("News?");
    const stored = JSON.parse(JSON.stringify(agent.messages)) as Message[];
    const later = agentOn(claude(), [search]);
    later.restore(stored);
    server.play(anthropicMessage([said]));
    await later.generate("And now?");

    expect(JSON.stringify(server.requests[0]?.body.messages[1].content)).toBe(JSON.stringify(wire(content)));
  });

  it("sends the same bytes after the run was resumed from its state as JSON", async () => {
    const content = [...searched("srvtoolu_1"), askNow];
    server.play(anthropicMessage(content, "tool_use"), {
      status: 500,
      body: { type: "error", error: { type: "api_error", message: "down" } },
    });
    const stopped = await agentOn(claude(), [NowTool, search]).generate("News?");
    if (stopped.reason !== "model_error") throw new Error(stopped.reason);
    server.play(anthropicMessage([said]));
    const response = await agentOn(claude(), [NowTool, search]).resume(JSON.parse(JSON.stringify(stopped.state)));

    expect(response).toMatchObject({ reason: "success" });
    expect(JSON.stringify(server.requests[0]?.body.messages[1].content)).toBe(JSON.stringify(wire(content)));
  });

  it("sends the same bytes after the run was resumed from its journal", async () => {
    const content = [...searched("srvtoolu_1"), askNow];
    const journal = new MemoryStorage();
    server.play(anthropicMessage(content, "tool_use"), {
      status: 500,
      body: { type: "error", error: { type: "api_error", message: "down" } },
    });
    const stopped = await agentOn(claude(), [NowTool, search]).generate("News?", { journal });
    server.play(anthropicMessage([said]));
    const response = await agentOn(claude(), [NowTool, search]).resume(stopped.runId, { journal });

    expect(response.reason).toBe("success");
    expect(JSON.stringify(server.requests[0]?.body.messages[1].content)).toBe(JSON.stringify(wire(content)));
  });

  it("keeps a result whose call was part of an earlier answer", async () => {
    const [text, call, result] = searched("srvtoolu_1") as [object, object, object];
    const agent = agentOn(claude(), [NowTool, search]);
    server.play(
      anthropicMessage([text, call, askNow] as never, "tool_use"),
      anthropicMessage([result, { ...askNow, id: "toolu_2" }] as never, "tool_use"),
      anthropicMessage([said]),
    );
    const { steps } = await agent.generate("News?");

    expect(steps.map(({ providerCalls }) => providerCalls?.map(({ result: given }) => given !== undefined))).toEqual([
      [false],
      [true],
      undefined,
    ]);
    const messages = server.requests[2]?.body.messages;
    expect(messages[1].content).toEqual(wire([text, call, askNow] as never));
    expect(messages[3].content).toEqual(wire([result, { ...askNow, id: "toolu_2" }] as never));
  });

  it("streams the provider's calls as events and sends the same bytes back", async () => {
    const agent = agentOn(claude(), [NowTool, search]);
    const content = [...searched("srvtoolu_1"), askNow];
    server.play(anthropicStream(content, "tool_use"), anthropicStream([said]));
    const stream = agent.stream("News?");
    const events = [];
    for await (const event of stream) events.push(event);

    expect(events).toContainEqual({
      type: "provider_call_done",
      step: 1,
      callId: "srvtoolu_1",
      tool: "web_search",
      arguments: '{"query":"news"}',
      result: [
        { url: "https://news.example/", title: "News", pageAge: null, encryptedContent: "Eo8BCioIAhgBIiQ=/+é", type: "web_search_result" },
      ],
    });
    expect(JSON.stringify(server.requests[1]?.body.messages[1].content)).toBe(JSON.stringify(wire(content)));
  });

  it("continues a paused turn with its content, as one step that counts all tokens", async () => {
    const agent = agentOn(claude(), [search]);
    const paused = searched("srvtoolu_1");
    server.play(anthropicMessage(paused, "pause_turn"), anthropicMessage([...searched("srvtoolu_2"), said]), anthropicMessage([said]));
    const response = await agent.generate("News?");
    await agent.generate("More?");

    expect(response).toMatchObject({ reason: "success", text: "I look.I look.It is noon.", usage: { outputTokens: 18 } });
    expect(response.steps).toHaveLength(1);
    const [, resumed, next] = server.requests;
    expect(resumed?.body.tools).toEqual(server.requests[0]?.body.tools);
    expect(resumed?.body.messages.at(-1)).toEqual({ role: "assistant", content: wire(paused) });
    expect(next?.body.messages[1].content).toEqual(wire([...paused, ...searched("srvtoolu_2"), said]));
  });

  it("ends a turn that is paused for ever as truncated after 8 continuations", async () => {
    const agent = agentOn(claude(), [search]);
    server.play(...Array.from({ length: 12 }, (_, index) => anthropicMessage(searched(`srvtoolu_${index}`), "pause_turn")));
    const response = await agent.generate("News?");

    expect(response.reason).toBe("truncated");
    expect(server.requests).toHaveLength(9);
  });

  it("ends the run after the step if the provider ran a tool more often than its budget", async () => {
    const agent = agentOn(claude(), [NowTool, search]);
    server.play(anthropicMessage([...searched("srvtoolu_1"), ...searched("srvtoolu_2"), askNow], "tool_use"));
    const response = await agent.generate("News?", { budget: { callsPerTool: { web_search: 1 } } });

    expect(response).toMatchObject({ reason: "budget_exhausted", outcome: { detail: expect.stringContaining("web_search") } });
    expect(response.steps[0]?.toolCalls).toMatchObject([{ content: "noon" }]);
  });

  it("sends OpenAI its web search and refers to the stored call in the next request", async () => {
    const agent = agentOn(gpt(), [providerTool("openai/web_search", { searchContextSize: "low" })]);
    const call = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "news" } };
    const message = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "News.", annotations: [] }] };
    server.play(openAiResponse([call, message]), openAiResponse([message]));
    const { steps } = await agent.generate("News?");
    await agent.generate("More?");

    expect(steps[0]?.providerCalls).toMatchObject([{ id: "ws_1", name: "web_search", result: { action: { query: "news" } } }]);
    const [first, second] = server.requests;
    expect(first?.body.tools).toEqual([{ type: "web_search", search_context_size: "low" }]);
    expect(second?.body.input).toContainEqual({ type: "item_reference", id: "ws_1" });
  });

  it("sends the tool through a package for AI SDK 5", async () => {
    const older = createOpenAIv2({ apiKey: "test-key", baseURL: server.url }).responses("gpt-5");
    const call = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "news" } };
    const message = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "News.", annotations: [] }] };
    server.play(openAiResponse([call, message]));
    const { steps } = await agentOn(older, [providerTool("openai/web_search")]).generate("News?");

    expect(server.requests[0]?.body.tools).toEqual([{ type: "web_search" }]);
    expect(steps[0]?.providerCalls).toMatchObject([{ id: "ws_1", name: "web_search" }]);
  });

  it("sends nothing of one provider's calls to another one", async () => {
    const agent = agentOn(claude(), [search]);
    server.play(anthropicMessage([...searched("srvtoolu_1"), said]));
    await agent.generate("News?");
    const other = agentOn(gpt(), [NowTool]);
    other.restore(agent.messages);
    server.play(
      openAiResponse([{ type: "message", id: "m", role: "assistant", content: [{ type: "output_text", text: "Yes.", annotations: [] }] }]),
    );
    await other.generate("More?");

    expect(JSON.stringify(server.requests[0]?.body)).not.toMatch(/srvtoolu|web_search|item_reference/);
  });

  it("rejects a tool of another provider before the request", async () => {
    const agent = agentOn(gpt(), [search]);
    server.play();
    await expect(agent.generate("News?")).rejects.toThrow(
      "the model openai/gpt-5, or a fallback of it, can't use anthropic.web_search_20260209, which anthropic runs for its own models. Use a model of anthropic",
    );
    expect(server.requests).toHaveLength(0);
  });

  it("rejects it if only a fallback is of another provider", async () => {
    @model(claude(), { retries: 0, fallback: gpt() })
    @usesTools([search])
    class MixedAgent extends Agent {}
    await expect(new MixedAgent().generate("News?")).rejects.toThrow("or a fallback of it, can't use anthropic.web_search_20260209");
  });

  it("offers a tool with access only to users who have the role", async () => {
    const limited = providerTool("anthropic/web_search", {}, { access: { roles: ["researcher"] } });
    server.play(anthropicMessage([said]), anthropicMessage([said]));
    await agentOn(claude(), [NowTool, limited]).generate("News?", { toolContext: { roles: [] } });
    await agentOn(claude(), [NowTool, limited]).generate("News?", { toolContext: { roles: ["researcher"] } });

    expect(server.requests.map(({ body }) => body.tools.length)).toEqual([1, 2]);
  });

  it("withdraws and offers a provider tool in late messages of Claude, without a change of the first tools", async () => {
    const fetchTool = providerTool("anthropic/web_fetch", { maxUses: 1 });
    const opus = createAnthropic({ apiKey: "test-key", baseURL: server.url })("claude-opus-5-5");
    @model(opus, { retries: 0 })
    @usesTools((context) => ((context as { readonly turn?: number }).turn === 1 ? [NowTool, search] : [NowTool, fetchTool]))
    class ChangingAgent extends Agent {}
    const agent = new ChangingAgent();
    server.play(anthropicMessage([said]), anthropicMessage([said]));
    await agent.generate("News?", { toolContext: { turn: 1 } });
    await agent.generate("More?", { toolContext: { turn: 2 } });

    const [first, second] = server.requests;
    expect(second?.body.tools).toEqual(first?.body.tools);
    expect(JSON.stringify(second?.body.messages)).toContain('"definition":{"type":"web_fetch_20260209","name":"web_fetch","max_uses":1');
    expect(JSON.stringify(second?.body.messages)).toContain('{"type":"tool_removal","tool":{"type":"tool_reference","name":"web_search"}}');
  });
});

/** As the package writes the blocks of the API. */
const wire = (content: readonly Record<string, unknown>[]): unknown =>
  content.map((block) => {
    if (block.type !== "web_search_tool_result") return block;
    const results = block.content as readonly Record<string, unknown>[];
    return { ...block, content: results.map(({ type, ...result }) => ({ ...orderOf(result), type })) };
  });

const orderOf = ({ url, title, page_age, encrypted_content }: Record<string, unknown>) => ({ url, title, page_age, encrypted_content });
