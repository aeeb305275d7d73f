import { Agent, instructions, maxSteps, model, modelOptions, usesTools } from "../../src/agent/index.js";
import { ModelError, noUsage, ScriptedModel } from "../../src/models/index.js";
import { description, failure, optional, required, Tool, type ToolContext } from "../../src/tool/index.js";

const units = ["celsius", "fahrenheit"] as const;

@description("Gets the current weather for a city. Use when the user asks about weather now.")
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional({ enum: units, default: "celsius" })
  units!: (typeof units)[number];

  async call() {
    return this.city === "Atlantis" ? failure("No station in Atlantis.") : `Sunny in ${this.city}, 21 ${this.units}.`;
  }
}

/** An agent with the weather tool whose model plays a script. */
function weatherAgent(script: ConstructorParameters<typeof ScriptedModel>[0]) {
  const scripted = new ScriptedModel(script);

  @model(scripted, { retries: 0 })
  @instructions("You are a weather assistant.")
  @usesTools([WeatherTool])
  class WeatherAgent extends Agent {}

  return { agent: new WeatherAgent(), scripted };
}

const askWeather = (city: string) => ({ toolCalls: [{ name: "weather_tool", arguments: { city } }] });

describe("generate", () => {
  it("gives the model's answer as text", async () => {
    const { agent } = weatherAgent(["Hello."]);
    expect(await agent.generate("Hi")).toMatchObject({ text: "Hello.", outcome: { reason: "success" } });
  });

  it("runs the tools that the model calls, sends it their results and goes on until it answers", async () => {
    const { agent, scripted } = weatherAgent([askWeather("Paris"), "It is sunny."]);
    const response = await agent.generate("Weather in Paris?");
    expect(response.text).toBe("It is sunny.");
    expect(scripted.requests[1]?.messages).toEqual([
      { role: "system", content: "You are a weather assistant." },
      { role: "user", content: "Weather in Paris?" },
      { role: "assistant", content: "", toolCalls: [{ id: "call_1", name: "weather_tool", arguments: '{"city":"Paris"}' }] },
      { role: "tool", toolCallId: "call_1", toolName: "weather_tool", content: "Sunny in Paris, 21 celsius." },
    ]);
  });

  it("sends the model the name, description and schema of its tools, and the options", async () => {
    const scripted = new ScriptedModel(["Hi."]);

    @model(scripted)
    @modelOptions({ temperature: 0 })
    @usesTools([WeatherTool])
    class PlainAgent extends Agent {}

    await new PlainAgent().generate("Hi");
    expect(scripted.requests[0]).toMatchObject({
      options: { temperature: 0 },
      tools: [{ name: "weather_tool", description: WeatherTool.definition.description, parameters: WeatherTool.parametersSchema }],
    });
    expect(scripted.requests[0]?.messages[0]).toEqual({ role: "user", content: "Hi" });
  });

  it("gives each step with its calls, their results as data and its tokens, and the tokens of all steps", async () => {
    const { agent } = weatherAgent([
      { ...askWeather("Paris"), usage: { inputTokens: 100, outputTokens: 20 } },
      { text: "It is sunny.", usage: { inputTokens: 150, outputTokens: 5, cachedInputTokens: 100 } },
    ]);
    const response = await agent.generate("Weather in Paris?");
    expect(response.steps).toMatchObject([
      {
        usage: { inputTokens: 100, outputTokens: 20 },
        toolCalls: [{ id: "call_1", name: "weather_tool", arguments: '{"city":"Paris"}', data: "Sunny in Paris, 21 celsius." }],
      },
      { text: "It is sunny.", usage: { inputTokens: 150 }, toolCalls: [] },
    ]);
    expect(response.usage).toEqual({ inputTokens: 250, outputTokens: 25, cachedInputTokens: 100, reasoningTokens: 0 });
  });

  it("is a conversation: each generate adds to the history, and gives what it added", async () => {
    const { agent, scripted } = weatherAgent(["Hello.", "Fine."]);
    await agent.generate("Hi");
    const second = await agent.generate("How are you?");
    expect(scripted.requests[1]?.messages.map(({ content }) => content)).toEqual([
      "You are a weather assistant.",
      "Hi",
      "Hello.",
      "How are you?",
    ]);
    expect(second.messages.map(({ content }) => content)).toEqual(["How are you?", "Fine."]);
    expect(agent.messages).toHaveLength(4);
  });

  it("keeps conversations of two instances apart", async () => {
    const scripted = new ScriptedModel(["one", "two"]);

    @model(scripted)
    class PlainAgent extends Agent {}

    await new PlainAgent().generate("first");
    await new PlainAgent().generate("second");
    expect(scripted.requests[1]?.messages).toEqual([{ role: "user", content: "second" }]);
  });

  it("has a short form for one question to a new conversation", async () => {
    @model(new ScriptedModel(["Hello."]))
    class PlainAgent extends Agent {}

    expect((await PlainAgent.generate("Hi")).text).toBe("Hello.");
  });

  it("refuses a second generate while one runs, and takes the next one after it", async () => {
    const { agent } = weatherAgent(["Hello.", "Again."]);
    const first = agent.generate("Hi");
    await expect(agent.generate("Hi, too")).rejects.toThrow(/WeatherAgent is still answering.*one conversation/);
    await first;
    expect((await agent.generate("Once more")).text).toBe("Again.");
  });

  it("takes an empty answer for a success with empty text", async () => {
    const { agent } = weatherAgent([{ text: "" }, "Hello."]);
    expect(await agent.generate("Hi")).toMatchObject({ text: "", outcome: { reason: "success" } });
    expect((await agent.generate("Hello?")).text).toBe("Hello.");
  });

  it("runs the calls of one step at the same time, and gives results in call order", async () => {
    const running: number[] = [];
    let active = 0;

    @description("Waits. Use when asked to wait.")
    class WaitTool extends Tool {
      @required(Number, "Milliseconds")
      time!: number;

      async call() {
        running.push((active += 1));
        await new Promise((resolve) => setTimeout(resolve, this.time));
        active -= 1;
        return this.time;
      }
    }
    const scripted = new ScriptedModel([
      { toolCalls: [12, 8, 4].map((time) => ({ name: "wait_tool", arguments: { time } })) },
      "Done.",
      {
        toolCalls: [
          { name: "wait_tool", arguments: { time: 1 } },
          { name: "wait_tool", arguments: { time: 1 } },
        ],
      },
      "Done.",
    ]);

    @model(scripted)
    @usesTools([WaitTool])
    class WaitAgent extends Agent {}

    const agent = new WaitAgent();
    const { steps } = await agent.generate("Wait");
    expect(Math.max(...running)).toBe(3);
    expect(steps[0]?.toolCalls.map(({ data }) => data)).toEqual([12, 8, 4]);

    running.length = 0;
    await agent.generate("Wait, one by one", { concurrency: 1 });
    expect(Math.max(...running)).toBe(1);
  });

  it("refuses a concurrency that would run nothing", async () => {
    const { agent } = weatherAgent(["Hello."]);
    for (const concurrency of [0, -1, Number.NaN])
      await expect(agent.generate("Hi", { concurrency })).rejects.toThrow(/concurrency is .* at least 1/);
    expect((await agent.generate("Hi", { concurrency: Number.POSITIVE_INFINITY })).text).toBe("Hello.");
  });
});

