import { Injectable, Module, type Provider, Scope } from "@nestjs/common";
import { LazyModuleLoader, REQUEST } from "@nestjs/core";
import { Test } from "@nestjs/testing";
import { Agent, AgentDefinitionError, model } from "../../src/agent/index.js";
import { AgentFactory, ToolwrightModule } from "../../src/nest/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { ToolDefinitionError } from "../../src/tool/index.js";
import { agentThatCalls, boot, Clock, closeApplications, resultOf, TimeTool } from "./support.js";

afterEach(closeApplications);

@model(() => new ScriptedModel(["Hello."]))
class ChatAgent extends Agent {}

class TimeAgent extends agentThatCalls(TimeTool) {}

/** What the start of an application says whose ChatModule has these providers, and whose first module has imported forRoot. */
async function startWith(...providers: Provider[]): Promise<Error> {
  @Module({ providers })
  class ChatModule {}

  return boot({ imports: [ToolwrightModule.forRoot({}), ChatModule] }).then(
    () => new Error("It started."),
    (error: Error) => error,
  );
}

describe("an agent among a module's own providers ends the start of the application, because users would share it:", () => {
  it("the class alone", async () => {
    const refusal = await startWith(ChatAgent);
    expect(refusal).toBeInstanceOf(AgentDefinitionError);
    expect(refusal.message).toBe(
      "ChatAgent: it is a provider of ChatModule, so that requests share one, and users read each other's messages: " +
        "an agent is one conversation. Take it out of the providers, and give the class to the module's imports: " +
        "ToolwrightModule.forFeature({ agents: [ChatAgent] }). Each request then has its own. " +
        "If a test or a script is one conversation, provide an instance: { provide: ChatAgent, useValue: agent }.",
    );
  });

  it.each<[string, Provider, string]>([
    ["under another name", { provide: "CHAT", useClass: ChatAgent }, "the provider CHAT of ChatModule is one"],
    ["made by a factory", { provide: ChatAgent, useFactory: () => new ChatAgent() }, "it is a provider of ChatModule"],
    ["made by an async factory", { provide: "CHAT", useFactory: async () => new ChatAgent() }, "the provider CHAT of ChatModule is one"],
    ["under a symbol", { provide: Symbol("chat"), useClass: ChatAgent }, "the provider Symbol(chat) of ChatModule is one"],
    ["for each that injects it", { provide: ChatAgent, useClass: ChatAgent, scope: Scope.TRANSIENT }, "it is a provider of ChatModule"],
    ["for each tenant", { provide: ChatAgent, useClass: ChatAgent, scope: Scope.REQUEST, durable: true }, "it is a provider of ChatModule"],
  ])("%s", async (_name, provider, place) => {
    expect((await startWith(provider)).message).toContain(`ChatAgent: ${place}, so that requests share one`);
  });

  it("also if forFeature lists it, because the module's own comes first", async () => {
    const both = { imports: [ToolwrightModule.forFeature({ agents: [ChatAgent] })], providers: [ChatAgent] };
    await expect(boot(both)).rejects.toThrow("ChatAgent: it is a provider of RootTestModule");
  });

  it("in a dynamic module, far from the one that imports toolwright", async () => {
    class PluginModule {
      static register() {
        return { module: PluginModule, providers: [ChatAgent] };
      }
    }
    @Module({ imports: [PluginModule.register()] })
    class MiddleModule {}
    await expect(boot({ imports: [MiddleModule, ToolwrightModule.forFeature({ tools: [] })] })).rejects.toThrow(
      "ChatAgent: it is a provider of PluginModule",
    );
  });

  it("in a module that is loaded lazily, at its first use", async () => {
    @Module({ imports: [ToolwrightModule.forFeature({ agents: [TimeAgent] })], providers: [Clock, ChatAgent] })
    class LazyModule {}
    const application = await boot({ imports: [ToolwrightModule.forRoot({})] });
    const loaded = await application.get(LazyModuleLoader).load(() => LazyModule);
    const agents = loaded.get(AgentFactory, { strict: false });
    await expect(agents.create(TimeAgent)).rejects.toThrow("ChatAgent: it is a provider of LazyModule");
    await expect(agents.create(TimeAgent)).rejects.toThrow("ChatAgent: it is a provider of LazyModule");
  });
});

