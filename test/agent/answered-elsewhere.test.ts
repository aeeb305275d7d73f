import { Agent, type AgentEvent, model, usesTools } from "../../src/agent/index.js";
import { answer, approve, type Decision, DecisionError, deny, type Question } from "../../src/confirmation/index.js";
import { ToolExecutor, createRunScope } from "../../src/execution/index.js";
import { openConfirmations, openQuestions, type RunState } from "../../src/loop/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { MemoryDecisionClaims } from "../../src/storage/index.js";
import { invokeTool } from "../../src/testing/index.js";
import {
  answeredBy,
  createTool,
  description,
  required,
  requiresConfirmation,
  returns,
  Tool,
  type ToolClass,
  ToolDefinitionError,
  ToolInterrupt,
  tool,
} from "../../src/tool/index.js";
import { AskUserTool } from "../../src/tools/index.js";
import { afterCrash, watchedStorage } from "../support/journals.js";
import { dialects, evaluate } from "../tool/in-dialect.js";

class Place {
  @required(String, { minLength: 2 }) city!: string;
  @required(Number) floor!: number;
}

@description("Picks a place on the page's map. Use when the user should point at one.")
@answeredBy("client")
@returns(Place)
class PickPlaceTool extends Tool {
  @required(String) title!: string;
}

const ran: string[] = [];
beforeEach(() => {
  ran.length = 0;
});

@description("Looks up an order. Use when the user names one.")
class LookUpTool extends Tool {
  @required(String) order!: string;
  override call() {
    ran.push(this.order);
    return `Order ${this.order} is on its way.`;
  }
}

@description("Refunds an order. Use when the user wants the money back.")
@requiresConfirmation()
class RefundTool extends Tool {
  @required(String) order!: string;
  override call() {
    ran.push(`refund ${this.order}`);
    return "Refunded.";
  }
}

const pick = { name: "pick_place_tool", arguments: { title: "Where?" } };
const ask = { name: "ask_user", arguments: { question: "Which colour?" } };
const lookUp = { name: "look_up_tool", arguments: { order: "A-17" } };
const refund = { name: "refund_tool", arguments: { order: "A-17" } };
const paris = { city: "Paris", floor: 2 };

function agentWith(steps: readonly ScriptedStep[], tools: readonly ToolClass[] = [PickPlaceTool, AskUserTool, LookUpTool, RefundTool]) {
  const script = new ScriptedModel(steps);
  @model(script, { retries: 0 })
  @usesTools(tools)
  class SupportAgent extends Agent {}
  return Object.assign(new SupportAgent(), { script });
}

/** A run that waits. */
async function paused(...calls: readonly object[]): Promise<{ state: RunState; questions: readonly Question[] }> {
  const response = await agentWith([{ toolCalls: calls as never }]).generate("Help me.");
  if (response.state === undefined) throw new Error(response.outcome.detail);
  return { state: JSON.parse(JSON.stringify(response.state)) as RunState, questions: response.questions ?? [] };
}

const errorOf = async (work: Promise<unknown>): Promise<DecisionError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(DecisionError);
  return error as DecisionError;
};

