import { Inject, Injectable, Module, Scope } from "@nestjs/common";
import { Agent, AgentDefinitionError, model, usesTools } from "../../src/agent/index.js";
import { ToolExecutor } from "../../src/execution/index.js";
import { AgentFactory, ToolContainer, ToolwrightModule } from "../../src/nest/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { description, identifier, required, Tool, type ToolClass, ToolDefinitionError } from "../../src/tool/index.js";
import { agentThatCalls, boot, closeApplications } from "./support.js";

afterEach(closeApplications);

@Injectable()
class WeatherService {}

@identifier("weather")
@description("Tells the weather.")
class WeatherTool extends Tool {
  constructor(private readonly weather: WeatherService) {
    super();
  }

  call() {
    return typeof this.weather;
  }
}

/** What the start of an application with this tool says. */
async function startWith(tool: ToolClass, providers: (typeof WeatherService)[] = []): Promise<string> {
  @Module({ imports: [ToolwrightModule.forFeature({ tools: [tool] })], providers })
  class ChatModule {}

  const refusal = await boot({ imports: [ChatModule] }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ToolDefinitionError);
  return (refusal as Error).message;
}

describe("the start of an application fails, and says what to do,", () => {
  it("if a tool's service is missing", async () => {
    expect(await startWith(WeatherTool)).toBe(
      "WeatherTool: ChatModule has no WeatherService for constructor parameter 1. " +
        "Add it to the providers of ChatModule, or import a module that exports it.",
    );
  });

  it("if a property's service is missing", async () => {
    @description("Tells the weather.")
    class PropertyTool extends Tool {
      @Inject("STATION") private readonly station!: string;

      call() {
        return this.station;
      }
    }

    expect(await startWith(PropertyTool)).toBe(
      "PropertyTool: ChatModule has no STATION for property station. " +
        "Add it to the providers of ChatModule, or import a module that exports it.",
    );
  });

  it("if another module has the service and doesn't export it", async () => {
    @Module({ providers: [WeatherService] })
    class WeatherModule {}
    @Module({ imports: [WeatherModule, ToolwrightModule.forFeature({ tools: [WeatherTool] })] })
    class ChatModule {}
    await expect(boot({ imports: [ChatModule] })).rejects.toThrow("ChatModule has no WeatherService");
  });

  it("if a tool of an agent's list misses a service, though forFeature doesn't list the tool", async () => {
    class WeatherAgent extends agentThatCalls(WeatherTool) {}
    const feature = ToolwrightModule.forFeature({ agents: [WeatherAgent] });
    await expect(boot({ imports: [feature] })).rejects.toThrow("WeatherTool: RootTestModule has no WeatherService");
  });

  it("if an agent's service is missing", async () => {
    @model(() => new ScriptedModel([]))
    class ServedAgent extends Agent {
      constructor(readonly weather: WeatherService) {
        super();
      }
    }

    const feature = ToolwrightModule.forFeature({ agents: [ServedAgent] });
    await expect(boot({ imports: [feature] })).rejects.toThrow("ServedAgent: RootTestModule has no WeatherService");
  });

  it("if a subclass has a constructor and no decorator: Nest would give it its parent's services", async () => {
    class OtherService {}
    class OtherTool extends WeatherTool {
      constructor(readonly other: OtherService) {
        super({});
      }
    }

    expect(await startWith(OtherTool, [WeatherService])).toBe(
      "OtherTool: its constructor wants 1 service, but their types are not known at run time. " +
        "Give the class a decorator of its own and compile with experimentalDecorators and emitDecoratorMetadata, " +
        "or name each service: @Inject(MyService).",
    );
  });

  it("if a service is declared as an interface", async () => {
    interface Station {
      name: string;
    }

    @description("Tells the weather.")
    class StationTool extends Tool {
      constructor(private readonly station: Station) {
        super();
      }

      call() {
        return this.station.name;
      }
    }

    expect(await startWith(StationTool)).toBe(
      "StationTool: constructor parameter 1 is declared as an interface, a union or a primitive, which leaves only " +
        "Object. Declare a class, or name the provider: @Inject(TOKEN).",
    );
  });

  it("if files import each other, so that a type did not exist yet", async () => {
    @description("Tells the weather.")
    class EarlyTool extends Tool {
      constructor(private readonly weather: WeatherService) {
        super();
      }

      call() {
        return typeof this.weather;
      }
    }
    Reflect.defineMetadata("design:paramtypes", [undefined], EarlyTool);
    expect(await startWith(EarlyTool)).toBe(
      "EarlyTool: the type of constructor parameter 1 did not exist yet when the class was defined. " +
        "Two files import each other: move one class, or inject it by @Inject(forwardRef(() => TheClass)).",
    );
  });

  it("if a definition is wrong, as it does elsewhere", async () => {
    class NamelessTool extends Tool {
      @required(String, "A city") city!: string;

      call() {
        return this.city;
      }
    }
    expect(await startWith(NamelessTool)).toContain("NamelessTool");

    class ModellessAgent extends Agent {}
    const feature = ToolwrightModule.forFeature({ agents: [ModellessAgent] });
    await expect(boot({ imports: [feature] })).rejects.toThrow(AgentDefinitionError);
  });

  it("if two modules import one forFeature", async () => {
    const feature = ToolwrightModule.forFeature({ tools: [WeatherTool] });
    @Module({ imports: [feature], providers: [WeatherService] })
    class NorthModule {}
    @Module({ imports: [feature], providers: [WeatherService] })
    class SouthModule {}
    await expect(boot({ imports: [NorthModule, SouthModule] })).rejects.toThrow(
      "ToolwrightModule.forFeature: NorthModule and SouthModule import the same one, so that it isn't clear whose services its tools get. " +
        "Call forFeature in each, or import it in one that exports it: exports: [ToolwrightModule].",
    );
  });

  it("if two modules list a tool that an agent of a third one uses", async () => {
    class WeatherAgent extends agentThatCalls(WeatherTool) {}
    const listing = () => ToolwrightModule.forFeature({ tools: [WeatherTool] });
    @Module({ imports: [listing()], providers: [WeatherService] })
    class NorthModule {}
    @Module({ imports: [listing()], providers: [WeatherService] })
    class SouthModule {}
    @Module({ imports: [ToolwrightModule.forFeature({ agents: [WeatherAgent] })] })
    class ChatModule {}
    await expect(boot({ imports: [NorthModule, SouthModule, ChatModule] })).rejects.toThrow(
      "WeatherTool: NorthModule and SouthModule list it in ToolwrightModule.forFeature, and ChatModule, which uses it, doesn't, " +
        "so that it isn't clear whose services it gets. List it in ChatModule, or in one of the others only.",
    );
  });
});

