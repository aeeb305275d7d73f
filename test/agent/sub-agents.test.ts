import { Agent, block, guardrail, model, usesTools } from "../../src/agent/index.js";
import { approve, deny } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createTool, description, identifier, requiresConfirmation, Tool, type ToolContext } from "../../src/tool/index.js";

const booked: string[] = [];

@identifier("book")
@description("Books a flight. Use when the user wants to travel.")
@requiresConfirmation(() => gate)
class BookTool extends Tool {
  call({ userId }: ToolContext) {
    booked.push(userId ?? "nobody");
    return "Booked.";
  }
}
let gate = false;

/** A travel desk that asks its flight agent; both models play scripts. */
function travelDesk() {
  const flights = new ScriptedModel([{ toolCalls: [{ name: "book" }] }, "Seat 12A is yours."]);
  const desk = new ScriptedModel([{ toolCalls: [{ name: "flight_agent", arguments: { prompt: "Book a flight" } }] }, "All booked."]);

  @model(flights)
  @description("Books flights. Use when the user wants to fly.")
  @usesTools([BookTool])
  class FlightAgent extends Agent {}

  @model(desk)
  @usesTools([FlightAgent])
  class DeskAgent extends Agent {}

  return { DeskAgent, FlightAgent, desk, flights };
}

beforeEach(() => {
  booked.length = 0;
  gate = false;
});