describe("what the model gave beside text", () => {
  it("goes back to it with the history: its reasoning and its provider's own data", async () => {
    const providerMetadata = { google: { thoughtSignature: "abc" } };
    const { agent, scripted } = weatherAgent([
      {
        reasoning: "I need the weather.",
        providerMetadata,
        toolCalls: [{ name: "weather_tool", arguments: { city: "Paris" }, providerMetadata }],
      },
      "Sunny.",
    ]);
    await agent.generate("Weather?");
    expect(scripted.requests[1]?.messages[2]).toMatchObject({
      reasoning: "I need the weather.",
      providerMetadata,
      toolCalls: [{ providerMetadata }],
    });
  });
});

describe("context", () => {
  it('seed 002, "Accessing Context": tools receive whatever was passed as toolContext', async () => {
    @description("Gets the current user's orders. Use when the user asks for orders.")
    class UserOrdersTool extends Tool {
      call({ userId }: ToolContext) {
        return userId === undefined ? "No user ID provided" : `Orders of ${userId}`;
      }
    }

    @model(
      new ScriptedModel([{ toolCalls: [{ name: "user_orders_tool" }] }, "Here.", { toolCalls: [{ name: "user_orders_tool" }] }, "None."]),
    )
    @usesTools([UserOrdersTool])
    class OrdersAgent extends Agent {}

    const agent = new OrdersAgent();
    const known = await agent.generate("Show my orders", { toolContext: { userId: "123" } });
    expect(known.steps[0]?.toolCalls[0]?.content).toBe("Orders of 123");
    const unknown = await agent.generate("Show my orders");
    expect(unknown.steps[0]?.toolCalls[0]?.content).toBe("No user ID provided");
  });

  it("chooses the model and writes the instructions by the caller's context, anew for each run", async () => {
    const [small, large] = [new ScriptedModel(["small"]), new ScriptedModel(["large"])];

    @model((context) => (context.userId === "vip" ? large : small))
    @instructions(async (context) => `You serve ${context.userId}.`)
    class ServiceAgent extends Agent {}

    const agent = new ServiceAgent();
    expect((await agent.generate("Hi", { toolContext: { userId: "vip" } })).text).toBe("large");
    expect((await agent.generate("Hi", { toolContext: { userId: "guest" } })).text).toBe("small");
    expect(large.requests[0]?.messages[0]).toEqual({ role: "system", content: "You serve vip." });
    expect(small.requests[0]?.messages.filter(({ role }) => role === "system")).toEqual([{ role: "system", content: "You serve guest." }]);
  });
});