describe("forFeature refuses", () => {
  // What its types exclude comes from JavaScript, and from files that import each other.
  const feature = (options: unknown) => () => ToolwrightModule.forFeature(options as Parameters<typeof ToolwrightModule.forFeature>[0]);

  it("what is no tool", () => {
    expect(feature({ tools: [WeatherTool, WeatherService] })).toThrow(
      "ToolwrightModule.forFeature: entry 1 of tools is WeatherService, but must be a class that extends Tool.",
    );
  });

  it("what is no agent", () => {
    expect(feature({ agents: [undefined] })).toThrow(
      "ToolwrightModule.forFeature: entry 0 of agents is undefined, but must be a class that extends Agent. " +
        "Two files import each other: move one of the classes.",
    );
  });
});

describe("options that would do nothing are refused:", () => {
  // What types exclude comes from JavaScript, and unseen by the compiler from what a function gives.
  const told = (start: () => unknown): string => {
    try {
      start();
    } catch (error) {
      return String(error);
    }
    return "nothing";
  };
  const wrong = (options: unknown) => options as never;

  it.each<[string, () => unknown, string]>([
    [
      "a misspelt one of forRoot, which would make guests of all users",
      () => ToolwrightModule.forRoot(wrong({ toolContex: () => ({}) })),
      'TypeError: ToolwrightModule.forRoot: unknown option "toolContex". Did you mean "toolContext"?',
    ],
    [
      "no options for forRoot",
      () => ToolwrightModule.forRoot(wrong(undefined)),
      "TypeError: ToolwrightModule.forRoot: takes options, such as { toolContext: ... }, got undefined.",
    ],
    [
      "a context in place of the function that gives it",
      () => ToolwrightModule.forRoot(wrong({ toolContext: { user: "ada" } })),
      "TypeError: ToolwrightModule.forRoot: toolContext must be a function of the request: toolContext: ({ user }) => ({ userId: user.id }).",
    ],
    [
      "one listener in place of a list",
      () => ToolwrightModule.forRoot(wrong({ listeners: {} })),
      "TypeError: ToolwrightModule.forRoot: listeners must be a list: listeners: [listener].",
    ],
    [
      "a class in place of a factory",
      () => ToolwrightModule.forRootAsync(wrong({ useClass: WeatherService })),
      'TypeError: ToolwrightModule.forRootAsync: unknown option "useClass". Known are: useFactory, inject, imports.',
    ],
    [
      "no factory",
      () => ToolwrightModule.forRootAsync(wrong({ inject: [] })),
      "TypeError: ToolwrightModule.forRootAsync: useFactory must be a function that gives the options of forRoot.",
    ],
    [
      "a list in place of the options of forFeature",
      () => ToolwrightModule.forFeature(wrong([WeatherTool])),
      "TypeError: ToolwrightModule.forFeature: takes options, such as { tools: ... }, got a list.",
    ],
    [
      "a misspelt one of forFeature",
      () => ToolwrightModule.forFeature(wrong({ agent: [] })),
      'TypeError: ToolwrightModule.forFeature: unknown option "agent". Did you mean "agents"?',
    ],
    [
      "a class in place of a list",
      () => ToolwrightModule.forFeature(wrong({ tools: WeatherTool })),
      "ToolDefinitionError: ToolwrightModule.forFeature: tools must be a list, got WeatherTool.",
    ],
  ])("%s", (_name, start, message) => {
    expect(told(start)).toBe(message);
  });

  it.each<[string, () => unknown, string]>([
    [
      "a misspelt one that the factory of forRootAsync gives, which the compiler doesn't see",
      () => ({ listeners: [], toolContex: () => ({}) }),
      'ToolwrightModule.forRootAsync, by its useFactory: unknown option "toolContex". Did you mean "toolContext"?',
    ],
    [
      "a factory that gives none",
      async () => undefined,
      "ToolwrightModule.forRootAsync, by its useFactory: takes options, such as { toolContext: ... }, got undefined.",
    ],
  ])("%s", async (_name, useFactory, message) => {
    await expect(boot({ imports: [ToolwrightModule.forRootAsync({ useFactory: wrong(useFactory) })] })).rejects.toThrow(message);
  });
});

