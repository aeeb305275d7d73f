import { Agent, budget, model, usesTools } from "../../src/agent/index.js";
import { type ChatModel, noUsage, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import type { Budget } from "../../src/loop/index.js";
import { createTool } from "../../src/tool/index.js";
import { isPaired } from "../support/paired.js";

const calls: string[] = [];

const toolNamed = (name: string, execute: () => unknown) =>
  createTool({ name, description: "For tests. Use never.", inputSchema: { type: "object" }, execute });

const pingTool = toolNamed("ping", () => {
  calls.push("ping");
  return "pong".repeat(10);
});
const failTool = toolNamed("fail", () => {
  throw new Error("disk full");
});
const slowTool = toolNamed("slow", () => new Promise((resolve) => setTimeout(resolve, 5_000).unref()));

const ask = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name })), usage: { inputTokens: 90, outputTokens: 10 } });

function agentOf(script: readonly ScriptedStep[]) {
  @model(new ScriptedModel(script))
  @usesTools([pingTool, failTool, slowTool])
  class BudgetAgent extends Agent {}

  return new BudgetAgent();
}

beforeEach(() => {
  calls.length = 0;
});

describe("a budget", () => {
  it("of calls per tool refuses the further calls, ends the run, and resumes with a fresh one", async () => {
    const agent = agentOf([ask("ping"), ask("ping", "ping"), "Done."]);
    const response = await agent.generate("Go", { budget: { callsPerTool: { ping: 2 } } });
    expect(response.outcome).toMatchObject({
      reason: "budget_exhausted",
      budget: "callsPerTool",
      detail: expect.stringContaining('"ping"'),
    });
    expect(calls).toEqual(["ping", "ping"]);
    expect(agent.messages.at(-1)?.content).toBe("Not run: the budget of 2 calls of this tool is used up.");
    expect(isPaired(agent.messages)).toBe(true);
    if (response.state === undefined) throw new Error("can be resumed");
    expect((await agent.resume(response.state)).text).toBe("Done.");
  });

  it.each<[string, NonNullable<Budget["callsPerTool"]>]>([
    ["class", new Map([[pingTool, 2]])],
    ["name in a Map", new Map([["ping", 2]])],
    ["class of @budget", new Map([[pingTool, 2]])],
  ])("of calls per tool takes a %s", async (form, callsPerTool) => {
    @model(new ScriptedModel([ask("ping"), ask("ping", "ping"), "Done."]))
    @usesTools([pingTool])
    @budget(form.endsWith("@budget") ? { callsPerTool } : {})
    class LimitedAgent extends Agent {}
    const response = await new LimitedAgent().generate("Go", form.endsWith("@budget") ? {} : { budget: { callsPerTool } });
    expect(response.outcome).toMatchObject({ reason: "budget_exhausted", budget: "callsPerTool" });
    expect(calls).toEqual(["ping", "ping"]);
    expect(response.state?.loop.limits.callsPerTool).toEqual({ ping: 2 });
  });

  it("of calls per tool is refused if a number in a Map is none", async () => {
    const generated = agentOf(["Done."]).generate("Go", { budget: { callsPerTool: new Map([[pingTool, Number.NaN]]) } });
    await expect(generated).rejects.toThrow('callsPerTool of "ping" of the budget is NaN');
  });

  it("of calls per tool is refused if it misspells a tool of the agent: it would limit nothing", async () => {
    const generate = (callsPerTool: Record<string, number>) => agentOf(["Done."]).generate("Go", { budget: { callsPerTool } });
    await expect(generate({ pnig: 1 })).rejects.toThrow(
      'budget_agent: callsPerTool of the budget names "pnig", which isn\'t one of its tools. Did you mean "ping"?',
    );
    await expect(generate({ ping: 1, slwo: 1 })).rejects.toThrow('Did you mean "slow"?');
    // A tool that this agent never had, of a budget for many agents.
    expect((await generate({ ping: 1, send_letter: 1 })).text).toBe("Done.");
  });

  it("of calls per tool is refused if it names a tool with a full name by its simple one", async () => {
    @model(new ScriptedModel([]))
    @usesTools([toolNamed("billing/refund", () => "")])
    class RefundAgent extends Agent {}

    const generated = RefundAgent.generate("Go", { budget: { callsPerTool: { refund: 1 } } });
    await expect(generated).rejects.toThrow('Did you mean "billing/refund"?');
  });

  it("of tokens doesn't run the calls of the answer that overran it", async () => {
    const agent = agentOf([ask("ping"), ask("ping"), "Done."]);
    const response = await agent.generate("Go", { budget: { tokens: 150 } });
    expect(response.outcome).toMatchObject({ reason: "budget_exhausted", budget: "tokens" });
    expect(calls).toEqual(["ping"]);
    if (response.state === undefined) throw new Error("can be resumed");
    const resumed = await agent.resume(response.state, { budget: { tokens: 150 } });
    expect(resumed.text).toBe("Done.");
    expect(resumed.usage.inputTokens).toBe(180);
  });

  it("of result bytes ends the run after the step that filled it", async () => {
    const agent = agentOf([ask("ping"), ask("ping"), ask("ping"), ask("ping"), "never"]);
    const response = await agent.generate("Go", { budget: { resultBytes: 80 } });
    expect(response.outcome).toMatchObject({ reason: "budget_exhausted", budget: "resultBytes" });
    expect(calls).toHaveLength(2);
    if (response.state === undefined) throw new Error("can be resumed");
    const resumed = await agent.resume(response.state, { budget: { resultBytes: 80 } });
    expect(resumed.outcome).toMatchObject({ budget: "resultBytes" });
    expect(calls).toHaveLength(4);
  });

  it("of wall time ends a run whose tool takes too long, with the outcome budget_exhausted, not aborted", async () => {
    const agent = agentOf([ask("slow"), "Done."]);
    const response = await agent.generate("Go", { budget: { wallTime: 30 } });
    expect(response.outcome).toMatchObject({ reason: "budget_exhausted", budget: "wallTime", detail: expect.stringContaining("30 ms") });
    expect(isPaired(agent.messages)).toBe(true);
    if (response.state === undefined) throw new Error("can be resumed");
    expect((await agent.resume(response.state, { budget: { wallTime: 30_000 } })).text).toBe("Done.");
  });

  it("of wall time ends a run whose model doesn't answer", async () => {
    const silent: ChatModel = { id: "test/silent", generate: () => new Promise(() => undefined) };

    @model(silent)
    class SilentAgent extends Agent {}

    expect((await SilentAgent.generate("Go", { budget: { wallTime: 20 } })).outcome).toMatchObject({ budget: "wallTime" });
  });

  it("case 35: of identical failures gives a model up that calls the same failing tool forever", async () => {
    const scripted = new ScriptedModel(Array.from({ length: 50 }, () => ask("fail")));

    @model(scripted)
    @usesTools([failTool])
    @budget({ identicalFailures: 2 })
    class StubbornAgent extends Agent {}

    const response = await StubbornAgent.generate("Go", { maxSteps: 40 });
    expect(response.outcome).toMatchObject({ reason: "repeated_failure", detail: expect.stringMatching(/ 2 times\. .* fail: /) });
    expect(scripted.requests).toHaveLength(2);
  });

  it("of steps is @maxSteps, which begins anew on resume", async () => {
    const agent = agentOf([ask("ping"), ask("ping"), ask("ping"), ask("ping"), "Done."]);
    const first = await agent.generate("Go", { maxSteps: 2 });
    expect(first.outcome.reason).toBe("max_steps");
    expect(calls).toHaveLength(1);
    if (first.state === undefined) throw new Error("can be resumed");
    const second = await agent.resume(first.state, { maxSteps: 2 });
    expect(second.outcome.reason).toBe("max_steps");
    expect(calls).toHaveLength(2);
    if (second.state === undefined) throw new Error("can be resumed");
    expect((await agent.resume(second.state, { maxSteps: 2 })).text).toBe("Done.");
  });

  it.each<[string, (agent: Agent, controller: AbortController) => void]>([
    ["an abort", (_agent, controller) => controller.abort("leave")],
    ["an interruption", (agent) => void agent.interrupt("leave")],
  ])("of steps counts no model call that %s between two steps kept from being made", async (_name, stop) => {
    const agent = agentOf(Array.from({ length: 5 }, () => ask("ping")));
    const controller = new AbortController();
    const end = agent.onMessage(({ role }) => role === "tool" && stop(agent, controller));
    const stopped = await agent.generate("Go", { maxSteps: 3, abortSignal: controller.signal });
    end();
    expect(calls).toHaveLength(1);
    if (stopped.state === undefined) throw new Error("can be resumed");
    expect((await agent.resume(stopped.state)).outcome.reason).toBe("max_steps");
    expect(calls).toHaveLength(2);
    // With two fresh steps, the calls of the second aren't run.
    expect((await agent.resume(stopped.state, { maxSteps: 2 })).outcome.reason).toBe("max_steps");
    expect(calls).toHaveLength(3);
  });

  it("counts on over a pause: waiting for a person gives no fresh budget", async () => {
    const gated = createTool({
      name: "gated",
      description: "For tests. Use never.",
      inputSchema: { type: "object" },
      requiresConfirmation: true,
      execute: () => "done",
    });

    @model(new ScriptedModel([ask("gated"), ask("gated"), "never"]))
    @usesTools([gated])
    class GatedAgent extends Agent {}

    const agent = new GatedAgent();
    const paused = await agent.generate("Go", { maxSteps: 2 });
    if (paused.state === undefined) throw new Error("can be resumed");
    const resumed = await agent.resume(paused.state, { decisions: [{ callId: "call_1", decision: "approve" }] });
    expect(resumed.outcome.reason).toBe("max_steps");
  });

  it("that is none is refused where it is written", async () => {
    await expect(agentOf(["Hi."]).generate("Go", { budget: { tokens: -1 } })).rejects.toThrow(
      "BudgetAgent: tokens of the budget is -1, but must be a number of at least 1.",
    );
    await expect(agentOf(["Hi."]).generate("Go", { budget: { token: 5 } as never })).rejects.toThrow('a budget has no "token"');

    @model(new ScriptedModel(["Hi."]))
    @budget({ callsPerTool: { ping: Number.NaN } })
    class WrongAgent extends Agent {}

    expect(() => WrongAgent.definition).toThrow('WrongAgent: callsPerTool of "ping" of the budget is NaN');
  });

  it("isn't in the way of a model without usage", async () => {
    const quiet: ChatModel = {
      id: "test/quiet",
      generate: async () => ({ text: "Hi.", toolCalls: [], finishReason: "stop", usage: noUsage }),
    };

    @model(quiet)
    class QuietAgent extends Agent {}

    expect((await QuietAgent.generate("Go", { budget: { tokens: 1 } })).text).toBe("Hi.");
  });
});
