import { Agent, type AgentResponse, model, type ResumeOptions, usesTools } from "../../src/agent/index.js";
import { approve, approveEdited, deny } from "../../src/confirmation/index.js";
import { MemoryDecisionClaims } from "../../src/storage/index.js";
import type { RunState } from "../../src/loop/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { description, identifier, access, requiresConfirmation, Tool } from "../../src/tool/index.js";

const effects: string[] = [];

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@access({ roles: ["support"] })
@requiresConfirmation()
class RefundTool extends Tool {
  call() {
    effects.push("refunded");
    return "Refunded.";
  }
}

const support = { toolContext: { roles: ["support"], userId: "ada" } };

/** The state as a database gives it back. */
function stored(response: AgentResponse): RunState {
  if (response.state === undefined) throw new Error(`The run ended: ${response.outcome.reason}`);
  return JSON.parse(JSON.stringify(response.state)) as RunState;
}

function shopAgents() {
  const script = new ScriptedModel([{ toolCalls: [{ name: "refund" }] }, "Done."]);

  @model(script)
  @description("Refunds orders. Use when the user wants the money back.")
  @usesTools([RefundTool])
  class ShopAgent extends Agent {}

  return { ShopAgent, script };
}

/** Whose shop agent does the refunding. */
function deskAgents() {
  const { ShopAgent, script } = shopAgents();
  const desk = new ScriptedModel([{ toolCalls: [{ name: "shop_agent", arguments: { prompt: "Refund it" } }] }, "All done."]);

  @model(desk)
  @usesTools(({ userId }) => (userId === undefined ? [] : [ShopAgent]))
  class DeskAgent extends Agent {}

  return { DeskAgent, desk, script };
}

