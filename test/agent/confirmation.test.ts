import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type AgentResponse, model, usesTools } from "../../src/agent/index.js";
import {
  approve,
  approveEdited,
  type Confirmation,
  type ConfirmationHandler,
  type Decision,
  DecisionError,
  deny,
} from "../../src/confirmation/index.js";
import { type DecisionClaims, FileDecisionClaims } from "../../src/storage/index.js";
import { openConfirmations, type RunState, RunStateError } from "../../src/loop/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { description, identifier, required, requiresConfirmation, Tool, type ToolContext } from "../../src/tool/index.js";
import { isPaired } from "../support/paired.js";

/** What happened in the world outside, so that nothing happens twice unseen. */
const effects: string[] = [];
let asked = 0;

@identifier("refund")
@description("Refunds an order. Use when the user wants the money back.")
@requiresConfirmation((input) => {
  asked += 1;
  return Number(input.euros) > 10;
})
class RefundTool extends Tool {
  @required(String) order!: string;
  @required(Number) euros!: number;

  call({ userId }: ToolContext) {
    effects.push(`refund ${this.order} ${this.euros}${userId === undefined ? "" : ` by ${userId}`}`);
    return `Refunded ${this.euros} for ${this.order}.`;
  }
}

@identifier("look_up")
@description("Looks up an order. Use when the user names one.")
class LookUpTool extends Tool {
  @required(String) order!: string;

  call() {
    effects.push(`look up ${this.order}`);
    return `${this.order}: a lamp.`;
  }
}

const refund = (order: string, euros: number, id?: string) => ({
  name: "refund",
  arguments: { order, euros },
  ...(id !== undefined && { id }),
});
const lookUp = (order: string) => ({ name: "look_up", arguments: { order } });

/** Makes agents of one class, as several processes would, whose models play one script together. */
function refundAgents(script: readonly ScriptedStep[]) {
  const scripted = new ScriptedModel(script);

  @model(scripted)
  @usesTools([RefundTool, LookUpTool])
  class RefundAgent extends Agent {}

  return { RefundAgent, scripted };
}

/** The state as a database gives it back. */
function stored(response: AgentResponse): RunState {
  expect(response.state).toBeDefined();
  return JSON.parse(JSON.stringify(response.state)) as RunState;
}

beforeEach(() => {
  effects.length = 0;
  asked = 0;
});

