import { useContainer } from "../../src/execution/index.js";
import { invokeTool, ScriptedModel, stubTool } from "../../src/testing/index.js";
import {
  description,
  optional,
  required,
  access,
  requiresConfirmation,
  returns,
  Tool,
  ToolAuthorizationError,
  type ToolClass,
  type ToolContext,
  ToolExecutionError,
  ToolInputValidationError,
  ToolOutputValidationError,
} from "../../src/tool/index.js";

class WeatherService {
  async fetch(city: string, units: string): Promise<string> {
    return `real weather of ${city} in ${units}`;
  }
}

class StationService {
  station = "Orly";
}

@description("Gets the current weather for a city. Use when the user asks about weather now.")
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional(String, { default: "celsius" })
  units!: string;

  constructor(
    private readonly weather: WeatherService,
    private readonly stations: StationService,
  ) {
    super();
  }

  async call({ userId }: ToolContext) {
    return `${await this.weather.fetch(this.city, this.units)} from ${this.stations.station} for ${userId ?? "anyone"}`;
  }
}

class FakeWeather extends WeatherService {
  override async fetch(city: string, units: string) {
    return `fake weather of ${city} in ${units}`;
  }
}

describe("invokeTool", () => {
  it("validates, applies defaults, gives the context and returns the data", async () => {
    const services = [new FakeWeather(), new StationService()];
    expect(await invokeTool(WeatherTool, { city: "Paris" }, { context: { userId: "42" }, services })).toBe(
      "fake weather of Paris in celsius from Orly for 42",
    );
  });

  it("gives services by type, whatever their order", async () => {
    const services = [new StationService(), new FakeWeather()];
    expect(await invokeTool(WeatherTool, { city: "Paris" }, { services })).toContain("fake weather of Paris");
  });

  it("gives plain objects in order to the parameters that no instance fits", async () => {
    const services = [{ fetch: async () => "plain weather" }, new StationService()];
    expect(await invokeTool(WeatherTool, { city: "Paris" }, { services })).toBe("plain weather from Orly for anyone");
  });

  it("gives services to a subclass that has no constructor of its own", async () => {
    @description("Gets the weather of tomorrow. Use when the user asks about tomorrow.")
    class TomorrowTool extends WeatherTool {}

    expect(await invokeTool(TomorrowTool, { city: "Paris" }, { services: [new FakeWeather(), new StationService()] })).toContain(
      "fake weather",
    );
  });

  it("names the service that is missing", async () => {
    await expect(invokeTool(WeatherTool, { city: "Paris" }, { services: [new FakeWeather()] })).rejects.toThrow(
      /WeatherTool.*2 service.*StationService.*services/,
    );
  });

  it("asks for the option services if none are given, never for a container", async () => {
    const error = (await invokeTool(WeatherTool, { city: "Paris" }).catch((thrown: unknown) => thrown)) as Error;
    expect(error.message).toMatch(/WeatherTool.*none is left for number 1 \(WeatherService\)\. Add it to the option services\./);
    expect(error.message).not.toContain("option container");
  });

  it("makes a tool that brings its services along without being given any", async () => {
    @description("Gets the weather at Orly. Use when the user asks about the airport.")
    class AirportTool extends WeatherTool {
      constructor() {
        super(new FakeWeather(), new StationService());
      }
    }
    expect(await invokeTool(AirportTool, { city: "Orly" })).toContain("fake weather of Orly");
  });

  it("asks the container given to useContainer if no services are given", async () => {
    useContainer({ get: () => new WeatherTool(new FakeWeather(), new StationService()) });
    try {
      expect(await invokeTool(WeatherTool, { city: "Paris" })).toContain("fake weather of Paris");
    } finally {
      useContainer(undefined);
    }
  });

  it("refuses wrong arguments with every fault, and repairs none", async () => {
    const error = await invokeTool<ToolClass>(WeatherTool, { city: 7, unit: "kelvin" }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolInputValidationError);
    expect((error as ToolInputValidationError).issues.map(({ path }) => path).sort()).toEqual(["city", "unit"]);

    @description("Doubles a number. Use when asked to double.")
    class DoubleTool extends Tool {
      @required(Number)
      number!: number;

      call() {
        return this.number * 2;
      }
    }
    expect(await invokeTool(DoubleTool, { number: 21 })).toBe(42);
    await expect(invokeTool<ToolClass>(DoubleTool, { number: "21" })).rejects.toBeInstanceOf(ToolInputValidationError);
  });

  it("throws a ToolExecutionError with the tool's own error as cause", async () => {
    const broken = new Error("API rate limit exceeded");

    @description("Fails. Use never.")
    class BrokenTool extends Tool {
      call(_context: ToolContext): never {
        throw broken;
      }
    }
    const error = await invokeTool(BrokenTool).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error).toMatchObject({ message: expect.stringContaining("API rate limit exceeded"), cause: broken });
  });

  it("checks the output", async () => {
    @description("Counts. Use when asked to count.")
    @returns(Number)
    class CountTool extends Tool {
      call(): unknown {
        return "many";
      }
    }
    await expect(invokeTool(CountTool)).rejects.toBeInstanceOf(ToolOutputValidationError);
  });

  it("runs a tool that needs confirmation: the test is the confirmation", async () => {
    @description("Deletes the account. Use when the user insists.")
    @requiresConfirmation()
    class DeleteTool extends Tool {
      call(_context: ToolContext) {
        return "deleted";
      }
    }
    expect(await invokeTool(DeleteTool)).toBe("deleted");
  });

  it("throws a ToolAuthorizationError if the context doesn't meet @access, whatever the arguments are", async () => {
    @description("Refunds an order. Use when support agrees.")
    @access({ roles: ["support"] })
    class RefundTool extends Tool {
      @required(String)
      order!: string;

      call(_context: ToolContext) {
        return "refunded";
      }
    }
    expect(await invokeTool(RefundTool, { order: "A-17" }, { context: { roles: ["support"] } })).toBe("refunded");
    for (const input of [{ order: "A-17" }, {} as { order: string }]) {
      await expect(invokeTool(RefundTool, input)).rejects.toEqual(
        new ToolAuthorizationError("refund_tool", 'Permission denied for tool: refund_tool. It requires "support" in toolContext.roles.'),
      );
    }
  });

  it("sends listeners progress and log", async () => {
    @description("Imports a file. Use when the user uploads one.")
    class ImportTool extends Tool {
      call({ progress, log }: ToolContext) {
        progress(0.5, "1 of 2 pages");
        log.warn("page 2 is empty", { page: 2 });
        return "imported";
      }
    }
    const heard: unknown[] = [];
    const listener = {
      toolProgress: ({ fraction, message }: { fraction: number; message?: string }) => heard.push([fraction, message]),
      log: ({ level, message, details }: { level: string; message: string; details?: object }) => heard.push([level, message, details]),
    };
    expect(await invokeTool(ImportTool, {}, { listeners: [listener] })).toBe("imported");
    expect(heard).toEqual([
      [0.5, "1 of 2 pages"],
      ["warn", "page 2 is empty", { page: 2 }],
    ]);
  });

  it("lets stubs stand for the tools that it calls", async () => {
    @description("Plans a day. Use when the user wants a plan.")
    class PlanTool extends Tool {
      async call({ call }: ToolContext) {
        return `Picnic? ${String(await call(WeatherTool, { city: "Paris" }))}`;
      }
    }
    const weather = stubTool(WeatherTool, ({ city }) => `Rainy in ${city}.`);
    expect(await invokeTool(PlanTool, {}, { stubs: [weather] })).toBe("Picnic? Rainy in Paris.");
    await expect(invokeTool(PlanTool)).rejects.toBeInstanceOf(ToolAuthorizationError);
  });

  it("does not construct the tool if the call is cancelled already", async () => {
    await expect(invokeTool(WeatherTool, { city: "Paris" }, { services: [], abortSignal: AbortSignal.abort() })).rejects.toThrow(
      "Request was cancelled",
    );
  });
});

describe("the testing door", () => {
  it("has the scripted model beside it", async () => {
    expect(await new ScriptedModel(["Hi."]).generate({ messages: [], tools: [] })).toMatchObject({ text: "Hi." });
  });
});
