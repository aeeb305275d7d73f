import { Container, Service } from "typedi";
import { Agent, model, usesContainer, usesTools } from "../../src/agent/index.js";
import { createRunScope, ToolExecutor, useContainer } from "../../src/execution/index.js";
import { ScriptedModel, stubTool, withStubs } from "../../src/testing/index.js";
import {
  createTool,
  dependsOn,
  description,
  failure,
  identifier,
  optional,
  required,
  access,
  requiresConfirmation,
  returns,
  Tool,
  type ToolContext,
  timeout,
} from "../../src/tool/index.js";
import "../../src/testing/jest.js";

@Service()
class WeatherService {
  fetch(): string {
    throw new Error("The network is not for tests.");
  }
}

@description("Gets the current weather for a city. Use when the user asks about weather now.")
@identifier("weather")
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional(String, { default: "celsius" })
  units!: string;

  constructor(private readonly weather: WeatherService) {
    super();
  }

  call() {
    return this.weather.fetch();
  }
}

const script = () => new ScriptedModel([{ toolCalls: [{ name: "weather", arguments: { city: "Paris" } }] }, "It is sunny."]);

@model(script)
@usesTools([WeatherTool])
class WeatherAgent extends Agent {}

afterEach(() => useContainer(undefined));

describe("an agent with a stubbed tool", () => {
  it("runs the stub in place of the tool, and needs none of its services", async () => {
    const weather = stubTool(WeatherTool, ({ city, units }) => `Sunny in ${city}, 21 ${units}.`);
    const response = await WeatherAgent.generate("Weather in Paris?", { container: withStubs([weather]) });
    expect(response.steps[0]?.toolCalls[0]?.content).toBe("Sunny in Paris, 21 celsius.");
    expect(response.text).toBe("It is sunny.");
  });

  it("keeps input and context of each call", async () => {
    const weather = stubTool(WeatherTool, () => "Sunny.");
    await WeatherAgent.generate("Weather?", { container: withStubs([weather]), toolContext: { userId: "ada" } });
    expect(weather.calls).toHaveLength(1);
    expect(weather.calls[0]?.input).toEqual({ city: "Paris", units: "celsius" });
    expect(weather.calls[0]?.context).toMatchObject({ userId: "ada", callId: "call_1" });
  });

  it("sends the model the tool's own name, description and schema", async () => {
    const scripted = script();

    @model(scripted)
    class Same extends WeatherAgent {}
    await Same.generate("Weather?", { container: withStubs([stubTool(WeatherTool, () => "Sunny.")]) });
    expect(scripted.requests[0]?.tools).toEqual([
      { name: "weather", description: WeatherTool.definition.description, parameters: WeatherTool.parametersSchema },
    ]);
  });

  it("makes the other tools by the container given to useContainer, or to withStubs", async () => {
    const { CalendarTool, CalendarAgent } = withCalendar();
    const stub = stubTool(WeatherTool, () => "Sunny.");
    useContainer({ get: () => new CalendarTool("shared") });
    expect((await CalendarAgent.generate("When?", { container: withStubs([stub]) })).steps[0]?.toolCalls[0]?.data).toBe("shared");
    const own = { get: () => new CalendarTool("own") };
    expect((await CalendarAgent.generate("When?", { container: withStubs([stub], own) })).steps[0]?.toolCalls[0]?.data).toBe("own");
  });

  it("makes the other tools by typedi without registering them", async () => {
    @Service()
    class Diary {
      entry = "Lunch at noon.";
    }

    @description("Reads the diary. Use when asked what is planned.")
    class DiaryTool extends Tool {
      constructor(private readonly diary: Diary) {
        super();
      }

      call() {
        return this.diary.entry;
      }
    }

    @model(() => new ScriptedModel([{ toolCalls: [{ name: "diary_tool" }] }, "Lunch."]))
    @usesTools([DiaryTool, WeatherTool])
    @usesContainer(Container)
    class DiaryAgent extends Agent {}

    const container = withStubs([stubTool(WeatherTool, () => "Sunny.")], Container);
    expect((await DiaryAgent.generate("What is planned?", { container })).steps[0]?.toolCalls[0]?.data).toBe("Lunch at noon.");
  });

  it("never lets two stubs of one test mix, because stubs belong to a container", async () => {
    const sunny = stubTool(WeatherTool, () => "Sunny.");
    const rainy = stubTool(WeatherTool, () => "Rainy.");
    const [first, second] = await Promise.all(
      [sunny, rainy].map((stub) => WeatherAgent.generate("Weather?", { container: withStubs([stub]) })),
    );
    expect(first?.steps[0]?.toolCalls[0]?.data).toBe("Sunny.");
    expect(second?.steps[0]?.toolCalls[0]?.data).toBe("Rainy.");
  });
});