let warnings: jest.SpyInstance;
beforeEach(() => {
  effects.length = 0;
  warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());

describe("the approval of a call, resumed without the context that its tool wants,", () => {
  it("is refused before anything runs, and counts as soon as the context is there", async () => {
    const { ShopAgent, script } = shopAgents();
    const state = stored(await ShopAgent.generate("Refund it", support));
    await expect(new ShopAgent().resume(state, { decisions: [approve("call_1")] })).rejects.toMatchObject({
      name: "DecisionError",
      reason: "not_available",
      message: expect.stringContaining('The call "call_1" (refund) was approved, but can\'t run'),
    });
    expect(script.requests).toHaveLength(1);
    expect(effects).toEqual([]);
    expect((await new ShopAgent().resume(state, { decisions: [approve("call_1")], ...support })).text).toBe("Done.");
    expect(effects).toEqual(["refunded"]);
  });

  it("is refused in the same way if a resolver gives other tools, and if the person edited the arguments", async () => {
    @model(new ScriptedModel([{ toolCalls: [{ name: "refund" }] }]))
    @usesTools(({ userId }) => (userId === undefined ? [] : [RefundTool]))
    class ShopAgent extends Agent {}

    const state = stored(await ShopAgent.generate("Refund it", support));
    for (const decision of [approve("call_1"), approveEdited("call_1", {})]) {
      await expect(new ShopAgent().resume(state, { decisions: [decision] })).rejects.toMatchObject({ reason: "not_available" });
    }
  });

  it.each<[string, ResumeOptions]>([
    ["the context", {}],
    ["the profile", { ...support, profile: { categories: ["read"] } }],
    ["a resolver", { toolContext: { roles: ["support"] } }],
  ])("says what may have taken the tool away, if %s did", async (_what, options) => {
    @model(new ScriptedModel([{ toolCalls: [{ name: "refund" }] }]))
    @usesTools(({ userId }) => (userId === undefined ? [] : [RefundTool]))
    class ShopAgent extends Agent {}

    const state = stored(await ShopAgent.generate("Refund it", support));
    await expect(new ShopAgent().resume(state, { decisions: [approve("call_1")], ...options })).rejects.toThrow(
      "can't run: the agent doesn't have this tool now, by its @usesTools and by the toolContext and the profile that the run was resumed with.",
    );
  });

  it("fails the stream, whose only event is the error", async () => {
    const { ShopAgent } = shopAgents();
    const state = stored(await ShopAgent.generate("Refund it", support));
    const told: string[] = [];
    const stream = new ShopAgent().resumeStream(state, { decisions: [approve("call_1")] });
    await expect(
      (async () => {
        for await (const { type } of stream) told.push(type);
      })(),
    ).rejects.toMatchObject({ reason: "not_available" });
    expect(told).toEqual(["error"]);
  });

  it("doesn't hinder a denial: that is how such a run ends", async () => {
    const { ShopAgent } = shopAgents();
    const state = stored(await ShopAgent.generate("Refund it", support));
    expect((await new ShopAgent().resume(state, { decisions: [deny("call_1")] })).text).toBe("Done.");
  });

  it("is refused for the call of a sub-agent too, and neither model is called", async () => {
    const { DeskAgent, desk, script } = deskAgents();
    const state = stored(await DeskAgent.generate("Refund it", support));
    const decisions = [approve("call_1/call_1")];
    const refusal = { reason: "not_available", message: expect.stringContaining('The call "call_1/call_1" (refund)') };
    await expect(new DeskAgent().resume(state, { decisions })).rejects.toMatchObject(refusal);
    await expect(new DeskAgent().resume(state, { decisions, toolContext: { userId: "ada" } })).rejects.toMatchObject(refusal);
    expect([desk.requests.length, script.requests.length]).toEqual([1, 1]);
    expect((await new DeskAgent().resume(state, { decisions, ...support })).text).toBe("All done.");
    expect(effects).toEqual(["refunded"]);
  });

  it("is looked at in one preparation of the sub-agent's run, however many calls were approved", async () => {
    let resolved = 0;

    @model(new ScriptedModel([{ toolCalls: [{ name: "refund" }, { name: "refund" }, { name: "refund" }] }, "Done.", "Done."]))
    @description("Refunds orders. Use when the user wants the money back.")
    @usesTools(() => {
      resolved += 1;
      return [RefundTool];
    })
    class ShopAgent extends Agent {}

    @model(new ScriptedModel([{ toolCalls: [{ name: "shop_agent", arguments: { prompt: "Refund it" } }] }, "All done.", "All done."]))
    @usesTools([ShopAgent])
    class DeskAgent extends Agent {}

    const paused = await DeskAgent.generate("Refund it", support);
    const state = stored(paused);
    resolved = 0;
    const decisions = paused.confirmations?.map((confirmation) => approve(confirmation)) ?? [];
    expect((await new DeskAgent().resume(state, { decisions, ...support, claims: new MemoryDecisionClaims() })).text).toBe("All done.");
    expect(effects).toHaveLength(3);
    // Once more to run.
    expect(resolved).toBe(2);
    resolved = 0;
    expect((await new DeskAgent().resume(state, { confirm: approve, ...support, claims: new MemoryDecisionClaims() })).text).toBe(
      "All done.",
    );
    expect(resolved).toBe(2);
  });
});

describe("the approval of a confirmation handler", () => {
  it("of a sub-agent's call whose tool isn't there decides nothing: the run waits on, and the application is warned", async () => {
    const { DeskAgent } = deskAgents();
    const state = stored(await DeskAgent.generate("Refund it", support));
    const options = { confirm: approve, toolContext: { userId: "ada" } };
    expect((await new DeskAgent().resume(state, options)).outcome.reason).toBe("awaiting_confirmation");
    expect(warnings.mock.calls.map(([message]) => message)).toEqual([
      expect.stringMatching(
        /^The call "call_1\/call_1" \(refund\) of run .* was approved, and didn't run: the agent doesn't have this tool now/,
      ),
    ]);
    expect((await new DeskAgent().resume(state, { confirm: approve, ...support })).text).toBe("All done.");
  });
});

describe("an approval that a state holds already", () => {
  it("warns if its tool is gone when the run goes on: the model receives the error of any unknown tool", async () => {
    const { ShopAgent, script } = shopAgents();
    const paused = stored(await ShopAgent.generate("Refund it", support));
    const agent = new ShopAgent();
    const resuming = agent.resume(paused, { decisions: [approve("call_1")], ...support });
    agent.interrupt("shutting down");
    const interrupted = stored(await resuming);
    expect((await new ShopAgent().resume(interrupted)).text).toBe("Done.");
    expect(script.requests[1]?.messages.at(-1)?.content).toBe("Unknown tool 'refund'. No tools are available.");
    expect(warnings.mock.calls.map(([message]) => message)).toEqual([
      `The call "call_1" (refund) of run ${paused.runId} was approved, and didn't run: Unknown tool 'refund'. No tools are available.`,
    ]);
    expect(effects).toEqual([]);
  });

  it("warns if it is of a sub-agent whose tool is gone: the calling model receives only that it can't go on", async () => {
    const { DeskAgent, desk } = deskAgents();
    const paused = stored(await DeskAgent.generate("Refund it", support));
    const agent = new DeskAgent();
    const resuming = agent.resume(paused, { decisions: [approve("call_1/call_1")], ...support });
    agent.interrupt("shutting down");
    const interrupted = stored(await resuming);
    expect((await new DeskAgent().resume(interrupted, { toolContext: { userId: "ada" } })).text).toBe("All done.");
    expect(desk.requests[1]?.messages.at(-1)?.content).toBe(
      'Error executing tool: The agent "shop_agent" gave no answer: It can\'t go on.',
    );
    expect(warnings.mock.calls.map(([message]) => message)).toEqual([
      expect.stringMatching(/^The agent "shop_agent", called by another one, failed: DecisionError: The call "call_1" \(refund\)/),
    ]);
    expect(effects).toEqual([]);
  });

  it("warns if it has expired", async () => {
    const { ShopAgent } = shopAgents();
    const paused = stored(await ShopAgent.generate("Refund it", { ...support, confirmationTimeout: 1 }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    await new ShopAgent().resume(paused, { decisions: [approve("call_1")], ...support });
    expect(warnings.mock.calls.map(([message]) => message)).toEqual([
      expect.stringContaining("was approved, and didn't run: Not run: the approval of this call had expired"),
    ]);
    expect(effects).toEqual([]);
  });

  it("doesn't warn if the run was aborted: its outcome says so", async () => {
    const { ShopAgent } = shopAgents();
    const paused = stored(await ShopAgent.generate("Refund it", support));
    const options = { decisions: [approve("call_1")], abortSignal: AbortSignal.abort("left"), ...support };
    expect((await new ShopAgent().resume(paused, options)).outcome.reason).toBe("aborted");
    expect(warnings).not.toHaveBeenCalled();
  });
});
