import { Agent, model, usesTools } from "../../../src/agent/index.js";
import type { RunState } from "../../../src/loop/index.js";
import { ScriptedModel, type ScriptedStep } from "../../../src/models/index.js";
import { MemoryConversationStore } from "../../../src/storage/index.js";
import { category, description, effect, identifier, Tool, type ToolContext } from "../../../src/tool/index.js";

const effects: string[] = [];
beforeEach(() => effects.splice(0));

@identifier("pay")
@description("Pays.")
@effect("once")
class PayTool extends Tool {
  call() {
    effects.push("pay");
    return "Paid.";
  }
}

@identifier("look")
@description("Looks.")
@category("read")
class LookTool extends Tool {
  call() {
    effects.push("look");
    return "A lamp.";
  }
}

@identifier("put")
@description("Puts.")
@effect("idempotent")
class PutTool extends Tool {
  call({ idempotencyKey }: ToolContext) {
    effects.push(`put ${idempotencyKey}`);
    return "Put.";
  }
}

function shop(...steps: readonly ScriptedStep[]) {
  const scripted = new ScriptedModel(steps);

  @model(scripted)
  @usesTools([PayTool, LookTool, PutTool])
  @identifier("shop")
  class ShopAgent extends Agent {}

  return { agent: new ShopAgent(), scripted };
}

/** What a listener stored when the answer with the calls had come, before the process ended. */
async function storedMidway(...tools: readonly string[]) {
  const { agent } = shop({ toolCalls: tools.map((name) => ({ name })) }, "Paid.");
  const store = new MemoryConversationStore();
  let state: RunState | undefined;
  agent.onMessage(({ role }) => {
    if (role !== "assistant" || state !== undefined) return;
    state = agent.state;
    void agent.save(store, "42");
  });
  await agent.generate("Pay.");
  return { before: effects.splice(0), state: JSON.parse(JSON.stringify(state)) as RunState, store };
}

const unknown = expect.stringMatching(/^It isn't known whether this call/);

describe("a state that was stored in the middle of a run without a journal", () => {
  it("doesn't pay when it is resumed, because the call may have begun; the model reads so, and what only reads runs", async () => {
    const { state } = await storedMidway("pay", "look");
    const { agent, scripted } = shop("I don't know.");
    expect((await agent.resume(state)).reason).toBe("success");
    expect(effects).toEqual(["look"]);
    const results = scripted.requests[0]?.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    expect(results).toEqual([unknown, "A lamp."]);
  });

  it("pays once in all if two workers resume it at once", async () => {
    const { before, state } = await storedMidway("pay");
    await Promise.all([shop("I don't know.").agent.resume(state), shop("I don't know.").agent.resume(state)]);
    expect([...before, ...effects]).toEqual(["pay"]);
  });

  it("calls an idempotent tool again under the same key", async () => {
    const { before, state } = await storedMidway("put");
    await shop("Put.").agent.resume(state);
    expect(before).toHaveLength(1);
    expect(effects).toEqual(before);
  });

  it("doesn't let the model read that nothing ran when the conversation goes on with another prompt", async () => {
    const { store } = await storedMidway("pay", "look");
    const { agent, scripted } = shop("I look.");
    await (await agent.load(store, "42")).generate("Did you pay?");
    const results = scripted.requests[0]?.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    expect(results).toEqual([unknown, unknown]);
  });
});
