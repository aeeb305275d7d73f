import { Agent, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import {
  ConversationConflictError,
  type ConversationStore,
  MemoryConversationStore,
  type StoredConversation,
} from "../../src/storage/index.js";
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

const questionsIn = (store: MemoryConversationStore, id = "42") =>
  store.load(id)?.messages.flatMap(({ role, content }) => (role === "user" ? [content] : []));

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

  it("begin a new conversation under an unknown id", async () => {
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

  it("keep what was done before a run waited, if the conversation goes on without it", async () => {
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

  it("keep a turn that another instance saved meanwhile", async () => {
    const { StoredAgent } = agents("Hello Ada.", "One.", "Two.", "Three.");
    const store = new MemoryConversationStore();
    await (await new StoredAgent().load(store, "42")).save(store, "42");
    const [first, second] = [await new StoredAgent().load(store, "42"), await new StoredAgent().load(store, "42")];
    await first.generate("one");
    await second.generate("two");
    await first.save(store, "42");
    await expect(second.save(store, "42")).rejects.toMatchObject({ name: "ConversationConflictError", id: "42", loaded: 1, stored: 2 });
    // It stays so until the conversation is loaded again.
    await expect(second.save(store, "42")).rejects.toThrow(ConversationConflictError);
    await second.load(store, "42");
    await second.generate("two");
    await second.save(store, "42");
    expect(questionsIn(store)).toEqual(["one", "two"]);
  });

  it("save the turns of one instance one after another, as new and as loaded", async () => {
    const { StoredAgent } = agents("One.", "Two.", "Three.");
    const store = new MemoryConversationStore();
    const agent = new StoredAgent();
    for (const text of ["one", "two"]) {
      await agent.generate(text);
      await agent.save(store, "42");
    }
    const loaded = await new StoredAgent().load(store, "42");
    await loaded.generate("three");
    await loaded.save(store, "42");
    await loaded.save(store, "42");
    expect(store.load("42")?.revision).toBe(4);
    expect(questionsIn(store)).toEqual(["one", "two", "three"]);
  });

  it("make a new conversation, and replace none, with an instance that loaded nothing", async () => {
    const { StoredAgent } = agents("One.", "Two.");
    const store = new MemoryConversationStore();
    const [first, second] = [new StoredAgent(), new StoredAgent()];
    await first.generate("one");
    await second.generate("two");
    await first.save(store, "42");
    await expect(second.save(store, "42")).rejects.toMatchObject({ loaded: 0, stored: 1 });
    await second.save(store, "43");
    expect([questionsIn(store), questionsIn(store, "43")]).toEqual([["one"], ["two"]]);
  });

  it("copy a loaded conversation to a new id, and to no other", async () => {
    const { StoredAgent } = agents("One.", "Two.");
    const store = new MemoryConversationStore();
    const other = new StoredAgent();
    await other.save(store, "other");
    const agent = await new StoredAgent().load(store, "42");
    await agent.generate("one");
    await agent.save(store, "42");
    await agent.save(store, "copy");
    await expect(agent.save(store, "other")).rejects.toThrow(ConversationConflictError);
    // The history is another one now.
    await agent.load(store, "other");
    await expect(agent.save(store, "42")).rejects.toThrow(ConversationConflictError);
    expect([questionsIn(store), questionsIn(store, "copy"), questionsIn(store, "other")]).toEqual([["one"], ["one"], []]);
  });

  it("save a loaded history that was restored in another form", async () => {
    const { StoredAgent } = agents("One.");
    const store = new MemoryConversationStore();
    const first = new StoredAgent();
    await first.generate("one");
    await first.save(store, "42");
    const second = await new StoredAgent().load(store, "42");
    second.restore([{ role: "user", content: "edited" }]);
    await second.save(store, "42");
    expect(questionsIn(store)).toEqual(["edited"]);
  });

  it("keep the loaded revision if the load of a busy instance fails", async () => {
    const { StoredAgent } = agents("One.", { toolCalls: [{ name: "slow" }] }, "Two.");
    const store = new MemoryConversationStore();
    const agent = await new StoredAgent().load(store, "42");
    const rival = await new StoredAgent().load(store, "42");
    await rival.generate("one");
    await rival.save(store, "42");
    const running = agent.generate("two");
    await expect(agent.load(store, "42")).rejects.toThrow("is still answering");
    await running;
    await expect(agent.save(store, "42")).rejects.toMatchObject({ loaded: 0, stored: 1 });
  });

  it("say what is wrong with what a store gives", async () => {
    const { StoredAgent } = agents();
    const broken: ConversationStore = { load: () => ({ version: 2, messages: [] }) as never, save: () => undefined };
    await expect(new StoredAgent().load(broken, "42")).rejects.toThrow('The conversation "42" has version 2');
  });
});

describe("saves of one instance", () => {
  /** A store whose writes take as many turns of the event loop as `delay` says. It keeps whatever comes last. */
  class SlowStore implements ConversationStore {
    readonly texts = new Map<string, string>();
    writes = 0;
    readonly #delay: () => number;
    readonly #before: () => void;

    constructor(delay: () => number = () => 1, before: () => void = () => undefined) {
      this.#delay = delay;
      this.#before = before;
    }

    load(id: string): StoredConversation | undefined {
      const text = this.texts.get(id);
      return text === undefined ? undefined : (JSON.parse(text) as StoredConversation);
    }

    async save(id: string, conversation: StoredConversation): Promise<void> {
      this.writes += 1;
      const text = JSON.stringify(conversation);
      for (let turns = this.#delay(); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
      this.#before();
      this.texts.set(id, text);
    }
  }

  it("lose no last message if they are made beside each other, whatever time each takes", async () => {
    for (let run = 0; run < 200; run++) {
      const { StoredAgent } = agents({ toolCalls: [{ name: "free" }] }, { toolCalls: [{ name: "free" }] }, "The last.");
      const store = new SlowStore(() => Math.floor(Math.random() * 6));
      const agent = new StoredAgent();
      agent.onMessage(() => agent.save(store, "42"));
      await agent.generate("Go");
      await agent.save(store, "42");
      // What is still under way may come later.
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(store.load("42")?.messages.at(-1)?.content).toBe("The last.");
      expect(store.load("42")?.messages).toHaveLength(6);
    }
  });

  it("are written together while another is under way, and end when theirs or a later one is stored", async () => {
    const { StoredAgent } = agents("One.", "Two.");
    const store = new SlowStore(() => 3);
    const agent = new StoredAgent();
    await agent.generate("one");
    const stored: unknown[] = [];
    const saves = [agent.save(store, "42")];
    await new Promise((resolve) => setImmediate(resolve));
    await agent.generate("two");
    for (let time = 0; time < 10; time++) saves.push(agent.save(store, "42"));
    for (const save of saves) void save.then(() => stored.push(store.load("42")?.messages.length));
    await Promise.all(saves);
    expect(store.writes).toBe(2);
    expect(stored).toEqual([2, ...Array<number>(10).fill(4)]);
  });

  it("store the conversation that they were asked to, also if another is loaded meanwhile", async () => {
    const { StoredAgent } = agents("One.");
    const store = new SlowStore(() => 3);
    const agent = new StoredAgent();
    await agent.generate("one");
    const saving = [agent.save(store, "42"), agent.save(store, "43")];
    await agent.load(store, "other");
    await Promise.all(saving);
    expect([store.load("42"), store.load("43")].map((one) => one?.messages.length)).toEqual([2, 2]);
  });

  it("come before a load of the same conversation", async () => {
    const { StoredAgent } = agents("One.");
    const store = new SlowStore(() => 3);
    const agent = new StoredAgent();
    await agent.generate("one");
    const saving = agent.save(store, "42");
    await agent.load(store, "42");
    expect(agent.messages).toHaveLength(2);
    await saving;
    await agent.save(store, "42");
    expect(store.load("42")?.revision).toBe(2);
  });

  it("reject if the store does, and the next one is stored", async () => {
    const { StoredAgent } = agents("One.", "Two.");
    let failures = 1;
    const store = new SlowStore(undefined, () => {
      if (failures-- > 0) throw new Error("The disk is full.");
    });
    const agent = new StoredAgent();
    await agent.generate("one");
    const first = agent.save(store, "42");
    const together = [first, agent.save(store, "42")];
    expect((await Promise.allSettled(together)).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    await agent.generate("two");
    await agent.save(store, "42");
    expect(store.load("42")).toMatchObject({ revision: 1, messages: { length: 4 } });
  });

  it("go on if a save arrived although it failed", async () => {
    const { StoredAgent } = agents("One.", "Two.");
    const kept = new MemoryConversationStore();
    let isBroken = true;
    const store: ConversationStore = {
      load: (id) => kept.load(id),
      save: (id, conversation) => {
        kept.save(id, conversation);
        if (isBroken) throw new Error("The connection was lost.");
      },
    };
    const agent = new StoredAgent();
    await agent.generate("one");
    await expect(agent.save(store, "42")).rejects.toThrow("The connection was lost.");
    isBroken = false;
    await agent.generate("two");
    await agent.save(store, "42");
    expect(questionsIn(kept)).toEqual(["one", "two"]);
  });

  it("don't take the save of another instance for one that arrived", async () => {
    const { StoredAgent } = agents("One.", "Two.");
    const kept = new MemoryConversationStore();
    const store: ConversationStore = {
      load: (id) => kept.load(id),
      save: () => {
        throw new Error("The connection was lost.");
      },
    };
    const [agent, rival] = [new StoredAgent(), new StoredAgent()];
    await agent.generate("one");
    await expect(agent.save(store, "42")).rejects.toThrow("The connection was lost.");
    await rival.generate("two");
    await rival.save(kept, "42");
    Object.assign(store, { save: (id: string, conversation: StoredConversation) => kept.save(id, conversation) });
    await expect(agent.save(store, "42")).rejects.toThrow(ConversationConflictError);
    expect(questionsIn(kept)).toEqual(["two"]);
  });
});
