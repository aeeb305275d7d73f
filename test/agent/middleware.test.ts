import { Agent, type AgentClass, model, usesMiddleware, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import type { ToolMiddleware } from "../../src/execution/index.js";
import { ScriptedModel, type ScriptedStep } from "../../src/models/index.js";
import { description, identifier, required, requiresConfirmation, Tool, type ToolClass } from "../../src/tool/index.js";

const happened: string[] = [];
beforeEach(() => happened.splice(0));

@identifier("weather")
@description("Tells the weather. Use when asked.")
class WeatherTool extends Tool {
  @required(String) city!: string;

  call() {
    happened.push(`asked ${this.city}`);
    return `Sunny in ${this.city}`;
  }
}

@identifier("refund")
@description("Refunds. Use when asked.")
@requiresConfirmation()
class RefundTool extends Tool {
  call() {
    happened.push("refunded");
    return "Refunded.";
  }
}

const callOf = (name: string, input: object = {}) => ({ name, arguments: { ...input } });
const twice: ScriptedStep[] = [
  { toolCalls: [callOf("weather", { city: "Paris" })] },
  { toolCalls: [callOf("weather", { city: "Paris" })] },
  "Sunny.",
];

const named =
  (name: string): ToolMiddleware =>
  async (call, next) => {
    happened.push(`${name} before ${call.name}`);
    const result = await next();
    happened.push(`${name} after`);
    return result;
  };

function agentWith(
  steps: readonly ScriptedStep[],
  middleware: readonly ToolMiddleware[],
  tools: readonly (ToolClass | AgentClass)[],
): AgentClass {
  @model(new ScriptedModel(steps), { retries: 0 })
  @usesTools(tools)
  class SomeAgent extends Agent {}
  for (const one of middleware) usesMiddleware(one)(SomeAgent);
  return SomeAgent as unknown as AgentClass;
}

/** Answers the second equal call by itself. */
function caching(): ToolMiddleware {
  const cache = new Map<string, Awaited<ReturnType<ToolMiddleware>>>();
  return async (call, next) => {
    const key = JSON.stringify([call.name, call.input]);
    const result = cache.get(key) ?? (await next());
    cache.set(key, result);
    return result;
  };
}

const rewriting: ToolMiddleware = async (_call, next) => {
  const result = await next();
  return result.error === undefined ? { ...result, data: "Rainy." } : result;
};

describe("middleware of an agent", () => {
  it.each(["decorator", "option"])("answers a repeated call from a cache (%s)", async (where) => {
    const list = [caching()];
    const agent = new (agentWith(twice, where === "decorator" ? list : [], [WeatherTool]))();
    const response = await agent.generate("Weather?", where === "option" ? { middleware: list } : {});
    expect(happened).toEqual(["asked Paris"]);
    expect(response.steps.flatMap(({ toolCalls }) => toolCalls.map(({ content }) => content))).toEqual([
      "Sunny in Paris",
      "Sunny in Paris",
    ]);
  });

  it("runs a tool elsewhere: the tool itself isn't called", async () => {
    const remote: ToolMiddleware = async (call) => ({ tool: call.name, fetchedAt: "2026-01-01T00:00:00Z", data: { remote: call.input } });
    const response = await new (agentWith(twice, [remote], [WeatherTool]))().generate("Weather?");
    expect(happened).toEqual([]);
    expect(response.steps[0]?.toolCalls[0]?.data).toEqual({ remote: { city: "Paris" } });
  });

  it("changes what the model reads, also in a stream", async () => {
    const stream = new (agentWith(twice, [rewriting], [WeatherTool]))().stream("Weather?");
    const results: string[] = [];
    for await (const event of stream) if (event.type === "tool_result") results.push(event.content);
    expect(results).toEqual(["Rainy.", "Rainy."]);
    expect((await stream.response).messages.filter(({ role }) => role === "tool")).toMatchObject([
      { content: "Rainy." },
      { content: "Rainy." },
    ]);
  });

  it("is entered from the base class inwards, then from above, then the option's", async () => {
    @usesMiddleware(named("base"))
    abstract class Base extends Agent {}

    @model(new ScriptedModel([{ toolCalls: [callOf("weather", { city: "Paris" })] }, "Sunny."]))
    @usesTools([WeatherTool])
    @usesMiddleware(named("first"))
    @usesMiddleware(named("second"))
    class WeatherAgent extends Base {}

    await new WeatherAgent().generate("Weather?", { middleware: [named("option")] });
    expect(happened.slice(0, 5)).toEqual([
      "base before weather",
      "first before weather",
      "second before weather",
      "option before weather",
      "asked Paris",
    ]);
  });

  it("is reached after the approval, in the run that is resumed", async () => {
    const steps = [{ toolCalls: [callOf("refund")] }, "Done."];
    const Shop = agentWith(steps, [named("audit")], [RefundTool]);
    const paused = await new Shop().generate("Refund");
    expect(happened).toEqual([]);
    const options = { decisions: paused.confirmations!.map((one) => approve(one)), middleware: [rewriting] };
    const response = await new Shop().resume(paused.state!, options);
    expect(happened).toEqual(["audit before refund", "refunded", "audit after"]);
    expect(response.steps[0]?.toolCalls[0]?.content).toBe("Rainy.");
  });

  it("of the option holds for sub-agents, and that of a class for its own calls", async () => {
    const inner = agentWith([{ toolCalls: [callOf("weather", { city: "Paris" })] }, "Sunny."], [named("inner")], [WeatherTool]);
    description("Knows the weather. Use when asked.")(inner as never);
    identifier("meteorologist")(inner as never);
    const outer = agentWith([{ toolCalls: [callOf("meteorologist", { prompt: "Paris?" })] }, "Sunny."], [named("outer")], [inner]);
    await new outer().generate("Weather?", { middleware: [named("option")] });
    expect(happened.filter((line) => line.includes("before"))).toEqual([
      "outer before meteorologist",
      "option before meteorologist",
      "inner before weather",
      "option before weather",
    ]);
  });

  it("passes the pause of a sub-agent through, and goes on with it", async () => {
    const inner = agentWith([{ toolCalls: [callOf("refund")] }, "Refunded."], [], [RefundTool]);
    description("Refunds. Use when asked.")(inner as never);
    identifier("desk")(inner as never);
    const outer = agentWith([{ toolCalls: [callOf("desk", { prompt: "Refund" })] }, "Done."], [named("outer")], [inner]);
    const paused = await new outer().generate("Refund");
    expect(paused.confirmations).toHaveLength(1);
    const response = await new outer().resume(paused.state!, { decisions: [approve(paused.confirmations![0]!)] });
    expect(response.text).toBe("Done.");
    expect(happened.filter((line) => line === "refunded")).toHaveLength(1);
  });

  it.each([
    ["before the tool", () => new Promise<never>(() => undefined), []],
    [
      "after it",
      async (_call: unknown, next: () => Promise<unknown>) => next().then(() => new Promise<never>(() => undefined)),
      ["asked Paris"],
    ],
  ] as const)("that hangs %s ends with the run", async (_name, hung, did) => {
    const Hung = agentWith(twice, [hung as ToolMiddleware], [WeatherTool]);
    const byTime = await new Hung().generate("Weather?", { budget: { wallTime: 30 } });
    expect(byTime.reason).toBe("budget_exhausted");
    const controller = new AbortController();
    setTimeout(() => controller.abort("Enough."), 30);
    const aborted = await new Hung().generate("Weather?", { abortSignal: controller.signal });
    expect(aborted.reason).toBe("aborted");
    expect(happened.slice(0, 1)).toEqual(did);
    expect(aborted.messages.at(-1)).toMatchObject({ role: "tool", errorType: "cancelled" });
  });

  it("that throws fails the call, and the run goes on", async () => {
    const failing: ToolMiddleware = () => {
      throw new Error("The cache is down.");
    };
    const response = await new (agentWith(twice, [failing], [WeatherTool]))().generate("Weather?");
    expect(response.text).toBe("Sunny.");
    expect(response.steps[0]?.toolCalls[0]).toMatchObject({ errorType: "unhandled_error" });
  });

  it("is rejected if it is no function", async () => {
    const Wrong = agentWith([], ["cache" as never], [WeatherTool]);
    expect(() => Wrong.definition).toThrow("SomeAgent: @usesMiddleware takes a function, got string.");
    const Right = agentWith([], [], [WeatherTool]);
    await expect(async () => new Right().generate("Hi", { middleware: ["cache" as never] })).rejects.toThrow(
      "The option middleware must be a list of functions",
    );
  });
});