describe("a run with calls that need a person", () => {
  it("pauses with what the person must see, and goes on in another process", async () => {
    const { RefundAgent, scripted } = refundAgents([{ toolCalls: [refund("A-17", 250)] }, "The money is on its way."]);
    const paused = await new RefundAgent().generate("Refund A-17");
    expect(paused.outcome.reason).toBe("awaiting_confirmation");
    expect(paused.confirmations).toMatchObject([
      {
        runId: paused.runId,
        callId: "call_1",
        agent: "refund_agent",
        tool: "refund",
        description: "Refunds an order. Use when the user wants the money back.",
        category: "side_effect",
        consequenceLevel: "medium",
        input: { order: "A-17", euros: 250 },
      },
    ]);
    expect(effects).toEqual([]);

    const done = await new RefundAgent().resume(stored(paused), { decisions: [approve("call_1")] });
    expect(done.text).toBe("The money is on its way.");
    expect(done.runId).toBe(paused.runId);
    expect(effects).toEqual(["refund A-17 250"]);
    expect(scripted.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", content: "Refunded 250 for A-17." });
  });

  it("case 46: runs the calls that need no decision at once, and each call has one result after the decisions", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50), lookUp("A"), refund("B", 60)] }, "Done."]);
    const paused = await new RefundAgent().generate("Refund both");
    expect(effects).toEqual(["look up A"]);
    const agent = new RefundAgent();
    const done = await agent.resume(stored(paused), { decisions: [approve("call_3"), deny("call_1", "too old")] });
    expect(done.text).toBe("Done.");
    expect(effects).toEqual(["look up A", "refund B 60"]);
    expect(isPaired(agent.messages)).toBe(true);
    expect(agent.messages.slice(2, 5)).toMatchObject([
      { toolCallId: "call_1", errorType: "confirmation_denied", content: expect.stringContaining("too old") },
      { toolCallId: "call_2", content: "A: a lamp." },
      { toolCallId: "call_3", content: "Refunded 60 for B." },
    ]);
  });

  it("runs no gated call before all of the step are decided", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50), refund("B", 60)] }, "Done."]);
    const paused = await new RefundAgent().generate("Refund both");
    const half = await new RefundAgent().resume(stored(paused), { decisions: [approve("call_1")] });
    expect(half.outcome.reason).toBe("awaiting_confirmation");
    expect(half.confirmations?.map(({ callId }) => callId)).toEqual(["call_2"]);
    expect(effects).toEqual([]);
    await new RefundAgent().resume(stored(half), { decisions: [approve("call_2")] });
    expect(effects).toEqual(["refund A 50", "refund B 60"]);
  });

  it("case 47: asks the tool's rule once per call, not again on resume", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50)] }, "Done."]);
    const paused = await new RefundAgent().generate("Refund");
    await new RefundAgent().resume(stored(paused), { decisions: [approve("call_1")] });
    expect(asked).toBe(1);
  });

  it("case 49: resumes with a new context, which the tool gets", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50)] }, "Done."]);
    const paused = await new RefundAgent().generate("Refund", { toolContext: { userId: "ada" } });
    await new RefundAgent().resume(stored(paused), { decisions: [approve("call_1")], toolContext: { userId: "bob" } });
    expect(effects).toEqual(["refund A 50 by bob"]);
  });

  it("case 50: asks again for other arguments of the same tool, also under the same call id", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50, "x")] }, { toolCalls: [refund("B", 5_000, "x")] }, "Done."]);
    const paused = await new RefundAgent().generate("Refund");
    const again = await new RefundAgent().resume(stored(paused), { decisions: [approve("x")] });
    expect(effects).toEqual(["refund A 50"]);
    expect(again.outcome.reason).toBe("awaiting_confirmation");
    expect(again.confirmations).toMatchObject([{ input: { order: "B", euros: 5_000 } }]);
    expect(again.confirmations?.[0]?.callId).not.toBe("x");
  });

  it("case 50: asks again if the tool's definition has changed since the approval", async () => {
    const { RefundAgent, scripted } = refundAgents([{ toolCalls: [refund("A", 50)] }, "Done."]);
    const paused = await new RefundAgent().generate("Refund");

    @identifier("refund")
    @description("Refunds an order to any account. Use when the user wants the money back.")
    @requiresConfirmation()
    class NewRefundTool extends RefundTool {}

    @identifier("refund_agent")
    @model(scripted)
    @usesTools([NewRefundTool, LookUpTool])
    class NewRefundAgent extends Agent {}

    const warned = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const again = await new NewRefundAgent().resume(stored(paused), { decisions: [approve("call_1")] });
    expect(warned.mock.calls.map(([message]) => message)).toEqual([
      expect.stringMatching(
        /^The call "call_1" \(refund\) of run .* was approved, and didn't run: the tool's description, schema or policy changed/,
      ),
    ]);
    warned.mockRestore();
    expect(again.outcome.reason).toBe("awaiting_confirmation");
    expect(again.confirmations?.[0]).toMatchObject({ callId: "call_1", description: expect.stringContaining("any account") });
    expect(effects).toEqual([]);
  });

  it("case 52: keeps the results of calls that were done, and gives each answer to its own call", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("small", 5), refund("large", 50)] }, "Done."]);
    const paused = await new RefundAgent().generate("Refund");
    expect(effects).toEqual(["refund small 5"]);
    const agent = new RefundAgent();
    await agent.resume(stored(paused), { decisions: [approve("call_2")] });
    expect(effects).toEqual(["refund small 5", "refund large 50"]);
    expect(agent.messages.slice(2, 4)).toMatchObject([{ content: "Refunded 5 for small." }, { content: "Refunded 50 for large." }]);
  });

  it("runs edited arguments in place of the model's, and reports them to the model", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50)] }, "Done."]);
    const paused = await new RefundAgent().generate("Refund");
    const agent = new RefundAgent();
    await agent.resume(stored(paused), { decisions: [approveEdited("call_1", { order: "A", euros: 20 })] });
    expect(effects).toEqual(["refund A 20"]);
    expect(agent.messages[2]?.content).toBe(
      'A person changed the arguments to {"order":"A","euros":20} before approving this call.\nRefunded 20 for A.',
    );
  });

  it("refuses edited arguments that don't fit, before anything runs", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50)] }, "Done."]);
    const paused = await new RefundAgent().generate("Refund");
    const edit = new RefundAgent().resume(stored(paused), { decisions: [approveEdited("call_1", { order: "A", euros: "all" })] });
    await expect(edit).rejects.toThrow('The edited arguments of the call "call_1" don\'t fit: euros must be');
    await new RefundAgent().resume(stored(paused), { decisions: [approve("call_1")] });
    expect(effects).toEqual(["refund A 50"]);
  });

  it("refuses a time for approvals that is none, before the model is asked", async () => {
    const { RefundAgent, scripted } = refundAgents(["Hi."]);
    await expect(new RefundAgent().generate("Refund", { confirmationTimeout: Number.NaN })).rejects.toThrow(
      "generate: confirmationTimeout is NaN, but is a number of milliseconds: give at least 0.",
    );
    expect(scripted.requests).toEqual([]);
  });

  it("reports to the model that an approval came too late, and runs nothing", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50)] }, "Too late."]);
    const paused = await new RefundAgent().generate("Refund", { confirmationTimeout: 0 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const agent = new RefundAgent();
    expect((await agent.resume(stored(paused), { decisions: [approve("call_1")] })).text).toBe("Too late.");
    expect(agent.messages[2]).toMatchObject({ errorType: "confirmation_denied", content: expect.stringContaining("expired") });
    expect(effects).toEqual([]);
  });
});

