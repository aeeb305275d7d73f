import type { AgentEvent } from "../../../src/agent/index.js";
import { approve, approveEdited, autoApprove, deny } from "../../../src/confirmation/index.js";
import { InProcessRuntime, prepareReplay, readRecording } from "../../../src/durable/index.js";
import { RunStateError } from "../../../src/loop/index.js";
import { ModelError, ScriptedModel } from "../../../src/models/index.js";
import { JournalError, MemoryStorage } from "../../../src/storage/index.js";
import { calls, countOfRules, effects, effectsSince, LookUpTool, lookUp, recorded, refund, resultsOf, shopWith } from "./shop.js";

beforeEach(() => effects.splice(0));

describe("a replay", () => {
  it("asks the model anew with other instructions, and answers its calls from the record", async () => {
    const { replay } = await recorded([calls(refund("A")), "Refunded."]);
    const { agent, scripted } = await replay([calls(refund("A")), "It is done."], { instructions: "You are brief." });
    const response = await agent.generate();
    expect(response.text).toBe("It is done.");
    expect(resultsOf(response)).toEqual(["Refunded A, number 1."]);
    expect(scripted.requests[0]?.messages[0]).toMatchObject({ role: "system", content: "You are brief." });
    expect(effectsSince()).toEqual([]);
  });

  it("begins at a step, with the history before it", async () => {
    const { replay, response } = await recorded([calls(lookUp("A")), calls(refund("A")), "Refunded."]);
    const { agent, scripted } = await replay([calls(refund("A")), "Done."], { step: 2 });
    const again = await agent.generate();
    expect(scripted.requests[0]?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(resultsOf(again)).toEqual([resultsOf(response)[1]]);
    expect(effectsSince()).toEqual([]);
  });

  it("asks a person about any other call, also of a tool that reads, and whatever autoApprove says", async () => {
    const { replay } = await recorded([calls(lookUp("A")), "On its way."]);
    const { agent } = await replay([calls(lookUp("A"), lookUp("B")), "Both are on their way."]);
    const paused = await agent.generate(undefined, { confirm: autoApprove({ tools: [LookUpTool] }) });
    expect(paused.reason).toBe("awaiting_confirmation");
    expect(paused.confirmations).toMatchObject([{ tool: "look_up", input: { order: "B" } }]);
    expect(effectsSince()).toEqual([]);
    if (paused.reason !== "awaiting_confirmation") return;
    const response = await agent.resume(paused.state, { decisions: paused.confirmations.map((one) => approve(one)) });
    expect(response.text).toBe("Both are on their way.");
    expect(effectsSince()).toEqual(["look up B"]);
  });

  it("doesn't run a call that a person denies, and runs an approved one with the edited arguments", async () => {
    const { replay } = await recorded(["Nothing to do."]);
    const { agent } = await replay([calls(refund("B"), refund("C")), "Done."]);
    const paused = await agent.generate();
    if (paused.reason !== "awaiting_confirmation") throw new Error(paused.reason);
    const [first, second] = paused.confirmations;
    const decisions = [deny(first as never, "Not B."), approveEdited(second as never, { order: "D" })];
    const response = await agent.resume(paused.state, { decisions });
    expect(resultsOf(response)[0]).toContain("Not B.");
    expect(effectsSince()).toEqual(["refund D"]);
  });

  it("goes on with its rules after a pause, and with a further prompt", async () => {
    const { replay } = await recorded([calls(lookUp("A")), "On its way."]);
    const { agent } = await replay([calls(lookUp("B")), calls(lookUp("A")), calls(refund("A")), "Done.", calls(refund("B")), "Done."]);
    const first = await agent.generate();
    if (first.reason !== "awaiting_confirmation") throw new Error(first.reason);
    const second = await agent.resume(first.state, { decisions: first.confirmations.map((one) => approve(one)) });
    if (second.reason !== "awaiting_confirmation") throw new Error(second.reason);
    expect(second.confirmations).toMatchObject([{ tool: "refund" }]);
    await agent.resume(second.state, { decisions: second.confirmations.map((one) => deny(one)) });
    expect((await agent.generate("And B?")).reason).toBe("awaiting_confirmation");
    expect(effectsSince()).toEqual(["look up B"]);
  });

  it("finds a call in the record whose arguments are written otherwise: other spaces, and a default in full", async () => {
    const { replay } = await recorded([calls({ name: "look_up", arguments: '{"order":"A"}' }), "On its way."]);
    const { agent } = await replay([calls({ name: "look_up", arguments: '{ "form": "short", "order": "A" }' }), "Done."]);
    expect((await agent.generate()).reason).toBe("success");
    expect(effectsSince()).toEqual([]);
  });

  it("uses each recorded result for one call, in the order of the record", async () => {
    const { replay } = await recorded([calls(refund("A"), refund("A")), "Twice."]);
    const { agent } = await replay([calls(refund("A"), refund("A"), refund("A")), "Done."]);
    const paused = await agent.generate();
    if (paused.reason !== "awaiting_confirmation") throw new Error(paused.reason);
    expect(paused.confirmations).toHaveLength(1);
    const response = await agent.resume(paused.state, { decisions: paused.confirmations.map((one) => deny(one)) });
    expect(resultsOf(response).slice(0, 2)).toEqual(["Refunded A, number 1.", "Refunded A, number 2."]);
    expect(effectsSince()).toEqual([]);
  });

  it("doesn't answer from steps before its beginning: their results are in the history", async () => {
    const { replay } = await recorded([calls(refund("A")), calls(lookUp("A")), "Refunded."]);
    const { agent } = await replay([calls(refund("A")), "Done."], { step: 2 });
    expect((await agent.generate()).confirmations).toMatchObject([{ tool: "refund" }]);
  });

  it("gives a recorded failure and a recorded denial again", async () => {
    const { replay, response } = await recorded([calls(lookUp("lost")), "Not known."]);
    const { agent } = await replay([calls(lookUp("lost")), "Still not known."]);
    const again = await agent.generate();
    expect(again.steps[0]?.toolCalls[0]).toMatchObject({ errorType: "execution_error" });
    expect(resultsOf(again)).toEqual(resultsOf(response));
    expect(effectsSince()).toEqual([]);
  });

  it("never runs the tool's own confirmation rule", async () => {
    const { replay } = await recorded(["Nothing to do."]);
    const before = countOfRules();
    const { agent } = await replay([calls(refund("A")), "Done."]);
    expect((await agent.generate()).reason).toBe("awaiting_confirmation");
    expect(countOfRules()).toBe(before);
  });

  it("marks results from the record in the stream", async () => {
    const { replay } = await recorded([calls(lookUp("A")), "On its way."]);
    const { agent } = await replay([calls(lookUp("A")), "Done."]);
    const events: AgentEvent[] = [];
    for await (const event of agent.stream()) events.push(event);
    expect(events).toContainEqual(expect.objectContaining({ type: "tool_result", tool: "look_up", fromRecord: true }));
    expect(events.some(({ type }) => type === "tool_started")).toBe(false);
  });

  it("of a replay answers from the replay's own record", async () => {
    const { replay, ShopAgent } = await recorded([calls(lookUp("A")), "On its way."]);
    const { agent } = await replay([calls(lookUp("A"), refund("A")), "Refunded."]);
    const second = new MemoryStorage();
    const paused = await agent.generate(undefined, { journal: second, runId: "again" });
    if (paused.reason !== "awaiting_confirmation") throw new Error(paused.reason);
    await agent.resume(paused.state, { journal: second, decisions: paused.confirmations.map((one) => approve(one)) });
    const script = new ScriptedModel([calls(refund("A"), lookUp("A")), "Done."]);
    const third = await prepareReplay(new ShopAgent(), "again", { journal: second, model: script });
    expect((await third.generate()).text).toBe("Done.");
    expect(effectsSince()).toEqual(["refund A"]);
  });

  it("changes nothing in the storage of the recorded run", async () => {
    const { storage, replay } = await recorded([calls(lookUp("A")), "On its way."]);
    const before = structuredClone(await storage.journals.read("run"));
    const { agent } = await replay([calls(lookUp("A")), "Done."]);
    await agent.generate();
    expect(await storage.journals.read("run")).toEqual(before);
    expect(await storage.journals.list()).toHaveLength(1);
  });

  it("can't be resumed by an instance that isn't prepared, from its state or from its journal", async () => {
    const { replay, ShopAgent } = await recorded(["Nothing to do."]);
    const one = await (await replay([calls(refund("A")), "Done."])).agent.generate();
    if (one.reason !== "awaiting_confirmation") throw new Error(one.reason);
    const decisions = one.confirmations.map((confirmation) => approve(confirmation));
    await expect(new ShopAgent().resume(one.state, { decisions })).rejects.toThrow(RunStateError);
    const journal = new MemoryStorage();
    await (await replay([calls(refund("A")), "Done."])).agent.generate(undefined, { journal, runId: "again" });
    await expect(new ShopAgent().resume("again", { journal })).rejects.toThrow(
      'The run "again" is a replay: its calls are answered from the record of another run, which this instance doesn\'t have. Resume it with the instance that prepareReplay returned',
    );
    expect(effectsSince()).toEqual([]);
  });
});

describe("prepareReplay", () => {
  it("names the steps that there are, and a run that hasn't begun", async () => {
    const { replay } = await recorded([calls(lookUp("A")), "On its way."]);
    await expect(replay([], { step: 3 })).rejects.toThrow(
      new RangeError('prepareReplay: the run "run" has no step 3. Pass a step from 1 to 2.'),
    );
    await expect(replay([], { step: 0.5 })).rejects.toThrow(RangeError);
  });

  it("rejects a run that the storage doesn't have, one of another agent, and a model that can't be made", async () => {
    const { storage, replay } = await recorded(["Hello."]);
    const { ShopAgent } = shopWith([]);
    await expect(prepareReplay(new ShopAgent(), "none", { journal: storage })).rejects.toThrow(JournalError);
    await expect(replay([], { model: "nonsense" })).rejects.toThrow(ModelError);
    class OtherAgent extends ShopAgent {}
    Object.defineProperty(OtherAgent, "definition", { value: { ...ShopAgent.definition, name: "other" } });
    await expect(prepareReplay(new OtherAgent(), "run", { journal: storage })).rejects.toThrow('The run "run" is of the agent "shop"');
  });

  it("takes the last of two preparations of one instance", async () => {
    const { storage, ShopAgent } = await recorded([calls(lookUp("A")), "On its way."]);
    const agent = new ShopAgent();
    await prepareReplay(agent, "run", { journal: storage, model: new ScriptedModel(["One."]) });
    await prepareReplay(agent, "run", { journal: storage, model: new ScriptedModel(["Two."]) });
    expect((await agent.generate()).text).toBe("Two.");
  });
});

describe("readRecording", () => {
  it("reads a run of a runtime step by step, with its context", async () => {
    const storage = new MemoryStorage();
    const { ShopAgent } = shopWith([calls(lookUp("A")), "On its way."], [LookUpTool]);
    const runtime = new InProcessRuntime({ storage, agents: [ShopAgent] });
    await runtime.start(ShopAgent, "Where is A?", { runId: "run", context: { userId: "42" } });
    await runtime.result("run");
    expect(await readRecording(storage, "run")).toMatchObject({
      ...{ runId: "run", agent: "shop", context: { userId: "42" } },
      steps: [
        { step: 1, sent: 1, calls: [{ tool: "look_up", state: "answered", result: { content: "Order A is on its way." } }] },
        { step: 2, sent: 3, text: "On its way.", calls: [] },
      ],
    });
  });
});
