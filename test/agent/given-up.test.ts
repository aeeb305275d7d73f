import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type AgentListener, model, usesTools } from "../../src/agent/index.js";
import { approve, type Confirmation, deny } from "../../src/confirmation/index.js";
import { type DecisionClaims, FileDecisionClaims, MemoryConversationStore, MemoryDecisionClaims } from "../../src/storage/index.js";
import type { RunState } from "../../src/loop/index.js";
import { agentHandler, decideHandler, type RunStateStore } from "../../src/web/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { description, identifier, requiresConfirmation, Tool } from "../../src/tool/index.js";

const effects: string[] = [];
beforeEach(() => effects.splice(0));

@identifier("refund")
@description("Refunds an order.")
@requiresConfirmation()
class RefundTool extends Tool {
  call() {
    effects.push("refund");
    return "Refunded.";
  }
}

@identifier("look")
@description("Looks at an order.")
class LookTool extends Tool {
  call() {
    return "A lamp.";
  }
}

const refund = (calls = 1): ScriptedStep => ({ toolCalls: Array.from({ length: calls }, () => ({ name: "refund" })) });

function shop(...steps: readonly ScriptedStep[]) {
  const scripted = new ScriptedModel(steps);

  @model(scripted)
  @usesTools([RefundTool, LookTool])
  @identifier("shop")
  class ShopAgent extends Agent {}

  return { ShopAgent, scripted };
}

const stored = (state: unknown): RunState => JSON.parse(JSON.stringify(state)) as RunState;

const givenUp = { name: "RunStateError", reason: "given_up" };

/** The conversation went on without the run that waited. */
async function leave(claims: DecisionClaims = new MemoryDecisionClaims(), ...steps: readonly ScriptedStep[]) {
  const { ShopAgent, scripted } = shop(...(steps.length === 0 ? [refund()] : steps), "As you like.", "Refunded after all.");
  const agent = new ShopAgent();
  const paused = await agent.generate("Refund it", { claims });
  const response = await agent.generate("No, leave it.", { claims });
  return { ShopAgent, agent, scripted, claims, response, state: stored(paused.state), confirmations: paused.confirmations ?? [] };
}

