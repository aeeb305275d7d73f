import { Controller, Injectable, Module, Post } from "@nestjs/common";
import { REQUEST } from "@nestjs/core";
import { Test, type TestingModule, type TestingModuleBuilder } from "@nestjs/testing";
import { Agent, model, usesTools } from "../../src/agent/index.js";
import { AgentFactory, ToolwrightModule } from "../../src/nest/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { stubTool } from "../../src/testing/index.js";
import { description, identifier, required, Tool } from "../../src/tool/index.js";

@Injectable()
class WeatherService {
  async at(_city: string): Promise<string> {
    throw new Error("Not in a test: this asks the network.");
  }
}

@identifier("weather")
@description("Tells the weather. Use when the user asks about weather.")
class WeatherTool extends Tool {
  @required(String) city!: string;

  constructor(private readonly weather: WeatherService) {
    super();
  }

  call() {
    return this.weather.at(this.city);
  }
}

const asksWeather = () =>
  new ScriptedModel([
    { toolCalls: [{ name: "weather", arguments: { city: "Paris" } }] },
    ({ messages }) => String(messages.at(-1)?.content),
  ]);

@model(asksWeather)
@usesTools([WeatherTool])
class WeatherAgent extends Agent {}

@Controller("weather")
class WeatherController {
  constructor(private readonly agents: AgentFactory) {}

  @Post()
  async tell(): Promise<string | undefined> {
    return (await (await this.agents.create(WeatherAgent)).generate("Weather?")).text;
  }
}

@Controller("injected")
class InjectedController {
  constructor(private readonly agent: WeatherAgent) {}

  @Post()
  async tell(): Promise<string | undefined> {
    return (await this.agent.generate("Weather?")).text;
  }
}

@Module({
  imports: [ToolwrightModule.forFeature({ tools: [WeatherTool], agents: [WeatherAgent] })],
  providers: [WeatherService],
  controllers: [WeatherController, InjectedController],
})
class WeatherModule {}

describe("a test of a Nest application", () => {
  let application: TestingModule | undefined;
  afterEach(() => application?.close());

  async function compile(override: (builder: TestingModuleBuilder) => TestingModuleBuilder): Promise<TestingModule> {
    application = await override(Test.createTestingModule({ imports: [WeatherModule] })).compile();
    return application.init();
  }

  it("overrides a service as ever", async () => {
    const fake = { at: async (city: string) => `Fog in ${city}.` };
    const module = await compile((builder) => builder.overrideProvider(WeatherService).useValue(fake));
    expect(await module.get(WeatherController).tell()).toBe("Fog in Paris.");
  });

  it("overrides a tool by a stub: what surrounds its code stays", async () => {
    const weather = stubTool(WeatherTool, ({ city }) => `Stubbed in ${city}.`);
    const module = await compile((builder) => builder.overrideProvider(WeatherTool).useValue(weather));
    expect(await module.get(WeatherController).tell()).toBe("Stubbed in Paris.");
    expect(weather.calls[0]?.input).toEqual({ city: "Paris" });
  });

  it("needs no services for a tool that is a stub", async () => {
    const weather = stubTool(WeatherTool, () => "Stubbed.");
    const alone = Test.createTestingModule({ imports: [ToolwrightModule.forFeature({ tools: [WeatherTool], agents: [WeatherAgent] })] });
    application = await (await alone.overrideProvider(WeatherTool).useValue(weather).compile()).init();
    expect((await (await application.get(AgentFactory).create(WeatherAgent)).generate("Weather?")).text).toBe("Stubbed.");
  });

  it("overrides an agent by one with another model", async () => {
    @model(() => new ScriptedModel(["I say what the test wants."]))
    class Scripted extends WeatherAgent {}

    const module = await compile((builder) =>
      builder.overrideProvider(WeatherAgent).useFactory({
        inject: [AgentFactory, REQUEST],
        factory: (agents: AgentFactory, request?: object) => agents.create(Scripted, request),
      }),
    );
    expect(await (await module.resolve(InjectedController)).tell()).toBe("I say what the test wants.");
  });

  it("fails with the fix if a tool is overridden by something other than a stub", async () => {
    const compiled = compile((builder) => builder.overrideProvider(WeatherTool).useValue({ call: () => "Sunny." }));
    await expect(compiled).rejects.toThrow(
      "WeatherTool: it was overridden by something that is no stub of it. " +
        'Write overrideProvider(WeatherTool).useValue(stubTool(WeatherTool, () => "..."));',
    );
  });
});