describe("a sub-agent", () => {
  it("has the stubs of the run that calls it", async () => {
    @description("Knows the weather. Use when the user asks about weather.")
    class Forecaster extends WeatherAgent {}

    @model(() => new ScriptedModel([{ toolCalls: [{ name: "forecaster", arguments: { prompt: "Paris?" } }] }, "Take a hat."]))
    @usesTools([Forecaster])
    class TravelAgent extends Agent {}

    const weather = stubTool(WeatherTool, () => "Sunny.");
    const response = await TravelAgent.generate("Do I need a hat in Paris?", { container: withStubs([weather]) });
    expect(response.steps[0]?.toolCalls[0]?.data).toBe("It is sunny.");
    expect(weather.calls).toHaveLength(1);
  });
});

function withCalendar() {
  @description("Reads the calendar. Use when asked when.")
  class CalendarTool extends Tool {
    constructor(private readonly owner: string) {
      super();
    }

    call() {
      return this.owner;
    }
  }

  @model(() => new ScriptedModel([{ toolCalls: [{ name: "calendar_tool" }] }, "Then."]))
  @usesTools([CalendarTool, WeatherTool])
  class CalendarAgent extends Agent {}

  return { CalendarTool, CalendarAgent };
}

describe("a stubbed tool", () => {
  const paris = { city: "Paris" };
  const callOf = async (stub: ReturnType<typeof stubTool>, input: Record<string, unknown>, toolContext: Record<string, unknown> = {}) => {
    const executor = new ToolExecutor({ tools: [stub.tool], container: withStubs([stub]) });
    return executor.call({ id: "call_1", name: stub.tool.identifier, arguments: input }, createRunScope({ toolContext }));
  };

  it("still refuses arguments that break its schema", async () => {
    const weather = stubTool(WeatherTool, () => "Sunny.");
    expect(await callOf(weather, { city: "Paris", when: "now" })).toMatchObject({ errorType: "validation_error" });
    expect(weather.calls).toEqual([]);
  });

  it("still checks what it gives against its output schema", async () => {
    @description("Counts the open orders. Use when asked how many.")
    @returns(Number)
    class CountTool extends Tool {
      call() {
        return 1;
      }
    }
    expect(
      await callOf(
        stubTool(CountTool, () => "many"),
        {},
      ),
    ).toMatchObject({ errorType: "output_validation_error" });
    expect(
      await callOf(
        stubTool(CountTool, () => 7),
        {},
      ),
    ).toMatchObject({ data: 7 });
  });

  it("still has its deadline, its permission and its confirmation", async () => {
    @description("Refunds an order. Use when support agrees.")
    @timeout(20)
    @access({ roles: ["support"] })
    @requiresConfirmation(({ euros }) => Number(euros) > 100)
    class RefundTool extends Tool {
      @required(Number) euros!: number;

      call() {
        return "refunded";
      }
    }
    const slow = stubTool(RefundTool, () => new Promise(() => undefined));
    const support = { roles: ["support"] };
    expect(await callOf(slow, { euros: 5 })).toMatchObject({ errorType: "unknown_tool" });
    await expect(callOf(slow, { euros: 500 }, support)).rejects.toThrow("waits for confirmation");
    expect(await callOf(slow, { euros: 5 }, support)).toMatchObject({ errorType: "timeout_error" });
    expect(slow.calls).toHaveLength(1);
  });

  it("fails as the tool would: by what the stub throws, or by failure()", async () => {
    const broken = stubTool(WeatherTool, () => {
      throw new Error("API rate limit exceeded");
    });
    expect(await callOf(broken, paris)).toMatchObject({ error: "API rate limit exceeded", errorType: "execution_error" });
    const unknown = stubTool(WeatherTool, ({ city }) => failure(`No station in ${city}.`, "no_station"));
    expect(await callOf(unknown, paris)).toMatchObject({ error: "No station in Paris.", errorType: "no_station" });
  });

  it("may be a mock of the test runner", async () => {
    const fetch = jest.fn().mockResolvedValueOnce("Sunny.").mockResolvedValueOnce("Rainy.");
    const weather = stubTool(WeatherTool, fetch);
    expect((await callOf(weather, paris)).data).toBe("Sunny.");
    expect((await callOf(weather, paris)).data).toBe("Rainy.");
    expect(fetch).toHaveBeenLastCalledWith({ city: "Paris", units: "celsius" }, expect.anything());
  });

  it("gets the parameters of call by name, beside the fields", async () => {
    @description("Sends a message. Use when the user dictates one.")
    class SendTool extends Tool {
      @required(String) to!: string;

      call(@required("text", String) text: string, context: ToolContext) {
        return `${text} ${context.callId}`;
      }
    }
    const send = stubTool(SendTool, ({ to, text }) => `${text} for ${to}`);
    expect((await callOf(send, { to: "Ada", text: "Hello" })).data).toBe("Hello for Ada");
  });

  it("gets dates and nested classes as such", async () => {
    class Place {
      @required(String) city!: string;
    }

    @description("Books a table. Use when the user wants to eat out.")
    class BookTool extends Tool {
      @required(Place) place!: Place;
      @required(Date) at!: Date;

      call() {
        return "booked";
      }
    }
    const book = stubTool(BookTool, ({ place, at }) => `${place.city} ${at.getUTCFullYear()}`);
    expect((await callOf(book, { place: { city: "Oslo" }, at: "2030-01-02T18:00:00Z" })).data).toBe("Oslo 2030");
    expect(book.calls[0]?.input.place).toBeInstanceOf(Place);
  });

  it("may have been made by createTool", async () => {
    const Search = createTool({
      name: "search",
      description: "Searches the web. Use when the answer may be new.",
      inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
      execute: () => {
        throw new Error("The network is not for tests.");
      },
    });
    const search = stubTool(Search, ({ query }) => [`About ${String(query)}`]);
    expect((await callOf(search, { query: "otters" })).data).toEqual(["About otters"]);
  });

  it("is reached by tools that call it", async () => {
    @description("Plans a day. Use when the user wants a plan.")
    @dependsOn("weather")
    class PlanTool extends Tool {
      async call({ call }: ToolContext) {
        return `Picnic? ${String(await call(WeatherTool, { city: "Paris" }))}`;
      }
    }
    const weather = stubTool(WeatherTool, () => "Rainy.");
    const executor = new ToolExecutor({ tools: [PlanTool], container: withStubs([weather]) });
    expect(await executor.run("plan_tool", {})).toBe("Picnic? Rainy.");
    expect(weather.calls[0]?.context.callId).toMatch(/\/1$/);
  });

  it("changes nothing for the executor when it changes its input", async () => {
    const weather = stubTool(WeatherTool, (input) => {
      input.city = "Elsewhere";
      return "Sunny.";
    });
    const inputs: unknown[] = [];
    const executor = new ToolExecutor({
      tools: [WeatherTool],
      container: withStubs([weather]),
      listeners: [{ toolFinished: ({ input }) => inputs.push(input) }],
    });
    await executor.run("weather", paris);
    expect(inputs).toEqual([{ city: "Paris", units: "celsius" }]);
  });
});