describe("the model receives what goes wrong in a tool", () => {
  const contentOf = async (script: ConstructorParameters<typeof ScriptedModel>[0]) => {
    const { agent, scripted } = weatherAgent(script);
    const response = await agent.generate("Weather?");
    expect(response.outcome.reason).toBe("success");
    return scripted.requests[1]?.messages.at(-1);
  };

  it('seed 002, "Error Handling": a thrown error comes as "Error executing tool: ..."', async () => {
    @description("Searches. Use when asked to search.")
    class SearchTool extends Tool {
      call(): string {
        throw new Error("API rate limit exceeded");
      }
    }
    const scripted = new ScriptedModel([{ toolCalls: [{ name: "search_tool" }] }, "Sorry."]);

    @model(scripted)
    @usesTools([SearchTool])
    class SearchAgent extends Agent {}

    expect((await new SearchAgent().generate("Search")).text).toBe("Sorry.");
    expect(scripted.requests[1]?.messages.at(-1)).toMatchObject({
      content: "Error executing tool: API rate limit exceeded",
      errorType: "execution_error",
    });
  });

  it("an unknown tool, with the tools that there are", async () => {
    expect(await contentOf([{ toolCalls: [{ name: "no_such_tool" }] }, "Sorry."])).toMatchObject({
      content: "Unknown tool 'no_such_tool'. Available tools: weather_tool.",
      errorType: "unknown_tool",
    });
  });

  it('case 35, seed 002, "Validation": all faults of the arguments at once', async () => {
    const message = await contentOf([{ toolCalls: [{ name: "weather_tool", arguments: { units: "kelvin" } }] }, "Sorry."]);
    expect(message).toMatchObject({ errorType: "validation_error", content: expect.stringContaining("city is required") });
    expect(message?.content).toContain("units must be one of: celsius, fahrenheit");
  });

  it("arguments that are no JSON", async () => {
    expect(await contentOf([{ toolCalls: [{ name: "weather_tool", arguments: '{"city":"Par' }] }, "Sorry."])).toMatchObject({
      errorType: "validation_error",
    });
  });

  it("a failure that the tool reports itself", async () => {
    expect(await contentOf([askWeather("Atlantis"), "Sorry."])).toMatchObject({
      content: expect.stringContaining("No station in Atlantis."),
      errorType: "execution_error",
    });
  });

  it("case 25: a valid call beside an unknown one runs", async () => {
    const { agent } = weatherAgent([{ toolCalls: [{ name: "nope" }, { name: "weather_tool", arguments: { city: "Paris" } }] }, "Sunny."]);
    const { steps } = await agent.generate("Weather?");
    expect(steps[0]?.toolCalls).toMatchObject([{ errorType: "unknown_tool" }, { data: "Sunny in Paris, 21 celsius." }]);
  });
});