describe("a tool that only a resolver knows", () => {
  it("fails when it is called, and the model receives the error", async () => {
    @model(() => new ScriptedModel([{ toolCalls: [{ name: "weather", arguments: {} }] }, "Sorry."]))
    @usesTools(() => [WeatherTool])
    class ResolvingAgent extends Agent {}

    const application = await boot({ imports: [ToolwrightModule.forFeature({ agents: [ResolvingAgent] })] });
    const { text, steps } = await (await application.get(AgentFactory).create(ResolvingAgent)).generate("Go");
    expect(text).toBe("Sorry.");
    expect(steps[0]?.toolCalls[0]).toMatchObject({ errorType: "unhandled_error" });
    expect(steps[0]?.toolCalls[0]?.content).toBe(
      "Error executing tool: WeatherTool: RootTestModule has no WeatherService for constructor parameter 1. " +
        "Add it to the providers of RootTestModule, or import a module that exports it.",
    );
  });
});

describe("if Nest's services don't reach, the message says what does:", () => {
  class WeatherAgent extends agentThatCalls(WeatherTool) {}
  const theNestWay = "In Nest, import ToolwrightModule.forFeature of toolwright/nest, and inject the agent or make it by AgentFactory";

  it("the static generate, also inside an application", async () => {
    await boot({ imports: [ToolwrightModule.forFeature({ agents: [WeatherAgent] })], providers: [WeatherService] });
    await expect(WeatherAgent.generate("Go")).rejects.toThrow(theNestWay);
  });

  it("an executor without a container, which a ToolContainer makes good", async () => {
    const application = await boot({ imports: [ToolwrightModule.forFeature({ tools: [WeatherTool] })], providers: [WeatherService] });
    expect(() => new ToolExecutor({ tools: [WeatherTool] })).toThrow("An executor of your own takes ToolContainer as its container.");
    const executor = new ToolExecutor({ tools: [WeatherTool], container: application.get(ToolContainer) });
    expect(await executor.run("weather", {})).toBe("object");
  });

  it("an agent that is a provider with request scope, which Nest makes alone", async () => {
    @Injectable({ scope: Scope.REQUEST })
    class RequestAgent extends WeatherAgent {}
    const application = await boot({ imports: [ToolwrightModule.forRoot({})], providers: [WeatherService, RequestAgent] });
    await expect((await application.resolve(RequestAgent)).generate("Go")).rejects.toThrow(theNestWay);
  });
});
