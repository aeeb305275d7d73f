import { Agent, approve, type ConversationStore, MemoryConversationStore, model, usesTools } from "../../src/agent/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createTool } from "../../src/tool/index.js";

const gated = createTool({
  name: "gated",
  description: "For tests. Use never.",
  inputSchema: { type: "object" },
  requiresConfirmation: true,
  execute: () => "done",
});

function agents(...script: ConstructorParameters<typeof ScriptedModel>[0]) {
  const scripted = new ScriptedModel(script);

  @model(scripted)
  @usesTools([gated])
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

  it("say what is wrong with what a store gives", async () => {
    const { StoredAgent } = agents();
    const broken: ConversationStore = { load: () => ({ version: 2, messages: [] }) as never, save: () => undefined };
    await expect(new StoredAgent().load(broken, "42")).rejects.toThrow('The conversation "42" has version 2');
  });
});