describe("the step limit", () => {
  it("ends the run with max_steps, does not run the calls of the last step, and lets generate go on", async () => {
    const calls: string[] = [];

    @description("Counts. Use when asked to count.")
    class CountTool extends Tool {
      call(_context: ToolContext) {
        return calls.push("called");
      }
    }
    const count = { toolCalls: [{ name: "count_tool" }] };

    @model(new ScriptedModel([count, count, "Go on."]))
    @usesTools([CountTool])
    @maxSteps(2)
    class CountAgent extends Agent {}

    const agent = new CountAgent();
    const response = await agent.generate("Count");
    expect(response).toMatchObject({ outcome: { reason: "max_steps", detail: expect.stringContaining("@maxSteps") } });
    expect(response.text).toBeUndefined();
    expect(calls).toHaveLength(1);
    expect((await agent.generate("And?")).text).toBe("Go on.");
  });

  it("can be set for one run", async () => {
    const { agent } = weatherAgent([askWeather("Paris")]);
    expect((await agent.generate("Weather?", { maxSteps: 1 })).outcome.reason).toBe("max_steps");
  });
});

describe("a failing model", () => {
  const overloaded = new ModelError("scripted/model", "overloaded", { retryable: false, status: 529 });

  it("ends the run with outcome model_error and the error, and the conversation goes on", async () => {
    const { agent } = weatherAgent([askWeather("Paris"), { error: overloaded }, "Sunny."]);
    const response = await agent.generate("Weather?");
    expect(response).toMatchObject({ outcome: { reason: "model_error", detail: "overloaded" }, error: overloaded });
    expect((await agent.generate("Again, please")).text).toBe("Sunny.");
  });

  it("is asked again if the failure may pass", async () => {
    const busy = new ModelError("scripted/model", "busy", { retryable: true, status: 429, retryAfter: 1 });
    const scripted = new ScriptedModel([{ error: busy }, "Hello."]);

    @model(scripted)
    class PlainAgent extends Agent {}

    expect((await new PlainAgent().generate("Hi")).text).toBe("Hello.");
    expect(scripted.requests).toHaveLength(2);
  });

  it("is replaced by its fallback", async () => {
    @model(new ScriptedModel([{ error: overloaded }]), { fallback: new ScriptedModel(["From the other one."]) })
    class PlainAgent extends Agent {}

    expect((await new PlainAgent().generate("Hi")).text).toBe("From the other one.");
  });

  it("that never answers is given up after its timeout", async () => {
    const silent = new ScriptedModel([() => new Promise<never>(() => {})]);

    @model(silent, { timeout: 10, retries: 0 })
    class PlainAgent extends Agent {}

    expect((await new PlainAgent().generate("Hi")).outcome).toMatchObject({
      reason: "model_error",
      detail: expect.stringContaining("10 ms"),
    });
  });

  it("whose provider ends the answer with an error counts as failed, and its fallback is asked", async () => {
    const brokenOff = () => new ScriptedModel([{ text: "The wea", finishReason: "error" }]);

    @model(brokenOff(), { retries: 0 })
    class PlainAgent extends Agent {}

    @model(brokenOff(), { retries: 0, fallback: new ScriptedModel(["The weather is fine."]) })
    class CarefulAgent extends Agent {}

    expect((await PlainAgent.generate("Weather?")).outcome.reason).toBe("model_error");
    expect((await CarefulAgent.generate("Weather?")).text).toBe("The weather is fine.");
  });

  it("of another copy of the package is known by its error", async () => {
    const mark = { retryable: true, retryAfter: 1, [Symbol.for("toolwright.modelError")]: true };
    const errorOfTheOtherCopy = Object.assign(new Error("busy"), mark);

    @model(new ScriptedModel([{ error: errorOfTheOtherCopy }, "Hello."]))
    class PlainAgent extends Agent {}

    expect((await PlainAgent.generate("Hi")).text).toBe("Hello.");
  });

  it.each<[string, unknown]>([
    ["text is undefined", undefined],
    ["text is undefined", { toolCalls: [], usage: noUsage }],
    ["toolCalls is undefined", { text: "", usage: noUsage }],
    ["usage is undefined", { text: "", toolCalls: [] }],
    ["id of a tool call is number", { text: "", toolCalls: [{ id: 1, name: "weather", arguments: "{}" }], usage: noUsage }],
    ["name of a tool call is undefined", { text: "", toolCalls: [{ id: "a", arguments: "{}" }], usage: noUsage }],
    ["providerCalls is object", { text: "", toolCalls: [], usage: noUsage, providerCalls: [null] }],
    ["providerCalls is string", { text: "", toolCalls: [], usage: noUsage, providerCalls: "x" }],
    ["sources is object", { text: "", toolCalls: [], usage: noUsage, sources: [5] }],
    ["arguments of a tool call is object", { text: "", toolCalls: [{ id: "a", name: "weather", arguments: {} }], usage: noUsage }],
  ])("of the application's own that gives a response whose %s is reported", async (mistake, response) => {
    @model({ id: "my/model", generate: async () => response as never })
    class PlainAgent extends Agent {}

    await expect(PlainAgent.generate("Hi")).rejects.toThrow(`my/model: generate gave a response whose ${mistake}, but must be `);
  });

  it("that lacks its key is a mistake in the configuration, which is thrown; with the key the run goes on", async () => {
    const keyless = new ModelError("openai/gpt-5-mini", "API key is missing", { retryable: false, misconfigured: true });
    const { agent } = weatherAgent([askWeather("Paris"), { error: keyless }, "Sunny."]);
    await expect(agent.generate("Weather?")).rejects.toBe(keyless);
    expect((await agent.resume(agent.state!)).text).toBe("Sunny.");
  });

  it("that lacks its key is replaced by its fallback; if all lack theirs, that is thrown", async () => {
    const keyless = () => new ScriptedModel([{ error: new ModelError("a/b", "no key", { retryable: false, misconfigured: true }) }]);

    @model(keyless(), { fallback: new ScriptedModel(["From the other one."]) })
    class PlainAgent extends Agent {}

    @model(keyless(), { fallback: keyless() })
    class KeylessAgent extends Agent {}

    @model(keyless(), { fallback: new ScriptedModel([{ error: overloaded }]) })
    class UnluckyAgent extends Agent {}

    expect((await PlainAgent.generate("Hi")).text).toBe("From the other one.");
    await expect(KeylessAgent.generate("Hi")).rejects.toThrow("All 2 models failed. no key; no key");
    expect((await UnluckyAgent.generate("Hi")).outcome.reason).toBe("model_error");
  });

  it("that throws anything but a ModelError has a mistake in its code, which is thrown on", async () => {
    const { agent } = weatherAgent([{ error: new TypeError("x is not a function") }, "Hello."]);
    await expect(agent.generate("Hi")).rejects.toThrow("x is not a function");
    expect((await agent.generate("Hi")).text).toBe("Hello.");
  });
});