describe("a call that the client answers", () => {
  it("pauses the run, with what is asked and the schema of the answer", async () => {
    const agent = agentWith([{ toolCalls: [pick] }]);
    const response = await agent.generate("Where do we meet?");
    expect(response.reason).toBe("awaiting_answer");
    expect(response.confirmations).toBeUndefined();
    expect(response.questions).toEqual([
      expect.objectContaining({
        callId: "call_1",
        tool: "pick_place_tool",
        input: { title: "Where?" },
        answeredBy: "client",
        answerSchema: PickPlaceTool.definition.outputSchema,
      }),
    ]);
    expect(openQuestions(response.state as RunState)).toEqual(response.questions);
    expect(openConfirmations(response.state as RunState)).toEqual([]);
  });

  it("goes on with the answer as its result, in another process", async () => {
    const { state, questions } = await paused(pick);
    const agent = agentWith(["Paris, second floor."]);
    const response = await agent.resume(state, { decisions: [answer(questions[0]!, paris)] });
    expect(response.text).toBe("Paris, second floor.");
    expect(response.steps[0]?.toolCalls[0]).toMatchObject({ content: JSON.stringify(paris), data: paris });
    expect(agent.script.requests[0]?.messages.at(-1)).toMatchObject({ role: "tool", toolCallId: "call_1", content: JSON.stringify(paris) });
  });

  it("runs the step's own calls at once, and sends all results in one piece", async () => {
    const { state } = await paused(lookUp, pick, ask);
    expect(ran).toEqual(["A-17"]);
    const half = await agentWith([]).resume(state, { decisions: [answer("call_2", paris)] });
    expect(half).toMatchObject({ reason: "awaiting_answer", questions: [{ callId: "call_3" }] });
    const agent = agentWith(["Done."]);
    const whole = await agent.resume(half.state as RunState, { decisions: [answer("call_3", "Blue")] });
    expect(whole.reason).toBe("success");
    expect(ran).toEqual(["A-17"]);
    const results = agent.script.requests[0]?.messages.filter(({ role }) => role === "tool");
    expect(results?.map(({ content }) => content)).toEqual(["Order A-17 is on its way.", JSON.stringify(paris), "Blue"]);
  });

  it("waits together with a confirmation: the outcome is that of the confirmation, with both lists", async () => {
    const agent = agentWith([{ toolCalls: [refund, ask] }]);
    const response = await agent.generate("Refund it.");
    expect(response).toMatchObject({
      reason: "awaiting_confirmation",
      confirmations: [{ callId: "call_1" }],
      questions: [{ callId: "call_2" }],
    });
    const answered = await agentWith([]).resume(response.state as RunState, { decisions: [answer("call_2", "Blue")] });
    expect(answered).toMatchObject({ reason: "awaiting_confirmation", questions: [] });
    const done = await agentWith(["Done."]).resume(answered.state as RunState, { decisions: [approve("call_1")] });
    expect(done.steps[0]?.toolCalls.map(({ content }) => content)).toEqual(["Refunded.", "Blue"]);
  });

  it("reports to the model that the person declined, and why", async () => {
    const { state } = await paused(ask);
    const response = await agentWith(["All right."]).resume(state, { decisions: [deny("call_1", "I don't know")] });
    expect(response.steps[0]?.toolCalls[0]).toMatchObject({
      content: "Not answered: the person declined to answer. The reason: I don't know. Go on without the answer.",
      errorType: "confirmation_denied",
    });
  });

  it("streams the question, and the answer as the call's result", async () => {
    const events: AgentEvent[] = [];
    const stream = agentWith([{ toolCalls: [ask] }]).stream("Help.");
    for await (const event of stream) events.push(event);
    const { state } = await stream.response;
    const resumed = agentWith(["Blue it is."]).resumeStream(state as RunState, { decisions: [answer("call_1", "Blue")] });
    for await (const event of resumed) events.push(event);
    const types = events.map(({ type }) => type);
    expect(types).toContain("answer_required");
    expect(types).not.toContain("confirmation_required");
    expect(types).not.toContain("tool_started");
    expect(events).toContainEqual(expect.objectContaining({ type: "tool_result", tool: "ask_user", data: "Blue" }));
  });

  it("is given up when the conversation goes on", async () => {
    const agent = agentWith([{ toolCalls: [lookUp, ask] }, "Then not."]);
    const claims = new MemoryDecisionClaims();
    const { state } = await agent.generate("Help.", { claims });
    const response = await agent.generate("Never mind.", { claims });
    expect(response.givenUp).toEqual([expect.objectContaining({ callId: "call_2" })]);
    const results = agent.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    expect(results).toEqual(["Order A-17 is on its way.", "Not answered: the conversation went on before the answer was there."]);
    await expect(agentWith([]).resume(state as RunState, { decisions: [answer("call_2", "Blue")], claims })).rejects.toThrow(
      "The conversation went on without the run",
    );
  });

  it("is given to handlers, which may answer it; one that approves is reported and decides nothing", async () => {
    const answering = await agentWith([{ toolCalls: [ask] }, "Blue."]).generate("Help.", {
      confirm: (waiting) => answer(waiting, "Blue"),
    });
    expect(answering.text).toBe("Blue.");
    const warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const approving = await agentWith([{ toolCalls: [ask] }]).generate("Help.", { confirm: (waiting) => approve(waiting) });
    expect(approving.reason).toBe("awaiting_answer");
    expect(String(warnings.mock.calls[0]?.[0])).toContain('The call "call_1" (ask_user) waits for an answer');
    warnings.mockRestore();
  });

  it("of a sub-agent waits as one of the calling run", async () => {
    @model(new ScriptedModel([{ toolCalls: [ask] }, "Blue."]))
    @description("Chooses a colour.")
    @usesTools([AskUserTool])
    class ColourAgent extends Agent {}
    const make = (...steps: ScriptedStep[]) => {
      @model(new ScriptedModel(steps))
      @usesTools([ColourAgent])
      class PaintAgent extends Agent {}
      return new PaintAgent();
    };
    const first = await make({ toolCalls: [{ name: "colour_agent", arguments: { prompt: "Choose." } }] }).generate("Paint it.");
    expect(first).toMatchObject({ reason: "awaiting_answer", questions: [{ callId: "call_1/call_1", tool: "ask_user" }] });
    await errorOf(make("x").resume(first.state as RunState, { decisions: [answer("call_1/call_1", 7)] }));
    const done = await make("Painted.").resume(first.state as RunState, { decisions: [answer(first.questions![0]!, "Blue")] });
    expect(done.steps[0]?.toolCalls[0]?.content).toBe("Blue.");
  });

  it("of a recorded run survives the end of the process after any append, and is asked once", async () => {
    const { storage, appends } = watchedStorage();
    await agentWith([{ toolCalls: [lookUp, ask] }]).generate("Help.", { journal: storage, runId: "run-1" });
    const paused = appends.length;
    await agentWith(["Blue it is."]).resume("run-1", { journal: storage, decisions: [answer("call_2", "Blue")] });
    const hasAnswer = (count: number) => JSON.stringify(appends.slice(0, count)).includes('"call_decided"');
    for (let count = paused; count <= appends.length; count++) {
      ran.length = 0;
      const journal = await afterCrash(appends, count);
      const agent = agentWith(["Blue again."]);
      const response = await agent.resume("run-1", { journal });
      expect({ count, reason: response.reason }).toEqual({ count, reason: hasAnswer(count) ? "success" : "awaiting_answer" });
      expect(JSON.stringify(response.steps)).not.toContain("isn't known");
      expect(ran).toEqual([]);
    }
    expect(hasAnswer(appends.length)).toBe(true);
  });
});