describe("an agent may be a provider", () => {
  it("with request scope: each request then has its own", async () => {
    @Injectable({ scope: Scope.REQUEST })
    class RequestAgent extends ChatAgent {}

    const application = await boot({ imports: [ToolwrightModule.forRoot({})], providers: [RequestAgent] });
    expect(await application.resolve(RequestAgent)).not.toBe(await application.resolve(RequestAgent));
  });

  it("of a factory that asks AgentFactory in each request, with all that forRoot says", async () => {
    const supportAgent = {
      provide: "SUPPORT",
      inject: [AgentFactory, REQUEST],
      useFactory: (agents: AgentFactory, request: object) => agents.create(TimeAgent, request),
    };
    const application = await boot({
      imports: [ToolwrightModule.forFeature({ agents: [TimeAgent] })],
      providers: [Clock, supportAgent],
    });
    const [first, second] = [await application.resolve<TimeAgent>("SUPPORT"), await application.resolve<TimeAgent>("SUPPORT")];
    expect(first).not.toBe(second);
    expect(await resultOf(first)).toBe("noon");
  });

  it("as an instance, if a test or a script is one conversation", async () => {
    const agent = new ChatAgent();
    const application = await boot({ imports: [ToolwrightModule.forRoot({})], providers: [{ provide: ChatAgent, useValue: agent }] });
    expect(application.get(ChatAgent)).toBe(agent);
    expect((await application.get(ChatAgent).generate("Hi")).text).toBe("Hello.");
  });

  it("of a test: an instance in the place of what another provider of the application makes", async () => {
    const scripted = new ChatAgent();
    const inEachRequest = { provide: "SUPPORT", scope: Scope.REQUEST, useFactory: () => new ChatAgent() };
    const application = await Test.createTestingModule({ imports: [ToolwrightModule.forRoot({})], providers: [inEachRequest] })
      .overrideProvider("SUPPORT")
      .useValue(scripted)
      .compile();
    await application.init();
    expect(application.get("SUPPORT")).toBe(scripted);
    await application.close();
  });

  it("of a test: overrideProvider puts one instance in the place of those that forFeature makes", async () => {
    const scripted = new ChatAgent();
    const feature = ToolwrightModule.forFeature({ agents: [ChatAgent] });
    const application = await Test.createTestingModule({ imports: [feature] })
      .overrideProvider(ChatAgent)
      .useValue(scripted)
      .compile();
    await application.init();
    expect(application.get(ChatAgent)).toBe(scripted);
    await application.close();
  });

  it("by its class, which is no instance", async () => {
    const refusal = await startWith({ provide: "AGENT_CLASS", useValue: ChatAgent }, { provide: "NOTHING", useValue: null });
    expect(refusal.message).toBe("It started.");
  });

  it("beside proxies that can't be read before there is a request", async () => {
    const unreadable = new Proxy(
      {},
      {
        get: (_target, key) => {
          if (key === "constructor") throw new Error("No request.");
        },
      },
    );
    expect((await startWith({ provide: "CURRENT_USER", useValue: unreadable })).message).toBe("It started.");
  });
});

describe("a tool among a module's own providers ends the start of the application, because calls would share it:", () => {
  it("the class alone", async () => {
    const refusal = await startWith(Clock, TimeTool);
    expect(refusal).toBeInstanceOf(ToolDefinitionError);
    expect(refusal.message).toBe(
      "TimeTool: it is a provider of ChatModule, so that calls share one: a tool holds the arguments of its call. " +
        "Take it out of the providers, and give the class to the module's imports: " +
        "ToolwrightModule.forFeature({ tools: [TimeTool] }). Each call then has its own.",
    );
  });

  it("with request scope: a request makes many calls", async () => {
    const refusal = await startWith(Clock, { provide: "TIME", useClass: TimeTool, scope: Scope.REQUEST });
    expect(refusal.message).toContain("TimeTool: the provider TIME of ChatModule is one, so that calls share one");
  });

  it("made by a factory", async () => {
    const refusal = await startWith({ provide: TimeTool, useFactory: () => new TimeTool(new Clock()) });
    expect(refusal.message).toContain("TimeTool: it is a provider of ChatModule, so that calls share one");
  });

  it("but not an instance, which a test may give to what calls it", async () => {
    const refusal = await startWith({ provide: TimeTool, useValue: new TimeTool(new Clock()) });
    expect(refusal.message).toBe("It started.");
  });

  it("but not a transient one, of which a container of the application makes one for each call", async () => {
    const refusal = await startWith(Clock, { provide: TimeTool, useClass: TimeTool, scope: Scope.TRANSIENT });
    expect(refusal.message).toBe("It started.");
  });
});

describe("forRoot", () => {
  it("is rejected a second time, because only one of the two would take effect", async () => {
    @Module({ imports: [ToolwrightModule.forRoot({ toolContext: () => ({ user: "ada" }) })] })
    class AuthModule {}
    await expect(boot({ imports: [AuthModule, ToolwrightModule.forRoot({ listeners: [] })] })).rejects.toThrow(
      "ToolwrightModule.forRoot is imported 2 times, and only one would take effect. " +
        "It holds for the whole application: import it once, in the application's first module, with all options.",
    );
  });

  it("may be imported by several modules if it is one", async () => {
    const root = ToolwrightModule.forRoot({});
    @Module({ imports: [root] })
    class AuthModule {}
    await expect(boot({ imports: [root, AuthModule] })).resolves.toBeDefined();
  });
});