describe("the state of a run", () => {
  it("is there while the run can go on, and not after its answer", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50)] }, "Done."]);
    const agent = new RefundAgent();
    expect(agent.state).toBeUndefined();
    const paused = await agent.generate("Refund");
    expect(agent.state).toEqual(paused.state);
    await agent.resume(stored(paused), { decisions: [approve("call_1")] });
    expect(agent.state).toBeUndefined();
  });

  it("stored in the middle of a run leads on after a crash, with what was done", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [lookUp("A")] }, { toolCalls: [lookUp("B")] }, "never asked", "Done."]);
    const agent = new RefundAgent();
    const states: (RunState | undefined)[] = [];
    agent.onMessage(() => states.push(agent.state));
    await agent.generate("Look");
    effects.length = 0;
    const resumed = new RefundAgent();
    expect((await resumed.resume(states[1] as RunState)).text).toBe("Done.");
    expect(resumed.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(effects).toEqual([]);
  });

  it("lists what waits, from the state alone", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50), lookUp("B"), refund("C", 60)] }]);
    const paused = await new RefundAgent().generate("Refund");
    expect(openConfirmations(stored(paused))).toEqual(paused.confirmations);
    const half = await new RefundAgent().resume(stored(paused), { decisions: [approve("call_1")] });
    expect(openConfirmations(stored(half)).map(({ callId }) => callId)).toEqual(["call_3"]);
  });

  it("may have a history of any size, such as one with pictures", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("H-8", 50, "call_1")] }, "Done."]);
    const waiting = await RefundAgent.generate(`Refund H-8. ${"x".repeat(3_000_000)}`);
    const { text } = await new RefundAgent().resume(stored(waiting), { decisions: [approve("call_1")] });
    expect(text).toBe("Done.");
  });

  it("is frozen, and a copy: the conversation goes on without changing it", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50)] }, "Never mind."]);
    const agent = new RefundAgent();
    const { state } = await agent.generate("Refund");
    const before = JSON.stringify(state);
    await agent.generate("Leave it");
    expect(JSON.stringify(state)).toBe(before);
    expect(Object.isFrozen(state?.loop.current?.gates)).toBe(true);
  });
});

