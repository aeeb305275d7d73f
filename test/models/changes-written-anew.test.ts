/** What the real packages send for a change that Claude's API takes only at the beginning of a request. */
import { createBedrockAnthropic } from "@ai-sdk/amazon-bedrock/anthropic";
import { createAnthropic } from "@ai-sdk/anthropic";
import { Agent, type AgentListener, instructions, model, usesTools } from "../../src/agent/index.js";
import type { ChangedPart, ModelReference } from "../../src/models/index.js";
import { MemoryConversationStore } from "../../src/storage/index.js";
import { createTool, providerTool, type ToolClass } from "../../src/tool/index.js";
import { anthropicMessage, ProviderServer, type ServerReply } from "../support/provider-servers.js";

const tool = (name: string, description = `Does ${name}. Use when asked to.`): ToolClass =>
  createTool({ name, description, inputSchema: { type: "object", properties: {} }, execute: () => "done" });
const search = tool("search");
const refund = tool("refund");
const audit = tool("audit");
const thought = anthropicMessage([
  { type: "thinking", thinking: "", signature: "signed" },
  { type: "text", text: "Done." },
]);
const bound: ServerReply = {
  status: 400,
  body: {
    type: "error",
    error: {
      type: "invalid_request_error",
      message: "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.",
    },
  },
};

describe("a conversation with Claude whose beginning can't stay", () => {
  let server: ProviderServer;
  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.close());

  const parts: ChangedPart[] = [];
  beforeEach(() => {
    parts.length = 0;
  });
  const listener: AgentListener = { prefixChanged: ({ part }) => parts.push(part) };
  const agentOn = (reference: ModelReference) => {
    @model(reference, { retries: 0 })
    @instructions((context) => (context as { says?: string }).says as string)
    @usesTools((context) => [...(context as { tools: readonly ToolClass[] }).tools])
    class ChangingAgent extends Agent {}
    return new ChangingAgent();
  };
  const say = (agent: Agent, says: string | undefined, tools: readonly ToolClass[]) =>
    agent.generate("Go on.", { toolContext: { says, tools }, listeners: [listener] });
  const bodies = () => server.requests.map(({ body }) => body);
  const namesIn = (tools: readonly { readonly name: string }[] = []) => tools.map(({ name }) => name);
  const claude = () => createAnthropic({ apiKey: "key", baseURL: server.url })("claude-opus-5-5");
  const onBedrock = () =>
    createBedrockAnthropic({ apiKey: "key", baseURL: server.url, region: "us-east-1" })("anthropic.claude-opus-5-5-v1:0");
  const newSearch = tool("search", "Searches the new index. Use when asked to.");

  it("is written anew once for a changed definition on Bedrock's endpoint, and later changes are appended, also after it was stored", async () => {
    server.play(thought, thought, thought, thought);
    const agent = agentOn(onBedrock());
    await say(agent, "Be brief.", [search, refund]);
    await say(agent, "Be kind.", [newSearch]);
    await say(agent, "Be brief.", [newSearch, audit]);
    const store = new MemoryConversationStore();
    await agent.save(store, "ada");
    await say(await agentOn(onBedrock()).load(store, "ada"), "Be brief.", [newSearch, refund, audit]);

    const [, second, third, fourth] = bodies();
    expect([second.system[0].text, namesIn(second.tools), second.tools[0].description]).toEqual([
      "Be kind.",
      ["search"],
      "Searches the new index. Use when asked to.",
    ]);
    expect(second.messages.map(({ role }: { readonly role: string }) => role)).toEqual(["user", "assistant", "user"]);
    expect([third.system, third.tools[0]]).toEqual([second.system, second.tools[0]]);
    expect(third.messages.slice(0, 3)).toEqual(second.messages);
    expect(third.messages.at(-1)).toMatchObject({ role: "system", content: [{ text: expect.stringContaining("Be brief.") }, {}] });
    expect(fourth.tools.slice(0, 2)).toEqual(third.tools);
    expect(fourth.messages.slice(0, third.messages.length)).toEqual(third.messages);
    expect(parts).toEqual(["tools"]);
  });

  it("lets Claude drop the thinking that no longer fits, from the request with the new definition on", async () => {
    server.play(thought, bound, thought, thought);
    const agent = agentOn(onBedrock());
    await say(agent, "Be brief.", [search]);
    expect((await say(agent, "Be brief.", [newSearch])).text).toBe("Done.");
    await say(agent, "Be kind.", [newSearch]);

    const drops = { prefix_mismatch_behavior: "drop_block" };
    expect(bodies().map(({ thinking }) => thinking?.block_binding)).toEqual([undefined, undefined, drops, drops]);
    const [, , third, fourth] = bodies();
    expect([fourth.tools, fourth.system, fourth.messages.slice(0, 3)]).toEqual([third.tools, third.system, third.messages]);
  });

  it("is written anew once if a provider's tool becomes a function of the same name", async () => {
    server.play(thought, thought, thought);
    const agent = agentOn(claude());
    await say(agent, "Be brief.", [providerTool("anthropic/web_search", {})]);
    await say(agent, "Be brief.", [tool("web_search")]);
    await say(agent, "Be brief.", [tool("web_search"), refund]);

    const [first, second, third] = bodies();
    expect(first.tools[0].type).toContain("web_search_");
    expect([namesIn(second.tools), second.tools[0].type, second.messages.length]).toEqual([["web_search"], undefined, 3]);
    expect([third.tools, third.messages.slice(0, 3)]).toEqual([second.tools, second.messages]);
    expect(third.messages.at(-1).role).toBe("system");
    expect(parts).toEqual(["tools"]);
  });

  it("is kept if it has neither instructions nor tools, and the first tools come with the first instructions", async () => {
    server.play(thought, thought, thought);
    const agent = agentOn(claude());
    await say(agent, undefined, []);
    await say(agent, "Be brief.", [search]);
    await say(agent, "Be kind.", [search]);

    const [first, second, third] = bodies();
    for (const body of [first, second, third]) expect([body.system, body.tools]).toEqual([undefined, undefined]);
    expect(second.messages.slice(0, 1)).toEqual(first.messages);
    expect(second.messages.at(-1)).toMatchObject({
      role: "system",
      content: [{ text: expect.stringContaining("Be brief.") }, { type: "tool_addition" }],
    });
    expect(third.messages.slice(0, second.messages.length)).toEqual(second.messages);
    expect(server.requests[1]?.headers["anthropic-beta"]).toContain("inline-tools-2026-09-15");
    expect(parts).toEqual([]);
  });

  it("is written anew once if it has neither, and instructions come before any tool", async () => {
    server.play(thought, thought, thought);
    const agent = agentOn(claude());
    await say(agent, undefined, []);
    await say(agent, "Be brief.", []);
    await say(agent, "Be kind.", [search]);

    const [, second, third] = bodies();
    expect([second.system[0].text, third.system]).toEqual(["Be brief.", second.system]);
    expect([third.tools, third.messages.slice(0, 3)]).toEqual([undefined, second.messages]);
    expect(parts).toEqual(["instructions"]);
  });

  it("has the latest definition of the tool that is sent beside its first instructions", async () => {
    server.play(thought, thought, thought);
    const agent = agentOn(claude());
    await say(agent, undefined, [search]);
    await say(agent, undefined, [newSearch]);
    await say(agent, "Be brief.", [newSearch]);

    const [text, addition] = bodies()[2].messages.at(-1).content;
    expect(text.text).toContain("Be brief.");
    expect(addition.tool.definition.description).toBe("Searches the new index. Use when asked to.");
  });
});