describe("an answer is an untrusted result", () => {
  it("loses characters that people don't see", async () => {
    const { state } = await paused(ask);
    const response = await agentWith(["Done."]).resume(state, { decisions: [answer("call_1", "Bl\u{e0041}\u200bue")] });
    expect(response.steps[0]?.toolCalls[0]?.content).toBe("Blue");
  });

  it("is cut to the size of other results", async () => {
    const { state } = await paused(ask);
    const response = await agentWith(["Done."]).resume(state, { decisions: [answer("call_1", "x".repeat(200_000))] });
    expect(response.steps[0]?.toolCalls[0]?.content.length).toBeLessThanOrEqual(50_000);
  });

  it("is converted to JSON like other results", async () => {
    @tool({ identifier: "when", description: "Asks for a day.", answeredBy: "client", returns: Date })
    class When extends Tool {}
    const first = await agentWith([{ toolCalls: [{ name: "when", arguments: {} }] }], [When]).generate("When?");
    const decisions = [answer("call_1", new Date(0))];
    const response = await agentWith(["Done."], [When]).resume(first.state as RunState, { decisions });
    expect(response.steps[0]?.toolCalls[0]?.content).toBe("1970-01-01T00:00:00.000Z");
  });
});

describe("an answer that doesn't fit is rejected, and loses nothing", () => {
  const rejected: readonly (readonly [string, (question: Question) => readonly Decision[], DecisionError["reason"], string])[] = [
    ["breaks the schema", (one) => [answer(one, { city: "P" })], "invalid_answer", "city must have at least 2 characters"],
    ["has no value", () => [{ callId: "call_1", decision: "answer" } as never], "invalid_answer", "it must be a JSON value"],
    ["is no JSON", (one) => [answer(one, 10n)], "invalid_answer", "it must be a JSON value"],
    ["is for a call that isn't there", () => [answer("call_7", paris)], "unknown_call", "These wait: call_1 (pick_place_tool)."],
    ["comes twice", (one) => [answer(one, paris), answer(one, paris)], "decided_twice", "decided twice"],
    ["is for another question", () => [answer({ callId: "call_1", id: "other" }, paris)], "other_confirmation", "another confirmation"],
    ["is an approval", (one) => [approve(one)], "other_kind", "waits for an answer: answer(question, value)"],
    ["has an unknown member", (one) => [{ ...answer(one, paris), reason: "x" } as never], "unknown", 'no member "reason"'],
  ];

  it.each(rejected)("if it %s", async (_, decide, reason, message) => {
    const { state, questions } = await paused(pick);
    const error = await errorOf(agentWith([]).resume(state, { decisions: decide(questions[0]!) }));
    expect(error.reason).toBe(reason);
    expect(error.message).toContain(message);
    const response = await agentWith(["Done."]).resume(state, { decisions: [answer(questions[0]!, paris)] });
    expect(response.reason).toBe("success");
  });

  it("if a confirmation waits there", async () => {
    const { state } = await paused(refund);
    const error = await errorOf(agentWith([]).resume(state, { decisions: [answer("call_1", "yes")] }));
    expect(error.message).toContain("waits for an approval");
    expect(ran).toEqual([]);
  });

  it("if the same state was answered before", async () => {
    const { state, questions } = await paused(pick);
    const claims = new MemoryDecisionClaims();
    const decisions = [answer(questions[0]!, paris)];
    await agentWith(["Done."]).resume(state, { decisions, claims });
    expect((await errorOf(agentWith(["Done."]).resume(state, { decisions, claims }))).reason).toBe("decided_before");
  });

  it("if it comes too late; the run can ask again", async () => {
    const asked = await agentWith([{ toolCalls: [pick] }]).generate("Where?", { confirmationTimeout: 1 });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const state = asked.state as RunState;
    expect((await errorOf(agentWith([]).resume(state, { decisions: [answer("call_1", paris)] }))).reason).toBe("expired");
    const again = await agentWith([]).resume(state);
    expect(again).toMatchObject({ reason: "awaiting_answer", questions: [{ callId: "call_1" }] });
    const done = await agentWith(["Done."]).resume(again.state as RunState, { decisions: [answer("call_1", paris)] });
    expect(done.reason).toBe("success");
  });

  it("if the agent doesn't have the tool any more", async () => {
    const { state } = await paused(pick);
    expect((await errorOf(agentWith([], []).resume(state, { decisions: [answer("call_1", paris)] }))).reason).toBe("not_available");
  });

  it("and is never the result of a tool that has code by now: a person is asked about it", async () => {
    const { state } = await paused(ask);
    const { description: text, parametersSchema, outputSchema } = AskUserTool.definition;
    const Coded = createTool({
      name: "ask_user",
      description: text,
      inputSchema: parametersSchema,
      outputSchema: outputSchema!,
      requiresConfirmation: true,
      execute: () => "Asked by mail.",
    });
    const warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    const response = await agentWith(["Done."], [Coded]).resume(state, { decisions: [answer("call_1", "Blue")] });
    expect(response).toMatchObject({ reason: "awaiting_confirmation", confirmations: [{ callId: "call_1" }], questions: [] });
    warnings.mockRestore();
  });
});