describe("handlers of confirmations", () => {
  const script = [{ toolCalls: [refund("A", 50)] }, "Done."];

  it("decide while the run waits, the first that decides", async () => {
    const seen: string[] = [];
    const undecided: ConfirmationHandler = ({ tool }) => {
      seen.push(tool);
      return undefined;
    };
    const { RefundAgent } = refundAgents(script);
    const response = await new RefundAgent().generate("Refund", { confirm: [undecided, (confirmation) => approve(confirmation)] });
    expect(response.text).toBe("Done.");
    expect(seen).toEqual(["refund"]);
    expect(effects).toEqual(["refund A 50"]);
  });

  it("leave the run paused if none decides", async () => {
    const { RefundAgent } = refundAgents(script);
    expect((await new RefundAgent().generate("Refund", { confirm: () => undefined })).outcome.reason).toBe("awaiting_confirmation");
  });

  it("decide a stored state once, however often it is resumed", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50)] }, "Done.", "Done."]);
    const state = stored(await new RefundAgent().generate("Refund"));
    const confirm: ConfirmationHandler = (confirmation) => approve(confirmation);
    const ends = await Promise.all([new RefundAgent().resume(state, { confirm }), new RefundAgent().resume(state, { confirm })]);
    expect(ends.map(({ outcome }) => outcome.reason).sort()).toEqual(["awaiting_confirmation", "success"]);
    expect(effects).toEqual(["refund A 50"]);
  });

  it("lose no result of other calls if the claims can't be asked: the run waits, and can be resumed", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50), refund("B", 60)] }, "Done."]);
    const state = stored(await new RefundAgent().generate("Refund"));
    const confirm: ConfirmationHandler = (confirmation) => approve(confirmation);
    let claimed = 0;
    const claims: DecisionClaims = {
      claim: async () => {
        claimed += 1;
        if (claimed === 1) throw new Error("no database");
        await new Promise(setImmediate);
        return true;
      },
    };
    const agent = new RefundAgent();
    await expect(agent.resume(state, { confirm, claims })).rejects.toThrow("no database");
    const left = agent.state;
    // A state may go to a browser: it has no words of errors.
    expect(left?.loop.outcome).toEqual({ reason: "interrupted", detail: "The run was interrupted by an error on the server." });
    expect(effects).toEqual([]);
    const resumed = await new RefundAgent().resume(left as RunState, { decisions: [approve("call_1")], claims });
    expect(resumed.text).toBe("Done.");
    expect(effects).toEqual(["refund A 50", "refund B 60"]);
  });

  it("that fail, or decide another call, decide nothing", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const { RefundAgent } = refundAgents(script);
    const failing: ConfirmationHandler = () => {
      throw new Error("no connection");
    };
    const response = await new RefundAgent().generate("Refund", { confirm: [failing, () => approve("call_9")] });
    expect(response.outcome.reason).toBe("awaiting_confirmation");
    expect(effects).toEqual([]);
    expect(warn.mock.calls.map(([message]) => String(message))).toEqual([
      expect.stringContaining("no connection"),
      expect.stringContaining('decided the call "call_9"'),
    ]);
    warn.mockRestore();
  });

  it("that answer anything but a decision decide nothing: the call doesn't run", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const answers = [{ decision: "denied" }, { approved: false }, { decision: true }, { decision: "approve_edited" }, "no"];
    for (const answer of answers) {
      const { RefundAgent } = refundAgents(script);
      // A handler of plain JavaScript may give anything.
      const confirm = ({ callId }: Confirmation) => (typeof answer === "string" ? answer : { callId, ...answer }) as never;
      const response = await new RefundAgent().generate("Refund", { confirm });
      expect(response.confirmations).toHaveLength(1);
    }
    expect(effects).toEqual([]);
    expect(warn.mock.calls[0]?.[0]).toContain("A decision is made by approve(callId), deny(callId, reason)");
    expect(warn).toHaveBeenCalledTimes(answers.length);
    warn.mockRestore();
  });

  it("that fail are warned of without secrets", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const { RefundAgent } = refundAgents(script);
    const confirm = () => Promise.reject(new Error("can't reach https://ada:hunter2@approvals.example.com"));
    await new RefundAgent().generate("Refund", { confirm });
    expect(warn.mock.calls[0]?.[0]).toContain("approvals.example.com");
    expect(warn.mock.calls[0]?.[0]).not.toContain("hunter2");
    warn.mockRestore();
  });

  it("end with the run when it is aborted", async () => {
    const { RefundAgent } = refundAgents(script);
    const controller = new AbortController();
    const never: ConfirmationHandler = () => {
      setImmediate(() => controller.abort("user left"));
      return new Promise(() => undefined);
    };
    const response = await new RefundAgent().generate("Refund", { confirm: never, abortSignal: controller.signal });
    expect(response.outcome).toEqual({ reason: "aborted", detail: "user left" });
  });
});