describe("an agent as a tool of another", () => {
  it("is called with a prompt, in a conversation of its own, with the caller's context, and its answer is the result", async () => {
    const { DeskAgent, desk, flights } = travelDesk();
    const response = await DeskAgent.generate("I want to fly", { toolContext: { userId: "ada" } });
    expect(response.text).toBe("All booked.");
    expect(desk.requests[0]?.tools).toMatchObject([
      { name: "flight_agent", description: "Books flights. Use when the user wants to fly." },
    ]);
    expect(flights.requests[0]?.messages).toEqual([{ role: "user", content: "Book a flight" }]);
    expect(response.steps[0]?.toolCalls[0]?.content).toBe("Seat 12A is yours.");
    expect(booked).toEqual(["ada"]);
  });

  it("is rejected if a minifier has changed its class's name, because the tool's name would change with each build", async () => {
    const Minified = new Function("Agent", "var a=class extends Agent{};return a")(Agent) as ReturnType<typeof travelDesk>["FlightAgent"];
    model("embedded/keyword")(Minified);
    description("Books flights. Use when the user wants to fly.")(Minified);
    @model("embedded/keyword")
    @usesTools([Minified])
    class Desk extends Agent {}
    expect(() => Desk.definition).toThrow(/^a: a minifier has changed the class's name.*@identifier\("flight_agent"\)/);

    identifier("flight_agent")(Minified);
    @model("embedded/keyword")
    @usesTools([Minified])
    class NamedDesk extends Agent {}
    expect(NamedDesk.definition.name).toBe("named_desk");
  });

  it("isn't asked with a blank prompt: the calling model reads so", async () => {
    const { FlightAgent, flights } = travelDesk();
    const desk = new ScriptedModel([{ toolCalls: [{ name: "flight_agent", arguments: { prompt: " " } }] }, "Sorry."]);
    @model(desk)
    @usesTools([FlightAgent])
    class OtherDesk extends Agent {}

    const { steps } = await OtherDesk.generate("I want to fly");
    expect(steps[0]?.toolCalls[0]?.content).toContain("The prompt is blank. Call again with the task");
    expect(flights.requests).toEqual([]);
  });

  it("pauses the caller if it waits for a person, and goes on with it in another process", async () => {
    gate = true;
    const { DeskAgent } = travelDesk();
    const paused = await DeskAgent.generate("I want to fly");
    expect(paused.outcome.reason).toBe("awaiting_confirmation");
    expect(paused.confirmations).toMatchObject([{ runId: paused.runId, callId: "call_1/call_1", agent: "flight_agent", tool: "book" }]);
    expect(booked).toEqual([]);
    const state = JSON.parse(JSON.stringify(paused.state)) as RunState;
    const done = await new DeskAgent().resume(state, { decisions: [approve("call_1/call_1")], toolContext: { userId: "bob" } });
    expect(done.text).toBe("All booked.");
    expect(booked).toEqual(["bob"]);
    await expect(new DeskAgent().resume(state, { decisions: [approve("call_1/call_1")] })).rejects.toThrow("was decided before");
  });

  it("uses up the tokens of its caller, once, also if it waited in between", async () => {
    gate = true;
    const usage = { inputTokens: 90, outputTokens: 10, cachedInputTokens: 0, reasoningTokens: 0 };
    const hotels = new ScriptedModel([
      { toolCalls: [{ name: "book" }], usage },
      { text: "Room 7 is yours.", usage },
    ]);
    const toHotel = { toolCalls: [{ name: "hotel_agent", arguments: { prompt: "Book" } }], usage };

    @model(hotels)
    @description("Books hotels. Use when the user wants to stay.")
    @usesTools([BookTool])
    class HotelAgent extends Agent {}

    @model(new ScriptedModel([toHotel, toHotel]))
    @usesTools([HotelAgent])
    class TravelAgent extends Agent {}

    const paused = await TravelAgent.generate("I want to stay", { budget: { tokens: 350 } });
    expect(paused.usage.inputTokens).toBe(90);
    const state = JSON.parse(JSON.stringify(paused.state)) as RunState;
    const ended = await new TravelAgent().resume(state, { decisions: [approve("call_1/call_1")] });
    expect(ended.outcome).toMatchObject({ reason: "budget_exhausted", budget: "tokens" });
    expect(ended.usage).toMatchObject({ inputTokens: 360, outputTokens: 40 });
    expect(booked).toEqual(["nobody"]);
  });

  it("reads the denial of its call itself", async () => {
    gate = true;
    const { DeskAgent, flights } = travelDesk();
    const agent = new DeskAgent();
    const paused = await agent.generate("I want to fly");
    const done = await agent.resume(paused.state as RunState, { decisions: [deny("call_1/call_1", "too expensive")] });
    expect(done.text).toBe("All booked.");
    expect(flights.requests[1]?.messages.at(-1)?.content).toContain("too expensive");
    expect(booked).toEqual([]);
  });

  it("asks the caller's confirmation handlers", async () => {
    gate = true;
    const { DeskAgent } = travelDesk();
    const done = await DeskAgent.generate("I want to fly", { confirm: (confirmation) => approve(confirmation) });
    expect(done.text).toBe("All booked.");
    expect(booked).toEqual(["nobody"]);
  });

  it("that fails is a failure that the calling model reads", async () => {
    const { DeskAgent, flights } = travelDesk();
    jest.spyOn(flights, "generate").mockImplementation(async () => ({
      text: "",
      toolCalls: [],
      finishReason: "content_filter",
      usage: { inputTokens: 0, outputTokens: 0, cachedInputTokens: 0, reasoningTokens: 0 },
    }));
    const response = await DeskAgent.generate("I want to fly");
    expect(response.steps[0]?.toolCalls[0]).toMatchObject({
      errorType: "execution_error",
      content:
        "Error executing tool: The agent \"flight_agent\" gave no answer (content_filter): The provider's content filter withheld the answer. Ask in other words, or look into the provider's settings.",
    });
  });

  it("that a guardrail ended says so, and not what the guardrail said: that is for the application", async () => {
    const { FlightAgent } = travelDesk();

    @guardrail("before", { checkInput: () => block("The passenger is on the list of ACME.") })
    class GuardedAgent extends FlightAgent {}

    @model(new ScriptedModel([{ toolCalls: [{ name: "guarded_agent", arguments: { prompt: "Book" } }] }, "Not booked."]))
    @usesTools([GuardedAgent])
    class TravelAgent extends Agent {}

    expect((await TravelAgent.generate("I want to fly")).steps[0]?.toolCalls[0]?.content).toBe(
      'Error executing tool: The agent "guarded_agent" gave no answer (guardrail_blocked).',
    );
  });

  it("ends with the caller's run", async () => {
    const controller = new AbortController();
    const slow = createTool({
      name: "book",
      description: "For tests. Use never.",
      inputSchema: { type: "object" },
      execute: (_, { abortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal.addEventListener("abort", () => reject(abortSignal.reason));
          setImmediate(() => controller.abort("closed"));
        }),
    });

    @model(new ScriptedModel([{ toolCalls: [{ name: "book" }] }, "never"]))
    @description("Books flights. Use when the user wants to fly.")
    @usesTools([slow])
    class SlowAgent extends Agent {}

    @model(new ScriptedModel([{ toolCalls: [{ name: "slow_agent", arguments: { prompt: "Go" } }] }, "never"]))
    @usesTools([SlowAgent])
    class HastyAgent extends Agent {}

    expect((await HastyAgent.generate("Go", { abortSignal: controller.signal })).outcome).toEqual({ reason: "aborted", detail: "closed" });
  });

  it("needs a description, by which the model chooses it", () => {
    @model(new ScriptedModel([]))
    class NamelessAgent extends Agent {}

    @model(new ScriptedModel([]))
    @usesTools([NamelessAgent])
    class CallingAgent extends Agent {}

    expect(() => CallingAgent.definition).toThrow("NamelessAgent: an agent that other agents may call needs a description.");
  });

  it("is refused if agents would call each other in a circle", async () => {
    @model(new ScriptedModel([{ toolCalls: [{ name: "second_agent", arguments: { prompt: "Go" } }] }, "Done."]))
    @description("The first. Use first.")
    @usesTools(() => [SecondAgent])
    class FirstAgent extends Agent {}

    @model(new ScriptedModel([]))
    @description("The second. Use second.")
    @usesTools([FirstAgent])
    class SecondAgent extends Agent {}

    const response = await FirstAgent.generate("Go");
    expect(response.steps[0]?.toolCalls[0]?.content).toContain(
      "Agents call each other in a circle: FirstAgent -> SecondAgent -> FirstAgent",
    );

    @model(new ScriptedModel([]))
    @description("Calls itself. Use never.")
    @usesTools(() => [SelfAgent])
    class SelfAgent extends Agent {}

    await expect(SelfAgent.generate("Go")).rejects.toThrow("SelfAgent -> SelfAgent");
  });
});
