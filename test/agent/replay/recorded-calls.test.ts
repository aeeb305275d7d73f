import { Agent, identifier, model, usesTools } from "../../../src/index.js";
import { answer, approve, deny } from "../../../src/confirmation/index.js";
import { prepareReplay, readRecording } from "../../../src/durable/index.js";
import { ScriptedModel, type ScriptedStep } from "../../../src/models/index.js";
import { MemoryStorage, type JournalAppend } from "../../../src/storage/index.js";
import { createTool, deferred, description, ToolInterrupt, providerTool } from "../../../src/tool/index.js";
import { AskUserTool } from "../../../src/tools/index.js";
import { afterCrash, kindsOf, watchedStorage } from "../../support/journals.js";
import { calls, effects, effectsSince, LookUpTool, lookUp, recorded, RefundTool, refund, resultsOf, shopWith } from "./shop.js";

beforeEach(() => effects.splice(0));

/** What a replay of the run "run" of a storage does. */
async function replayOf(storage: MemoryStorage, ShopAgent: ReturnType<typeof shopWith>["ShopAgent"], ...script: readonly ScriptedStep[]) {
  effects.push("- replay -");
  const agent = await prepareReplay(new ShopAgent(), "run", { journal: storage, model: new ScriptedModel(script) });
  return { agent, response: await agent.generate() };
}

describe("a call whose outcome isn't known", () => {
  it("is asked about with a warning", async () => {
    const { storage, appends } = watchedStorage();
    const { ShopAgent } = shopWith([calls(refund("A")), "Refunded."], [RefundTool]);
    await new ShopAgent().generate("Help.", { journal: storage, runId: "run" });
    const begun = appends.findIndex((append: JournalAppend) => kindsOf(append).includes("call_begun"));
    const crashed = await afterCrash(appends, begun + 1);
    expect((await readRecording(crashed, "run")).steps[0]?.calls[0]).toMatchObject({ state: "begun" });
    const { agent, response } = await replayOf(crashed, ShopAgent, calls(refund("A")), "Done.");
    if (response.reason !== "awaiting_confirmation") throw new Error(response.reason);
    expect(response.confirmations).toMatchObject([{ tool: "refund", outcomeUnknown: true }]);
    expect(effectsSince()).toEqual([]);
    const denied = await agent.resume(response.state, { decisions: response.confirmations.map((one) => deny(one)) });
    expect(resultsOf(denied)[0]).toContain("took effect");
  });

  it("has the answer that the model read if the run went on", async () => {
    const { storage, appends } = watchedStorage();
    const { ShopAgent } = shopWith([calls(refund("A")), "Refunded.", "Not known."], [RefundTool]);
    await new ShopAgent().generate("Help.", { journal: storage, runId: "run" });
    const begun = appends.findIndex((append: JournalAppend) => kindsOf(append).includes("call_begun"));
    const crashed = await afterCrash(appends, begun + 1);
    await new ShopAgent().resume("run", { journal: crashed });
    const { response } = await replayOf(crashed, ShopAgent, calls(refund("A")), "Done.");
    expect(resultsOf(response)[0]).toContain("It isn't known whether this call took effect");
    expect(effectsSince()).toEqual([]);
  });
});

it("replays a run that goes on as far as it is recorded, and asks about its open calls", async () => {
  const waiting = createTool({
    ...{ name: "wait", description: "Waits.", inputSchema: { type: "object" } },
    execute: (_, { callId }) => {
      throw new ToolInterrupt("wait", callId, "It waits.", {});
    },
  });
  const storage = new MemoryStorage();
  const { ShopAgent } = shopWith([calls(lookUp("A")), calls({ name: "wait" })], [LookUpTool, waiting]);
  await expect(new ShopAgent().generate("Help.", { journal: storage, runId: "run" })).rejects.toThrow("It waits.");
  const { response } = await replayOf(storage, ShopAgent, calls(lookUp("A")), calls({ name: "wait" }));
  expect(response.confirmations).toMatchObject([{ tool: "wait" }]);
  expect(resultsOf(response)).toEqual(["Order A is on its way."]);
  expect(effectsSince()).toEqual([]);
});

it("replays a run that waits for a person, and asks about the call that waits", async () => {
  const storage = new MemoryStorage();
  const gated = createTool({
    ...{ name: "pay", description: "Pays.", inputSchema: { type: "object" }, requiresConfirmation: true },
    execute: () => effects.push("pay"),
  });
  const { ShopAgent } = shopWith([calls({ name: "pay" }), "Paid."], [gated]);
  const agent = new ShopAgent();
  const paused = await agent.generate("Help.", { journal: storage, runId: "run" });
  expect((await replayOf(storage, ShopAgent, calls({ name: "pay" }))).response.confirmations).toMatchObject([{ tool: "pay" }]);
  if (paused.reason !== "awaiting_confirmation") throw new Error(paused.reason);
  await agent.resume("run", { journal: storage, decisions: [deny(paused.confirmations[0] as never, "Never.")] });
  const { response } = await replayOf(storage, ShopAgent, calls({ name: "pay" }), "Denied.");
  expect(resultsOf(response)[0]).toContain("Never.");
  expect(effectsSince()).toEqual([]);
});

it("asks about a call that a limit left out of the recorded run", async () => {
  const storage = new MemoryStorage();
  const { ShopAgent } = shopWith([calls(refund("A"))], [RefundTool]);
  const response = await new ShopAgent().generate("Help.", { journal: storage, runId: "run", maxSteps: 1 });
  expect(response.reason).toBe("max_steps");
  expect((await replayOf(storage, ShopAgent, calls(refund("A")))).response.confirmations).toMatchObject([{ tool: "refund" }]);
});

