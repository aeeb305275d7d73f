import { Agent, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { type ConversationStore, MemoryConversationStore } from "../../src/storage/index.js";
import type { RunState } from "../../src/loop/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createTool } from "../../src/tool/index.js";
import { isPaired } from "../support/paired.js";

const gated = createTool({
  name: "gated",
  description: "For tests. Use never.",
  inputSchema: { type: "object" },
  requiresConfirmation: true,
  execute: () => "done",
});

const free = createTool({
  name: "free",
  description: "For tests. Use never.",
  inputSchema: { type: "object" },
  execute: () => "already done",
});

function agents(...script: ConstructorParameters<typeof ScriptedModel>[0]) {
  const scripted = new ScriptedModel(script);

  @model(scripted)
  @usesTools([gated, free])
  class StoredAgent extends Agent {}

  return { StoredAgent, scripted };
}

describe("agent.load and agent.save", () => {
  it("go on with a conversation in another process", async () => {
    const { StoredAgent, scripted } = agents("Hello Ada.", "You are Ada.");
    const store = new MemoryConversationStore();
    const first = new StoredAgent();
    await first.generate("I am Ada");
    await first.save(store, "42");
    const second = await new StoredAgent().load(store, "42");
    expect((await second.generate("Who am I?")).text).toBe("You are Ada.");
    expect(scripted.requests[1]?.messages.map(({ content }) => content)).toEqual(["I am Ada", "Hello Ada.", "Who am I?"]);
  });

  it("begin a new conversation under an id that nobody saved", async () => {
    const { StoredAgent } = agents("Hello.");
    const agent = await new StoredAgent().load(new MemoryConversationStore(), "new");
    expect(agent.messages).toEqual([]);
    expect(agent.state).toBeUndefined();
  });

  it("keep a run that waits, which can be resumed, or given up by going on", async () => {
    const { StoredAgent } = agents({ toolCalls: [{ name: "gated" }] }, "Done.", "As you like.");
    const store = new MemoryConversationStore();
    const first = new StoredAgent();
    await first.generate("Go");
    await first.save(store, "42");

    const second = await new StoredAgent().load(store, "42");
    if (second.state === undefined) throw new Error("the run waits");
    expect((await second.resume(second.state, { decisions: [approve("call_1")] })).text).toBe("Done.");
    expect(second.state).toBeUndefined();

    const third = await new StoredAgent().load(store, "42");
    expect((await third.generate("Leave it")).text).toBe("As you like.");
    expect(third.state).toBeUndefined();
  });

  it("keep what was done before a run waited, where the conversation goes on without it", async () => {
    const { StoredAgent, scripted } = agents({ toolCalls: [{ name: "gated" }, { name: "free" }] }, "As you like.", "Once more.");
    const store = new MemoryConversationStore();
    const first = new StoredAgent();
    await first.generate("Go");
    await first.save(store, "42");

    const second = await new StoredAgent().load(store, "42");
    // Nothing was decided by looking at it.
    await second.save(store, "42");
    const third = await new StoredAgent().load(store, "42");
    await third.generate("Leave it");
    const sent = scripted.requests[1]?.messages ?? [];
    expect(isPaired(sent)).toBe(true);
    expect(sent.map(({ content }) => content)).toEqual([
      "Go",
      "",
      "Not run: the conversation went on before anybody decided whether to run this call.",
      "already done",
      "Leave it",
    ]);
    await third.generate("And now?");
    expect(scripted.requests[2]?.messages).toHaveLength(7);
  });

  it("go on where the run that waited is of another version of the library", async () => {
    const { StoredAgent } = agents({ toolCalls: [{ name: "gated" }] }, "As you like.");
    const store = new MemoryConversationStore();
    const first = new StoredAgent();
    await first.generate("Go");
    store.save("42", { version: 1, messages: first.messages, state: { version: 2, runId: "run_1" } as unknown as RunState });
    expect((await (await new StoredAgent().load(store, "42")).generate("Leave it")).text).toBe("As you like.");
  });

  it("say what is wrong with what a store gives", async () => {
    const { StoredAgent } = agents();
    const broken: ConversationStore = { load: () => ({ version: 2, messages: [] }) as never, save: () => undefined };
    await expect(new StoredAgent().load(broken, "42")).rejects.toThrow('The conversation "42" has version 2');
  });
});
