/** What a conversation offered to its model first, and what changed since: it is kept wherever the conversation goes on. */
import { readFileSync } from "node:fs";
import { Agent, instructions, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
import { Conversation } from "../../src/conversation/internal.js";
import { type ChatRequest, type ModelTool, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { ConversationStoreError, MemoryConversationStore, MemoryStorage } from "../../src/storage/index.js";
import { createTool, type ToolClass } from "../../src/tool/index.js";

const tool = (name: string, description = `Does ${name}. Use when asked to.`, requiresConfirmation = false): ToolClass =>
  createTool({ name, description, requiresConfirmation, inputSchema: { type: "object", properties: {} }, execute: () => "done" });
const search = tool("search");
const refund = tool("refund");

interface Situation {
  readonly says?: string;
  readonly tools?: readonly ToolClass[];
}

/** The same agent in each process: its class, and the code of its tools, may be another one. */
function process(...script: readonly ScriptedStep[]) {
  const scripted = new ScriptedModel(script);
  @model(scripted, { retries: 0 })
  @instructions((context) => (context as Situation).says ?? "Be brief.")
  @usesTools((context) => [...((context as Situation).tools ?? [search])])
  class OfficeAgent extends Agent {}
  return { agent: new OfficeAgent(), requests: scripted.requests };
}

const namesIn = (request: ChatRequest | undefined) => request?.tools.map(({ name }) => name);
const changesIn = (request: ChatRequest | undefined) => request?.growing?.messages.filter(({ role }) => role === "change");

describe("the prefix of a conversation", () => {
  it("is what the first request offered, and a request that offers the same has no other form", async () => {
    const { agent, requests } = process("One.", "Two.");
    expect(agent.prefix).toBeUndefined();
    await agent.generate("1");
    await agent.generate("2");

    expect(agent.prefix).toEqual({ instructions: "Be brief.", tools: [expect.objectContaining({ name: "search" })] });
    expect(requests.map(({ growing }) => growing)).toEqual([undefined, undefined]);
  });

  it("stays, and each change is sent in its place, while tools and messages are complete for models that know nothing of it", async () => {
    const { agent, requests } = process("One.", "Two.", "Three.");
    await agent.generate("1");
    await agent.generate("2", { toolContext: { tools: [refund], says: "Be kind." } });
    await agent.generate("3", { toolContext: { tools: [search, refund], says: "Be kind." } });

    expect(requests.map(namesIn)).toEqual([["search"], ["refund"], ["search", "refund"]]);
    expect(requests[2]?.messages[0]).toEqual({ role: "system", content: "Be kind." });
    const { growing } = requests[2] as ChatRequest;
    expect(growing?.tools.map(({ name }) => name)).toEqual(["search"]);
    expect(growing?.messages.map((entry) => entry.role)).toEqual([
      "system",
      "user",
      "assistant",
      "user",
      "change",
      "assistant",
      "user",
      "change",
    ]);
    expect(growing?.messages[0]).toEqual({ role: "system", content: "Be brief." });
    expect(changesIn(requests[2])).toEqual([
      { role: "change", instructions: "Be kind.", offered: [expect.objectContaining({ name: "refund" })], withdrawn: ["search"] },
      { role: "change", offered: [expect.objectContaining({ name: "search" })] },
    ]);
  });

  it("goes on from a store in another process whose code defines a tool otherwise", async () => {
    const store = new MemoryConversationStore();
    const first = process("One.");
    await first.agent.generate("1");
    await first.agent.save(store, "ada");

    const second = process("Two.", "Three.");
    await second.agent.load(store, "ada");
    await second.agent.generate("2", { toolContext: { tools: [tool("search", "Searches the new index.")] } });
    await second.agent.save(store, "ada");
    expect(second.requests[0]?.growing?.tools).toEqual(first.agent.prefix?.tools);
    expect(changesIn(second.requests[0])).toEqual([
      { role: "change", offered: [expect.objectContaining({ description: "Searches the new index." })] },
    ]);

    const third = process("Four.");
    await third.agent.load(store, "ada");
    await third.agent.generate("4", { toolContext: { tools: [] } });
    expect(third.requests[0]?.growing?.tools).toEqual(first.agent.prefix?.tools);
    expect(changesIn(third.requests[0])?.at(-1)).toEqual({ role: "change", withdrawn: ["search"] });
    expect(namesIn(third.requests[0])).toEqual([]);
  });

  it("goes on with a stored state that was paused, and with a record after a crash", async () => {
    const pay = tool("pay", "Pays. Use when asked to.", true);
    const journal = new MemoryStorage();
    const first = process({ toolCalls: [{ name: "pay" }] });
    const { state } = await first.agent.generate("Pay.", { toolContext: { tools: [pay, search] }, journal, runId: "run" });
    expect(state?.prefix).toEqual(first.agent.prefix);

    const second = process({ error: new Error("The process ends.") });
    await expect(second.agent.resume("run", { journal, toolContext: { tools: [pay] } })).resolves.toMatchObject({
      reason: "awaiting_confirmation",
    });
    const decided = process("Paid.");
    await decided.agent.resume("run", { journal, toolContext: { tools: [pay] }, decisions: [approve("call_1")] });
    expect(decided.requests[0]?.growing?.tools.map(({ name }) => name)).toEqual(["pay", "search"]);
    expect(changesIn(decided.requests[0])).toEqual([{ role: "change", withdrawn: ["search"] }]);
  });

  describe("of what was stored before conversations had prefixes", () => {
    const pay = tool("pay", "Pays. Use when asked to.", true);
    const { conversation, journal: entries } = JSON.parse(readFileSync("test/data/stored-without-prefix.json", "utf8"));
    const options = (callId: string) => ({ toolContext: { tools: [pay] }, decisions: [approve(callId)] });

    it("begins with the next request of a conversation", async () => {
      const { agent, requests } = process("Paid.");
      await agent.load({ load: () => conversation, save: () => undefined }, "ada");
      expect(agent.prefix).toBeUndefined();
      const { text } = await agent.resume(agent.state as RunState, options("call_1"));

      expect([text, namesIn(requests[0]), requests[0]?.growing]).toEqual(["Paid.", ["pay"], undefined]);
      expect(agent.prefix?.tools).toHaveLength(1);
    });

    it("begins with the next request of a recorded run", async () => {
      const storage = new MemoryStorage();
      const lease = await storage.leases.acquire("run run", "test", 60_000);
      await storage.journals.append({ runId: "run", agent: "office_agent", status: "waiting", position: 0, entries }, lease);
      await storage.leases.release(lease);
      const { agent } = process("Paid.");

      expect((await agent.resume("run", { ...options("call_2"), journal: storage })).text).toBe("Paid.");
      expect((await storage.journals.read("run")).map(({ kind }) => kind).slice(entries.length)).toContain("prefix");
    });
  });

  it.each<[string, unknown]>([
    ["a text in place of the tools", { tools: "search" }],
    ["a tool that is null", { tools: [null] }],
    ["a tool without a name", { tools: [{ description: "Searches.", parameters: {} }] }],
    ["a tool whose parameters are a text", { tools: [{ name: "search", description: "", parameters: "x" }] }],
    ["two tools of one name", { tools: [{ name: "search" }, { name: "search" }] }],
    ["instructions that are a number", { tools: [], instructions: 5 }],
    ["a change that is null", { tools: [], changes: [null] }],
    ["a change without a place", { tools: [], changes: [{ withdrawn: ["search"] }] }],
    ["a change before the history", { tools: [], changes: [{ after: -1 }] }],
    ["changes in another order", { tools: [], changes: [{ after: 2 }, { after: 1 }] }],
    ["a withdrawn number", { tools: [], changes: [{ after: 0, withdrawn: [5] }] }],
    ["an offered text", { tools: [], changes: [{ after: 0, offered: "search" }] }],
  ])("is refused if the store gives %s", async (_name, prefix) => {
    const store = { load: () => ({ version: 1, messages: [], prefix: prefix as object }) as const, save: () => undefined };
    await expect(process().agent.load(store, "ada")).rejects.toThrow(ConversationStoreError);
  });

  it("takes work in proportion to its changes", () => {
    const readsOf = (count: number): number => {
      let reads = 0;
      const counted = (name: string): ModelTool => ({
        get name() {
          reads += 1;
          return name;
        },
        description: "For tests.",
        parameters: {},
      });
      const changes = Array.from({ length: count }, (_, index) => ({ after: 0, offered: [counted(`tool_${index}`)] }));
      const conversation = new Conversation();
      conversation.restoreWith([], { tools: [], changes });
      expect(conversation.tools).toHaveLength(count);
      return reads;
    };
    expect(readsOf(2_000)).toBeLessThan(2.5 * readsOf(1_000));
  });

  it("begins anew if the application restores messages", async () => {
    const { agent, requests } = process("One.", "Two.");
    await agent.generate("1");
    agent.restore(agent.messages);
    await agent.generate("2", { toolContext: { tools: [refund] } });

    expect([namesIn(requests[1]), requests[1]?.growing]).toEqual([["refund"], undefined]);
  });
});
