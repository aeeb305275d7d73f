import { Agent, model, usesTools } from "../../../src/agent/index.js";
import { approve } from "../../../src/confirmation/index.js";
import type { RunState } from "../../../src/loop/index.js";
import { ScriptedModel, type ScriptedStep } from "../../../src/models/index.js";
import { MemoryConversationStore, MemoryDecisionClaims } from "../../../src/storage/index.js";
import {
  category,
  description,
  effect,
  identifier,
  requiresConfirmation,
  Tool,
  type ToolClass,
  type ToolContext,
} from "../../../src/tool/index.js";

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

@identifier("refund")
@description("Refunds, if a person approves.")
@requiresConfirmation()
@effect("once")
class RefundTool extends Tool {
  call() {
    effects.push("refund");
    midway?.();
    return "Refunded.";
  }
}

/** Called while a refund runs. */
let midway: (() => void) | undefined;
beforeEach(() => {
  midway = undefined;
});

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

const shop = (...steps: readonly ScriptedStep[]) => shopWith([PayTool, RefundTool, LookTool, PutTool], ...steps);

function shopWith(tools: readonly ToolClass[], ...steps: readonly ScriptedStep[]) {
  const scripted = new ScriptedModel(steps);

  @model(scripted)
  @usesTools(tools)
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

  it.each([
    ["pay", [LookTool, PutTool]],
    ["put", [PayTool, LookTool]],
  ])("doesn't say that %s is unknown to a process without the tool, because the call may have taken effect", async (name, tools) => {
    const { state } = await storedMidway(name);
    const { agent, scripted } = shopWith(tools, "I don't know.");
    expect((await agent.resume(state)).reason).toBe("success");
    expect(scripted.requests[0]?.messages.at(-1)).toMatchObject({ role: "tool", content: unknown });
  });

  it("says that a tool is unknown if the model was never offered it", async () => {
    const { state } = await storedMidway("cancel");
    const { agent, scripted } = shop("I see.");
    await agent.resume(state);
    expect(scripted.requests[0]?.messages.at(-1)).toMatchObject({ role: "tool", errorType: "unknown_tool" });
  });

  it("calls an idempotent tool again under the same key after load", async () => {
    const { before, store } = await storedMidway("put");
    const { agent } = shop("Put.");
    await agent.load(store, "42");
    await agent.resume(agent.state as RunState);
    expect(before).toHaveLength(1);
    expect(effects).toEqual(before);
  });

  it("asks the person again about a call that was approved and may have begun; the approval that was used doesn't run it", async () => {
    const { state: paused, confirmations: asked = [] } = await shop({ toolCalls: [{ name: "refund" }] }).agent.generate("Refund.");
    const { agent } = shop("Refunded.");
    let stored: string | undefined;
    midway = () => {
      stored = JSON.stringify(agent.state);
    };
    const decisions = asked.map((confirmation) => approve(confirmation));
    const claims = new MemoryDecisionClaims();
    await agent.resume(paused as RunState, { decisions, claims });
    expect(effects.splice(0)).toEqual(["refund"]);
    const state = JSON.parse(stored as string) as RunState;
    await expect(shop("Refunded.").agent.resume(state, { decisions })).rejects.toMatchObject({ name: "DecisionError" });
    const { confirmations, reason } = await shop("Refunded.").agent.resume(state);
    expect({ reason, confirmations }).toMatchObject({ reason: "awaiting_confirmation", confirmations: [{ outcomeUnknown: true }] });
    expect(effects).toEqual([]);
  });

  it("doesn't let the model read that nothing ran when the conversation goes on with another prompt", async () => {
    const { store } = await storedMidway("pay", "look");
    const { agent, scripted } = shop("I look.");
    await (await agent.load(store, "42")).generate("Did you pay?");
    const results = scripted.requests[0]?.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    expect(results).toEqual([unknown, unknown]);
  });
});