describe("the definition of a tool that the client answers", () => {
  const messageOf = (define: () => unknown): string => {
    try {
      define();
    } catch (error) {
      expect(error).toBeInstanceOf(ToolDefinitionError);
      return (error as Error).message;
    }
    return "Nothing was thrown.";
  };

  it.each(dialects)("is a class without call in the %s dialect", (dialect) => {
    const { A } = evaluate(
      dialect,
      '@description("Asks.") @answeredBy("client") @returns(String) export class A extends Tool { @required(String) q; }',
    );
    expect(A.definition).toMatchObject({ answeredBy: "client", requiresConfirmation: true, outputSchema: { type: "string" } });
  });

  it("rejects call beside answeredBy, and neither of both", () => {
    @tool({ description: "d", answeredBy: "client", returns: String })
    class Both extends Tool {
      override call() {}
    }
    @description("d")
    @returns(String)
    class Neither extends Tool {}
    expect(messageOf(() => Both.definition)).toContain("Both: it has answeredBy and a call method");
    expect(messageOf(() => Neither.definition)).toContain('write @answeredBy("client")');
    class Created extends createTool("x", "d", { type: "object" }, () => 1) {}
    answeredBy("client")(Created);
    expect(messageOf(() => Created.definition)).toContain("Created: it has answeredBy and an execute function");
  });

  it("rejects a missing type of the answer, a confirmation, and an unknown client", () => {
    @tool({ description: "d", answeredBy: "client" })
    class Untyped extends Tool {}
    @tool({ description: "d", answeredBy: "client", returns: String, requiresConfirmation: true })
    class Confirmed extends Tool {}
    @tool({ description: "d", answeredBy: "browser" as never, returns: String })
    class Unknown extends Tool {}
    expect(messageOf(() => Untyped.definition)).toContain("Add @returns(String)");
    expect(messageOf(() => Confirmed.definition)).toContain("Remove requiresConfirmation");
    expect(messageOf(() => Unknown.definition)).toContain('answeredBy must be "client"');
  });

  it("is inherited, and rejects a call method of a subclass", () => {
    class Same extends PickPlaceTool {}
    class Coded extends PickPlaceTool {
      override call() {}
    }
    expect(Same.definition.answeredBy).toBe("client");
    expect(messageOf(() => Coded.definition)).toContain("Remove one of them");
  });
});

describe("outside of an agent", () => {
  it("an executor interrupts the call", async () => {
    const executor = new ToolExecutor({ tools: [AskUserTool] });
    const call = executor.call({ id: "1", name: "ask_user", arguments: { question: "?" } }, createRunScope());
    await expect(call).rejects.toThrow(ToolInterrupt);
    await expect(executor.run(AskUserTool, { question: "?" }, { decided: true })).rejects.toThrow("Not answered");
  });

  it("invokeTool takes the answer, and checks it", async () => {
    expect(await invokeTool(PickPlaceTool, { title: "Where?" }, { answer: paris })).toEqual(paris);
    await expect(invokeTool(PickPlaceTool, { title: "Where?" }, { answer: { city: 1 } })).rejects.toThrow("city");
    await expect(invokeTool(PickPlaceTool, { title: "Where?" })).rejects.toThrow("Not answered");
  });
});