describe("an agent with a stubbed agent", () => {
  @model(() => new ScriptedModel([]))
  @description("Books flights. Use when the user wants to fly.")
  @usesTools([WeatherTool])
  class FlightAgent extends Agent {}

  @model(() => new ScriptedModel([{ toolCalls: [{ name: "flight_agent", arguments: { prompt: "To Paris" } }] }, "Booked."]))
  @usesTools([FlightAgent])
  class TravelAgent extends Agent {}

  it("reads what the stub gives, and the other agent's model isn't asked", async () => {
    const flights = stubTool(FlightAgent, ({ prompt }) => `${prompt}: seat 12A.`);
    const response = await TravelAgent.generate("I want to fly", { container: withStubs([flights]) });
    expect(response.steps[0]?.toolCalls[0]?.content).toBe("To Paris: seat 12A.");
    expect(flights.calls.map(({ input }) => input)).toEqual([{ prompt: "To Paris" }]);
    expect(response).toHaveCalledTool(FlightAgent, { prompt: "To Paris" });
  });
});

describe("withStubs", () => {
  it("refuses two stubs of one tool", () => {
    const stub = () => stubTool(WeatherTool, () => "Sunny.");
    expect(() => withStubs([stub(), stub()])).toThrow("withStubs: two stubs stand for WeatherTool");
  });

  it("stands inside another: the inner stubs hold if the outer ones have none", async () => {
    const inner = stubTool(WeatherTool, () => "Sunny.");
    const container = withStubs([], withStubs([inner]));
    expect(await new ToolExecutor({ tools: [WeatherTool], container }).run("weather", { city: "Rome" })).toBe("Sunny.");
  });

  it("makes what else it is asked for as its others do", () => {
    class Plain {}
    expect(withStubs([]).get(Plain)).toBeInstanceOf(Plain);
    expect(withStubs([], { get: () => "made" }).get(Plain)).toBe("made");
  });

  it("needs no container for tools that aren't called, and says what is missing if one is", async () => {
    const weather = new ToolExecutor({ tools: [WeatherTool], container: withStubs([]) });
    await expect(weather.run("weather", { city: "Paris" })).rejects.toThrow(
      "the constructor of WeatherTool wants services, and there is no container to take them from. Stub it, or give withStubs a container.",
    );
  });
});