it("answers a question from the record, and asks another one", async () => {
  const storage = new MemoryStorage();
  const ask = (question: string) => ({ name: "ask_user", arguments: { question } });
  const { ShopAgent } = shopWith([calls(ask("Which colour?")), "Blue."], [AskUserTool]);
  const first = new ShopAgent();
  const asked = await first.generate("Help.", { journal: storage, runId: "run" });
  if (asked.reason !== "awaiting_answer") throw new Error(asked.reason);
  await first.resume("run", { journal: storage, decisions: [answer(asked.questions[0] as never, "blue")] });
  const { agent, response } = await replayOf(storage, ShopAgent, calls(ask("Which colour?"), ask("Which size?")), "Done.");
  if (response.reason !== "awaiting_answer") throw new Error(response.reason);
  expect(response.questions).toMatchObject([{ input: { question: "Which size?" } }]);
  const done = await agent.resume(response.state, { decisions: response.questions.map((one) => answer(one, "small")) });
  expect(resultsOf(done)).toEqual([expect.stringContaining("blue"), expect.stringContaining("small")]);
});

it("doesn't offer tools that the provider runs, because no person could be asked about their calls", async () => {
  const { replay } = await recorded(["Hello."], [LookUpTool, providerTool("anthropic/web_search") as typeof LookUpTool]);
  const { agent, scripted } = await replay(["Hello again."]);
  expect((await agent.generate()).text).toBe("Hello again.");
  expect(scripted.requests[0]?.tools.map(({ name }) => name)).toEqual(["look_up"]);
});

it("offers deferred tools that were found before the step, and answers a search from the record", async () => {
  const search = { name: "search_tools", arguments: { query: "refund order" } };
  const tools = [LookUpTool, deferred(RefundTool)] as const;
  const { replay } = await recorded([calls(search), calls(refund("A")), "Refunded."], tools as never);
  const later = await replay([calls(refund("A")), "Done."], { step: 2 });
  expect((await later.agent.generate()).text).toBe("Done.");
  expect(later.scripted.requests[0]?.tools.map(({ name }) => name)).toContain("refund");
  const first = await replay([calls(search), calls(refund("A")), "Done."]);
  expect((await first.agent.generate()).text).toBe("Done.");
  expect(effectsSince()).toEqual([]);
});

it("doesn't call a tool that the code no longer has: the model reads that there is none", async () => {
  const storage = new MemoryStorage();
  await new (shopWith([calls(refund("A")), "Refunded."]).ShopAgent)().generate("Help.", { journal: storage, runId: "run" });
  const { response } = await replayOf(storage, shopWith([], [LookUpTool]).ShopAgent, calls(refund("A")), "It can't be done.");
  expect(response.steps[0]?.toolCalls[0]).toMatchObject({ errorType: "unknown_tool" });
  expect(effectsSince()).toEqual([]);
});

describe("sub-agents", () => {
  /** A desk that passes prompts on to a clerk who plays a script. */
  async function desk(...clerkScript: readonly ScriptedStep[]) {
    @identifier("clerk")
    @description("A clerk of the shop.")
    @model(new ScriptedModel(clerkScript))
    @usesTools([LookUpTool, RefundTool])
    class ClerkAgent extends Agent {}
    const tell = (prompt: string) => calls({ name: "clerk", arguments: { prompt } });
    return { tell, ...(await recorded([tell("Refund A."), "The clerk did it."], [ClerkAgent as never])) };
  }

  it("aren't run for a recorded call", async () => {
    const { tell, replay } = await desk(calls(refund("A")), "Refunded.");
    const { agent } = await replay([tell("Refund A."), "Done."]);
    const response = await agent.generate();
    expect(resultsOf(response)).toEqual(["Refunded."]);
    expect(effectsSince()).toEqual([]);
  });

  it("are asked about for another prompt, and their calls are answered from the record or asked about", async () => {
    const { tell, replay } = await desk(calls(refund("A")), "Refunded.", calls(refund("A"), lookUp("A")), "Done.");
    const { agent } = await replay([tell("Please refund A."), "Done."]);
    const first = await agent.generate();
    if (first.reason !== "awaiting_confirmation") throw new Error(first.reason);
    expect(first.confirmations).toMatchObject([{ tool: "clerk" }]);
    const second = await agent.resume(first.state, { decisions: first.confirmations.map((one) => approve(one)) });
    if (second.reason !== "awaiting_confirmation") throw new Error(second.reason);
    expect(second.confirmations).toMatchObject([{ agent: "clerk", tool: "look_up" }]);
    expect(effectsSince()).toEqual([]);
    const third = await agent.resume(second.state, { decisions: second.confirmations.map((one) => approve(one)) });
    expect(third.text).toBe("Done.");
    expect(effectsSince()).toEqual(["look up A"]);
  });

  it("have done what they did for an answered call: it isn't an answer for a later one", async () => {
    const { tell, replay } = await desk(calls(refund("A")), "Refunded.", calls(refund("A")), "Done.");
    const { agent } = await replay([tell("Refund A."), tell("Refund A once more."), "Done."]);
    const first = await agent.generate();
    if (first.reason !== "awaiting_confirmation") throw new Error(first.reason);
    const second = await agent.resume(first.state, { decisions: first.confirmations.map((one) => approve(one)) });
    expect(second.confirmations).toMatchObject([{ agent: "clerk", tool: "refund" }]);
    expect(effectsSince()).toEqual([]);
  });

  it("are in the recording with their steps", async () => {
    const { storage } = await desk(calls(refund("A")), "Refunded.");
    const { steps } = await readRecording(storage, "run");
    expect(steps[0]?.calls[0]).toMatchObject({ tool: "clerk", subRun: { agent: "clerk", steps: [{ calls: [{ tool: "refund" }] }, {}] } });
  });
});
