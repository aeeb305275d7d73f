import { readUIMessageStream, parseJsonEventStream, uiMessageChunkSchema, type UIMessage } from "ai";
import { Agent, type AgentClass, type AgentEvent, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import { toEventStream, toUiMessageStream } from "../../src/web/index.js";
import { ModelError, ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { description, identifier, type ToolClass } from "../../src/tool/index.js";
import { callOf, framesIn, RefundTool, WeatherTool } from "./support.js";

function agentNamed(name: string, steps: readonly ScriptedStep[], tools: readonly (ToolClass | AgentClass)[] = []): AgentClass {
  @identifier(name)
  @description("Answers. Use when asked.")
  @model(new ScriptedModel(steps), { retries: 0 })
  @usesTools(tools)
  class NamedAgent extends Agent {}
  return NamedAgent as unknown as AgentClass;
}

const weatherSteps = [{ text: "Looking.", toolCalls: [callOf("weather", { city: "Paris" })] }, "Sunny."];
const travel = (inner: AgentClass) =>
  agentNamed("travel", [{ text: "I ask.", toolCalls: [callOf(inner.definition.name, { prompt: "Paris?" })] }, "Go."], [inner]);

async function eventsOf(stream: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

type Forwarded = Extract<AgentEvent, { readonly type: "sub_agent" }>;
const forwardedIn = (events: readonly AgentEvent[]) => events.filter((event): event is Forwarded => event.type === "sub_agent");

describe("the stream of an agent that calls another one", () => {
  it("has the texts, calls and progress of the other, with their path", async () => {
    const Travel = travel(agentNamed("meteorologist", weatherSteps, [WeatherTool]));
    const stream = new Travel().stream("Where?");
    const events = await eventsOf(stream);
    const inner = forwardedIn(events);
    const call = events.find((event) => event.type === "tool_started") as Extract<AgentEvent, { type: "tool_started" }>;
    expect(new Set(inner.map(({ path }) => JSON.stringify(path)))).toEqual(
      new Set([JSON.stringify([{ callId: call.callId, agent: "meteorologist" }])]),
    );
    expect(inner.map(({ event }) => event.type)).toEqual(
      expect.arrayContaining(["text_delta", "tool_call_done", "tool_started", "tool_progress", "tool_result", "step_done"]),
    );
    const texts = inner.flatMap(({ event }) => (event.type === "text_done" ? [event.text] : []));
    expect(texts).toEqual(["Looking.", "Sunny."]);
  });

  it("has its own text alone in textStream and in its text events", async () => {
    const Travel = travel(agentNamed("meteorologist", weatherSteps, [WeatherTool]));
    const stream = new Travel().stream("Where?");
    let text = "";
    for await (const piece of stream.textStream) text += piece;
    expect(text).toBe("I ask.Go.");
    expect((await stream.response).text).toBe("Go.");
  });

  it("has the path of an agent in an agent", async () => {
    const inner = agentNamed("meteorologist", weatherSteps, [WeatherTool]);
    const middle = agentNamed("planner", [{ toolCalls: [callOf("meteorologist", { prompt: "Paris?" })] }, "Sunny, it says."], [inner]);
    const forwarded = forwardedIn(await eventsOf(new (travel(middle))().stream("Where?")));
    const paths = new Set(forwarded.map(({ path }) => path.map(({ agent }) => agent).join("/")));
    expect(paths).toEqual(new Set(["planner", "planner/meteorologist"]));
    expect(forwarded.every(({ event }) => (event.type as string) !== "sub_agent")).toBe(true);
  });

  it("has what waits for a person, and what happens after the decision", async () => {
    const desk = agentNamed("desk", [{ toolCalls: [callOf("refund", { order: "A-17" })] }, "Refunded."], [RefundTool]);
    const Shop = travel(desk);
    const stream = new Shop().stream("Refund");
    const events = await eventsOf(stream);
    expect(forwardedIn(events).map(({ event }) => event.type)).toContain("confirmation_required");
    const own = events.filter(({ type }) => type === "confirmation_required");
    expect(own).toHaveLength(1);
    const paused = await stream.response;
    const resumed = new Shop().resumeStream(paused.state!, { decisions: [approve(paused.confirmations![0]!)] });
    const after = forwardedIn(await eventsOf(resumed)).map(({ event }) => event.type);
    expect(after).toEqual(expect.arrayContaining(["tool_started", "tool_result", "text_done"]));
  });

  it("is silent to a caller that doesn't stream: the other's model isn't asked to stream", async () => {
    let streamed: boolean | undefined;
    const script = new ScriptedModel(["Sunny."]);
    const inner = agentNamed("meteorologist", []);
    model({
      id: "test/x",
      generate: (request) => {
        streamed = "onDelta" in request;
        return script.generate(request);
      },
    })(inner as never);
    await new (travel(inner))().generate("Where?");
    expect(streamed).toBe(false);
  });
});

describe("a browser", () => {
  const failing = () =>
    travel(agentNamed("meteorologist", [{ error: new ModelError("openai/x", "org-ACME is over its limit", { retryable: false }) }]));

  it("gets them as server-sent events, without what errors say", async () => {
    const frames = framesIn(
      await toEventStream(new (travel(agentNamed("meteorologist", weatherSteps, [WeatherTool])))().stream("Where?")).text(),
    );
    const inner = frames.filter(({ event }) => event === "sub_agent");
    expect(inner.map(({ data }) => data.event.type)).toContain("tool_progress");
    const text = await toEventStream(new (failing())().stream("Where?")).text();
    expect(text).toContain('"sub_agent"');
    expect(text).not.toContain("org-ACME");
  });

  it("gets them as transient data parts of useChat, and the message has the caller's text alone", async () => {
    const response = toUiMessageStream(new (travel(agentNamed("meteorologist", weatherSteps, [WeatherTool])))().stream("Where?"));
    const chunks: any[] = [];
    const stream = parseJsonEventStream({ stream: response.body!, schema: uiMessageChunkSchema as never }).pipeThrough(
      new TransformStream<any, any>({
        transform(chunk, controller) {
          if (!chunk.success) throw chunk.error;
          chunks.push(chunk.value);
          controller.enqueue(chunk.value);
        },
      }),
    );
    let message: UIMessage | undefined;
    for await (const one of readUIMessageStream({ stream: stream as never })) message = one;
    expect(message?.parts.flatMap((part) => (part.type === "text" ? [part.text] : []))).toEqual(["I ask.", "Go."]);
    const inner = chunks.filter(({ type }) => type === "data-sub-agent");
    expect(inner.flatMap(({ data }) => (data.event.type === "text_done" ? [data.event.text] : []))).toEqual(["Looking.", "Sunny."]);
    expect(message?.parts.some(({ type }) => type === "data-sub-agent")).toBe(false);
  });
});