describe("a run whose conversation went on", () => {
  it("can't be approved by the same instance, whatever claims it is given", async () => {
    const { agent, state, confirmations } = await leave();
    const decisions = [approve(confirmations[0]!)];
    await expect(agent.resume(state, { decisions, claims: new MemoryDecisionClaims() })).rejects.toMatchObject(givenUp);
    await expect(agent.resume(state)).rejects.toThrow(/went on without the run/);
    expect(effects).toEqual([]);
  });

  it.each(["memory", "files"])("can't be approved by another instance that shares the claims: %s", async (kind) => {
    const directory = await mkdtemp(join(tmpdir(), "claims-"));
    const memory = new MemoryDecisionClaims();
    const claimsOf = () => (kind === "memory" ? memory : new FileDecisionClaims(directory));
    const { ShopAgent, state } = await leave(claimsOf());
    const resume = () => new ShopAgent().resume(state, { decisions: [approve("call_1")], claims: claimsOf() });
    await expect(resume()).rejects.toMatchObject(givenUp);
    await expect(resume()).rejects.toThrow('the call "call_1" (refund) was not run: it can\'t be approved any more');
    await expect(new ShopAgent().resume(state, { decisions: [deny("call_1")], claims: claimsOf() })).rejects.toMatchObject(givenUp);
    await expect(new ShopAgent().resume(state, { confirm: approve, claims: claimsOf() })).rejects.toMatchObject(givenUp);
    await expect(new ShopAgent().resumeStream(state, { claims: claimsOf() }).response).rejects.toMatchObject(givenUp);
    expect(effects).toEqual([]);
  });

  it("can't be approved through claims that only claim, and the error names both reasons", async () => {
    const claimed = new Set<string>();
    const claims: DecisionClaims = {
      claim: async (ids) => !ids.some((id) => claimed.has(id)) && ids.every((id) => claimed.add(id)),
    };
    const { ShopAgent, state } = await leave(claims);
    const resume = new ShopAgent().resume(state, { decisions: [approve("call_1")], claims });
    await expect(resume).rejects.toThrow(/was decided before, or the conversation went on without it/);
    const asked = await new ShopAgent().resume(state, { confirm: approve, claims });
    expect(asked.reason).toBe("awaiting_confirmation");
    expect(effects).toEqual([]);
  });

  it("can't be approved by another process that shares the conversation store alone", async () => {
    const { ShopAgent } = shop(refund(), "As you like.", "Refunded after all.");
    const store = new MemoryConversationStore();
    const options = () => ({ claims: new MemoryDecisionClaims() });
    const first = new ShopAgent();
    const { state } = await first.generate("Refund it", options());
    await first.save(store, "ada");
    const second = await new ShopAgent().load(store, "ada");
    expect((await second.generate("No, leave it.", options())).givenUp).toMatchObject([{ callId: "call_1", tool: "refund" }]);
    await second.save(store, "ada");
    const third = await new ShopAgent().load(store, "ada");
    // Nothing is forgotten by storing it once more.
    await third.save(store, "ada");
    const fourth = await new ShopAgent().load(store, "ada");
    await expect(fourth.resume(stored(state), { decisions: [approve("call_1")], ...options() })).rejects.toMatchObject(givenUp);
    expect(effects).toEqual([]);
  });

  it("can't be approved if the instance was given its own messages again meanwhile", async () => {
    const { ShopAgent } = shop(refund(), "As you like.", "Refunded after all.");
    const agent = new ShopAgent();
    const { state } = await agent.generate("Refund it");
    agent.restore(JSON.parse(JSON.stringify(agent.messages)));
    expect((await agent.generate("No, leave it.")).givenUp).toMatchObject([{ callId: "call_1" }]);
    await expect(new ShopAgent().resume(stored(state), { decisions: [approve("call_1")] })).rejects.toMatchObject(givenUp);
    expect(effects).toEqual([]);
  });

  it("has a model that was given its messages again check, if the call was approved elsewhere meanwhile", async () => {
    const { ShopAgent, scripted } = shop(refund(), "Refunded.", "Let me see.");
    const agent = new ShopAgent();
    const { state } = await agent.generate("Refund it");
    await new ShopAgent().resume(stored(state), { decisions: [approve("call_1")] });
    agent.restore(agent.messages);
    await agent.generate("And?");
    const results = scripted.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(results).toMatchObject([{ content: expect.stringMatching(/^It isn't known whether this call ran/) }]);
  });

  it("waits on if its instance is given another conversation", async () => {
    const { ShopAgent } = shop(refund(), "Hello.", "Refunded.");
    const agent = new ShopAgent();
    const { state } = await agent.generate("Refund it");
    agent.restore([{ role: "user", content: "I am Bob." }]);
    expect(await agent.generate("Hello")).not.toHaveProperty("givenUp");
    expect((await new ShopAgent().resume(stored(state), { decisions: [approve("call_1")] })).text).toBe("Refunded.");
  });

  it("can't be approved through another copy of the package in the process", async () => {
    const { ShopAgent } = shop(refund(), "As you like.", "Refunded after all.");
    const agent = new ShopAgent();
    const { state } = await agent.generate("Refund it");
    await agent.generate("No, leave it.");
    await jest.isolateModulesAsync(async () => {
      const { processClaims: claims } = await import("../../src/storage/decision-claims.js");
      const decided = new ShopAgent().resume(stored(state), { decisions: [approve("call_1")], claims });
      await expect(decided).rejects.toMatchObject(givenUp);
    });
    expect(effects).toEqual([]);
  });

  it("is reported in the response and to listeners, with the confirmations that can't be approved any more", async () => {
    const heard: (readonly Confirmation[] | undefined)[] = [];
    const listener: AgentListener = { runStarted: ({ givenUp: confirmations }) => heard.push(confirmations) };
    const { ShopAgent } = shop(refund(2), "As you like.", "Sure.");
    const agent = new ShopAgent();
    const { confirmations } = await agent.generate("Refund both", { listeners: [listener] });
    const response = await agent.stream("No, leave it.", { listeners: [listener] }).response;
    expect(confirmations).toHaveLength(2);
    expect(response.givenUp).toEqual(confirmations);
    expect(heard).toEqual([undefined, confirmations]);
    expect(await agent.generate("And now?")).not.toHaveProperty("givenUp");
  });

  it("leaves an approved call unrun that was stopped before it began", async () => {
    const { ShopAgent } = shop(refund(), "As you like.", "Refunded after all.");
    const { state } = await new ShopAgent().generate("Refund it");
    const agent = new ShopAgent();
    const running = agent.resume(stored(state), { decisions: [approve("call_1")] });
    agent.interrupt("not now");
    const approved = stored((await running).state);
    expect((await agent.generate("No, leave it.")).givenUp).toMatchObject([{ callId: "call_1" }]);
    await expect(new ShopAgent().resume(approved)).rejects.toMatchObject(givenUp);
    expect(effects).toEqual([]);
  });

  it("can't be approved from the state before an abort, once the model read that the call was cancelled", async () => {
    const { ShopAgent } = shop(refund(), "As you like.", "Refunded after all.");
    const { state } = await new ShopAgent().generate("Refund it");
    const agent = new ShopAgent();
    const controller = new AbortController();
    const confirm = () => {
      controller.abort("enough");
      return new Promise<never>(() => undefined);
    };
    expect((await agent.resume(stored(state), { confirm, abortSignal: controller.signal })).reason).toBe("aborted");
    await agent.generate("Go on");
    await expect(new ShopAgent().resume(stored(state), { decisions: [approve("call_1")] })).rejects.toMatchObject(givenUp);
    expect(effects).toEqual([]);
  });

  it("takes the calls with it that wait in a sub-agent, under their own name too", async () => {
    @model(new ScriptedModel([refund(), "Refunded."]))
    @description("Refunds.")
    @usesTools([RefundTool])
    class ClerkAgent extends Agent {}

    @model(new ScriptedModel([{ toolCalls: [{ name: "clerk_agent", arguments: { prompt: "Refund" } }] }, "As you like."]))
    @usesTools([ClerkAgent])
    class DeskAgent extends Agent {}

    const agent = new DeskAgent();
    const paused = await agent.generate("Refund it");
    const state = stored(paused.state);
    const response = await agent.generate("No, leave it.");
    expect(response.givenUp?.map(({ callId }) => callId)).toEqual(["call_1/call_1"]);
    await expect(new DeskAgent().resume(state, { decisions: [approve("call_1/call_1")] })).rejects.toMatchObject(givenUp);
    const inner = Object.values(state.loop.current?.gates ?? {})[0]?.subRun as RunState;
    await expect(new ClerkAgent().resume(inner, { decisions: [approve("call_1")] })).rejects.toMatchObject(givenUp);
    expect(effects).toEqual([]);
  });

  it("reports to the model that a call may have run, if it was approved elsewhere meanwhile", async () => {
    const { ShopAgent, scripted } = shop(refund(2), "Refunded.", "Let me see.");
    const agent = new ShopAgent();
    const { state } = await agent.generate("Refund both");
    await new ShopAgent().resume(stored(state), { decisions: [approve("call_1")] });
    const response = await agent.generate("And?");
    expect(response.givenUp?.map(({ callId }) => callId)).toEqual(["call_2"]);
    const results = scripted.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(results.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^It isn't known whether this call ran/),
      expect.stringMatching(/^Not run: the conversation went on/),
    ]);
  });

  it("is decided by one side alone, if an approval comes while the conversation goes on", async () => {
    for (let round = 0; round < 20; round += 1) {
      effects.splice(0);
      const { ShopAgent, scripted } = shop(refund(), "One.", "Two.");
      const agent = new ShopAgent();
      const { state } = await agent.generate("Refund it");
      const leaving = agent.generate("No, leave it.");
      for (let turn = 0; turn < round; turn += 1) await undefined;
      const approving = new ShopAgent().resume(stored(state), { decisions: [approve("call_1")] }).catch(({ name }) => name);
      await Promise.all([leaving, approving]);
      const told = scripted.requests
        .flatMap(({ messages }) => messages)
        .some(({ role, content }) => role === "tool" && String(content).startsWith("Not run"));
      expect(effects).toHaveLength(told ? 0 : 1);
    }
  });

  it("gives nothing up if claiming fails: the call still waits", async () => {
    const { ShopAgent } = shop(refund(), "Refunded.");
    const agent = new ShopAgent();
    const { state } = await agent.generate("Refund it");
    const claims: DecisionClaims = { claim: () => Promise.reject(new Error("no database")) };
    await expect(agent.generate("No, leave it.", { claims })).rejects.toThrow("no database");
    expect(agent.state).toEqual(state);
    expect((await agent.resume(stored(state), { decisions: [approve("call_1")] })).text).toBe("Refunded.");
  });

  it("is answered 409 by decideHandler, and its page learns of it", async () => {
    const { ShopAgent } = shop(refund(), "As you like.");
    const conversations = new MemoryConversationStore();
    const kept = new Map<string, RunState>();
    // A store that forgets late: the state is still there when somebody decides.
    const store: RunStateStore = { load: (id) => kept.get(id), save: (id, state) => void kept.set(id, state), delete: () => undefined };
    const settings = {
      agent: () => new ShopAgent().load(conversations, "ada"),
      format: "json" as const,
      pausedRuns: { store, claims: new MemoryDecisionClaims(), authorise: () => true },
      onFinish: ({ agent }: { readonly agent: Agent }) => agent.save(conversations, "ada"),
    };
    const post = (body: unknown) =>
      new Request("http://shop.example/chat", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const { runId } = (await (await agentHandler(settings)(post({ prompt: "Refund it" }))).json()) as { readonly runId: string };
    const second = (await (await agentHandler(settings)(post({ prompt: "No, leave it." }))).json()) as object;
    expect(second).toMatchObject({ givenUp: [{ runId, callId: "call_1" }] });
    const fresh = { ...settings, agent: () => new ShopAgent() };
    const decided = await decideHandler(fresh)(post({ runId, decisions: [{ callId: "call_1", decision: "approve" }] }));
    expect(decided.status).toBe(409);
    expect(effects).toEqual([]);
  });
});