describe("what resume refuses, before anything runs", () => {
  async function pausedRun() {
    const { RefundAgent, scripted } = refundAgents([{ toolCalls: [refund("A", 50), refund("B", 60)] }, "Done.", "Done."]);
    return { RefundAgent, scripted, state: stored(await new RefundAgent().generate("Refund")) };
  }

  const reasonOf = async (promise: Promise<unknown>): Promise<unknown> => {
    const error = await promise.then(
      () => "nothing was refused",
      (thrown: unknown) => thrown,
    );
    return error instanceof RunStateError || error instanceof DecisionError ? error.reason : error;
  };

  it("is a state that was edited", async () => {
    const { RefundAgent, state } = await pausedRun();
    const edited = JSON.parse(JSON.stringify(state).replaceAll('\\"euros\\":50', '\\"euros\\":50000')) as RunState;
    expect(edited).not.toEqual(state);
    expect(await reasonOf(new RefundAgent().resume(edited, { decisions: [approve("call_1"), approve("call_2")] }))).toBe("edited");
    expect(effects).toEqual([]);
  });

  it("is a state that was edited and sealed anew by somebody who doesn't know the secret", async () => {
    const { RefundAgent } = refundAgents([{ toolCalls: [refund("A", 50)] }, "Done."]);
    const stateSecret = "a secret of thirty-two bytes at least";
    const state = stored(await new RefundAgent().generate("Refund", { stateSecret }));
    expect(await reasonOf(new RefundAgent().resume(state, { stateSecret: `${stateSecret}?` }))).toBe("edited");
    expect((await new RefundAgent().resume(state, { stateSecret, decisions: [approve("call_1")] })).text).toBe("Done.");
  });

  it("is a state of another agent or another version, and what is no state", async () => {
    const { RefundAgent, state, scripted } = await pausedRun();

    @model(scripted)
    class OtherAgent extends Agent {}

    expect(await reasonOf(new OtherAgent().resume(state))).toBe("other_agent");
    expect(await reasonOf(new RefundAgent().resume({ ...state, version: 2 } as unknown as RunState))).toBe("version");
    for (const value of [null, undefined, "{}", JSON.stringify(state), 7, [], {}]) {
      expect(await reasonOf(new RefundAgent().resume(value as unknown as RunState))).toBe("no_state");
    }
  });

  it("is what stands around a state, or where none was left; the error says what to give", async () => {
    const { RefundAgent } = await pausedRun();
    const told = (value: unknown) => new RefundAgent().resume(value as RunState).catch((error: Error) => error.message);
    expect(await told(await new RefundAgent().generate("Go"))).toMatch(/got the whole response\. Give response\.state\.$/);
    expect(await told(undefined)).toMatch(/got undefined\. A run that has ended with its answer leaves none: go on with generate\.$/);
    expect(await told(null)).toMatch(/got null\.$/);
  });

  it("are decisions for unknown calls, and two for one call; the error names the calls that wait", async () => {
    const { RefundAgent, state } = await pausedRun();
    const resume = (...decisions: Parameters<typeof approve>[0][]) =>
      new RefundAgent().resume(state, { decisions: decisions.map((id) => approve(id)) });
    expect(await reasonOf(resume("call_7"))).toBe("unknown_call");
    await expect(resume("call_7")).rejects.toThrow("These wait: call_1 (refund), call_2 (refund).");
    expect(await reasonOf(resume("call_1", "call_1"))).toBe("decided_twice");
    expect(await reasonOf(new RefundAgent().resume(state, { decisions: [{} as never] }))).toBe("unknown");
    expect(effects).toEqual([]);
  });

  it("is a decision that was made for another confirmation", async () => {
    const { RefundAgent, state } = await pausedRun();
    const decision = approve({ callId: "call_1", id: "0".repeat(64) });
    expect(await reasonOf(new RefundAgent().resume(state, { decisions: [decision] }))).toBe("other_confirmation");
  });

  it("is a decision that was used before: the state can't be resumed twice", async () => {
    const { RefundAgent, state } = await pausedRun();
    const decisions = [approve("call_1"), approve("call_2")];
    await new RefundAgent().resume(state, { decisions });
    expect(await reasonOf(new RefundAgent().resume(state, { decisions }))).toBe("decided_before");
    expect(await reasonOf(new RefundAgent().resume(state, { decisions: [deny("call_1")] }))).toBe("decided_before");
    expect(effects).toEqual(["refund A 50", "refund B 60"]);
  });

  it("is an approval that another run used, which went on from the same state: the call isn't run again", async () => {
    const { RefundAgent, scripted } = refundAgents([{ toolCalls: [refund("A", 50)] }, "Refunded.", "I can't say."]);
    const state = stored(await new RefundAgent().generate("Refund A"));
    /** Goes on from a state, and is stopped before the call begins. */
    const stopAtOnce = async (from: RunState, decisions: readonly Decision[]) => {
      const agent = new RefundAgent();
      const running = agent.resume(from, { decisions });
      agent.interrupt("not now");
      return stored(await running);
    };
    const approved = await stopAtOnce(state, [approve("call_1")]);
    const left = await stopAtOnce(approved, []);
    expect(effects).toEqual([]);

    expect((await new RefundAgent().resume(approved)).text).toBe("Refunded.");
    expect((await new RefundAgent().resume(left)).text).toBe("I can't say.");
    expect(effects).toEqual(["refund A 50"]);
    expect(scripted.requests.at(-1)?.messages.at(-1)?.content).toMatch(/^Not run: the approval of this call was already used/);
  });

  it("is a decision that was used in another process, if both share the claims", async () => {
    const { RefundAgent, state } = await pausedRun();
    const directory = await mkdtemp(join(tmpdir(), "claims-"));
    const resume = () =>
      new RefundAgent().resume(state, { decisions: [approve("call_1"), approve("call_2")], claims: new FileDecisionClaims(directory) });
    const ends = await Promise.all([reasonOf(resume()), reasonOf(resume())]);
    expect(ends).toContain("decided_before");
    expect(effects).toHaveLength(2);
  });
});
