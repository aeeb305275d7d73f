import { forwardRef, Global, Inject, Injectable, Module, Optional, Scope } from "@nestjs/common";
import { LazyModuleLoader, REQUEST } from "@nestjs/core";
import { Agent, type AgentTools, guardrail, model, pass, usesContainer, usesTools } from "../../../src/agent/index.js";
import { createRunScope, ToolExecutor } from "../../../src/execution/index.js";
import { AgentFactory, ToolContainer, ToolwrightModule } from "../../../src/interop/nest/index.js";
import { ScriptedModel } from "../../../src/models/index.js";
import { description, identifier, required, Tool, type ToolClass } from "../../../src/tool/index.js";
import { renamedTool } from "../../../src/tool/internal.js";
import { agentThatCalls, boot, closeApplications, scriptedAgent } from "./support.js";

afterEach(closeApplications);

/** What the first tool call of a run gave. */
async function resultOf(agent: Agent): Promise<unknown> {
  const [call] = (await agent.generate("Go")).steps[0]!.toolCalls;
  return call!.data ?? call!.content;
}

@Injectable()
class Clock {
  now(): string {
    return "noon";
  }
}

@identifier("time")
@description("Tells the time.")
class TimeTool extends Tool {
  constructor(private readonly clock: Clock) {
    super();
  }

  call() {
    return this.clock.now();
  }
}

class TimeAgent extends agentThatCalls(TimeTool) {}

describe("the services of a tool", () => {
  /** Calls the tool in an application with these providers. */
  async function call(tool: ToolClass, providers: Parameters<typeof boot>[0]["providers"]): Promise<unknown> {
    const feature = ToolwrightModule.forFeature({ tools: [tool] });
    const application = await boot({ imports: [feature], providers: providers ?? [] });
    const executor = new ToolExecutor({ tools: [tool], container: application.get(ToolContainer) });
    return executor.run(tool.identifier, {});
  }

  it("come by the types of the constructor, and the tool needs no @Injectable()", async () => {
    expect(await call(TimeTool, [Clock])).toBe("noon");
  });

  it("are whatever Nest provides: values, factories, asynchronous ones too", async () => {
    expect(await call(TimeTool, [{ provide: Clock, useValue: { now: () => "midnight" } }])).toBe("midnight");
    expect(await call(TimeTool, [{ provide: Clock, useFactory: async () => ({ now: () => "dawn" }) }])).toBe("dawn");
  });

  it("come by @Inject(TOKEN), on parameters and properties, and @Optional", async () => {
    const LIMIT = Symbol("LIMIT");

    @identifier("limit")
    @description("Tells the limit.")
    class LimitTool extends Tool {
      @Inject("UNIT") private readonly unit!: string;
      @Inject() private readonly clock!: Clock;
      @Optional() @Inject("NOTE") private readonly note?: string;

      constructor(
        @Inject(LIMIT) private readonly limit: number,
        @Optional() @Inject("OTHER") private readonly other?: string,
      ) {
        super();
      }

      call() {
        return [this.limit, this.unit, this.clock.now(), this.other ?? "none", this.note ?? "none"].join(" ");
      }
    }

    const providers = [{ provide: LIMIT, useValue: 3 }, { provide: "UNIT", useValue: "kg" }, Clock];
    expect(await call(LimitTool, providers)).toBe("3 kg noon none none");
  });

  it("come by forwardRef where files import each other", async () => {
    @description("Tells the time.")
    class LateTool extends Tool {
      constructor(@Inject(forwardRef(() => Clock)) private readonly clock: Clock) {
        super();
      }

      call() {
        return this.clock.now();
      }
    }

    expect(await call(LateTool, [Clock])).toBe("noon");
  });

  it("are those of its parent where it has no constructor of its own", async () => {
    class LaterTool extends TimeTool {
      override call() {
        return `after ${super.call()}`;
      }
    }

    expect(await call(LaterTool, [Clock])).toBe("after noon");
  });

  it("with transient scope are new for each call, as the tool itself is", async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class Counter {
      count = 0;
    }

    @identifier("count")
    @description("Counts.")
    class CountTool extends Tool {
      @required(Number) by!: number;

      constructor(private readonly counter: Counter) {
        super();
      }

      async call() {
        await new Promise((resolve) => setImmediate(resolve));
        this.counter.count += this.by;
        return this.counter.count;
      }
    }

    const calls = [1, 2, 3].map((by) => ({ name: "count", arguments: { by } }));
    class CountAgent extends scriptedAgent([CountTool], [{ toolCalls: calls }, "Done."]) {}
    const application = await boot({ imports: [ToolwrightModule.forFeature({ agents: [CountAgent] })], providers: [Counter] });
    const { steps } = await (await application.get(AgentFactory).create(CountAgent)).generate("Go");
    expect(steps[0]?.toolCalls.map(({ data }) => data)).toEqual([1, 2, 3]);
  });

  it("with request scope belong to the agent, where no request is given", async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Visit {
      static made = 0;
      readonly number = ++Visit.made;

      constructor(@Inject(REQUEST) readonly request: unknown) {}
    }

    @identifier("visit")
    @description("Tells the visit.")
    class VisitTool extends Tool {
      constructor(private readonly visit: Visit) {
        super();
      }

      call() {
        return `${this.visit.number} ${typeof this.visit.request}`;
      }
    }

    const visits = { name: "visit", arguments: {} };
    class VisitAgent extends scriptedAgent([VisitTool], [{ toolCalls: [visits, visits] }, "Done."]) {}
    const application = await boot({ imports: [ToolwrightModule.forFeature({ agents: [VisitAgent] })], providers: [Visit] });
    for (const number of [1, 2]) {
      const { steps } = await (await application.get(AgentFactory).create(VisitAgent)).generate("Go");
      expect(steps[0]?.toolCalls.map(({ data }) => data)).toEqual([`${number} undefined`, `${number} undefined`]);
    }
  });

  it("are found by a tool under the name that a registry gave it", async () => {
    const renamed = renamedTool(TimeTool, "acme/time");
    expect(await call(renamed, [Clock])).toBe("noon");
  });
});

describe("the modules", () => {
  const clockOf = (time: string) => ({ provide: Clock, useValue: { now: () => time } });

  it("give tools what they provide themselves, what they import and what is global", async () => {
    const own = { imports: [ToolwrightModule.forFeature({ agents: [TimeAgent] })], providers: [clockOf("own")] };
    expect(await resultOf(await (await boot(own)).resolve(TimeAgent))).toBe("own");

    @Module({ providers: [clockOf("imported")], exports: [Clock] })
    class ClockModule {}
    @Module({ imports: [ClockModule], exports: [ClockModule] })
    class ReexportingModule {}
    const imported = { imports: [ToolwrightModule.forFeature({ agents: [TimeAgent] }), ReexportingModule] };
    expect(await resultOf(await (await boot(imported)).resolve(TimeAgent))).toBe("imported");

    @Global()
    @Module({ providers: [clockOf("global")], exports: [Clock] })
    class GlobalModule {}
    @Module({ imports: [ToolwrightModule.forFeature({ agents: [TimeAgent] })], exports: [ToolwrightModule] })
    class TimeModule {}
    expect(await resultOf(await (await boot({ imports: [TimeModule, GlobalModule] })).resolve(TimeAgent))).toBe("global");
  });

  it("don't mix: a tool that two of them list has the services of the one whose agent runs", async () => {
    class NorthAgent extends agentThatCalls(TimeTool) {}
    class SouthAgent extends agentThatCalls(TimeTool) {}

    @Module({
      imports: [ToolwrightModule.forFeature({ tools: [TimeTool], agents: [NorthAgent] })],
      providers: [clockOf("noon")],
      exports: [ToolwrightModule],
    })
    class NorthModule {}
    @Module({
      imports: [ToolwrightModule.forFeature({ tools: [TimeTool], agents: [SouthAgent] })],
      providers: [clockOf("night")],
      exports: [ToolwrightModule],
    })
    class SouthModule {}

    const application = await boot({ imports: [NorthModule, SouthModule] });
    expect(await resultOf(await application.resolve(NorthAgent))).toBe("noon");
    expect(await resultOf(await application.resolve(SouthAgent))).toBe("night");
  });

  it("offer tools to agents of other modules, with their own services", async () => {
    @Module({ imports: [ToolwrightModule.forFeature({ tools: [TimeTool] })], providers: [clockOf("the clock module's")] })
    class ClockModule {}
    const agents = { imports: [ToolwrightModule.forFeature({ agents: [TimeAgent] }), ClockModule] };
    expect(await resultOf(await (await boot(agents)).resolve(TimeAgent))).toBe("the clock module's");
  });

  it("export agents by exports: [ToolwrightModule]", async () => {
    @Module({ imports: [ToolwrightModule.forFeature({ agents: [TimeAgent] })], providers: [Clock], exports: [ToolwrightModule] })
    class TimeModule {}

    @Injectable()
    class Reporter {
      constructor(readonly agent: TimeAgent) {}
    }

    const application = await boot({ imports: [TimeModule], providers: [Reporter] });
    expect(await resultOf((await application.resolve(Reporter)).agent)).toBe("noon");
  });

  it("are told apart also where Nest knows modules by what they look like", async () => {
    class NorthAgent extends agentThatCalls(TimeTool) {}
    class SouthAgent extends agentThatCalls(TimeTool) {}
    const lookAlike = () => ToolwrightModule.forFeature({ tools: [TimeTool] });

    @Module({
      imports: [lookAlike(), ToolwrightModule.forFeature({ agents: [NorthAgent] })],
      providers: [clockOf("noon")],
      exports: [ToolwrightModule],
    })
    class NorthModule {}
    @Module({
      imports: [ToolwrightModule.forFeature({ tools: [TimeTool], agents: [SouthAgent] })],
      providers: [clockOf("night")],
      exports: [ToolwrightModule],
    })
    class SouthModule {}

    const { Test } = await import("@nestjs/testing");
    const builder = Test.createTestingModule({ imports: [NorthModule, SouthModule] }, { moduleIdGeneratorAlgorithm: "deep-hash" });
    const application = await (await builder.compile()).init();
    expect(await resultOf(await application.resolve(SouthAgent, undefined, { strict: false }))).toBe("night");
    await application.close();
  });

  it("may be loaded late", async () => {
    @Module({ imports: [ToolwrightModule.forFeature({ agents: [TimeAgent] })], providers: [clockOf("late")], exports: [ToolwrightModule] })
    class LateModule {}
    const loader = (await boot({})).get(LazyModuleLoader);
    const late = await loader.load(() => LateModule);
    expect(await resultOf(await late.resolve(TimeAgent, undefined, { strict: false }))).toBe("late");
  });
});

describe("case 62: two applications in one process", () => {
  it("have separate lists, services and options", async () => {
    const heard: string[] = [];
    const applicationOf = (name: string, time: string) =>
      boot({
        imports: [
          ToolwrightModule.forRoot({
            listeners: [{ runStarted: () => void heard.push(name) }],
            toolContext: () => ({ application: name }),
          }),
          ToolwrightModule.forFeature({ agents: [TimeAgent] }),
        ],
        providers: [{ provide: Clock, useValue: { now: () => time } }],
      });
    const [first, second] = [await applicationOf("first", "noon"), await applicationOf("second", "night")];
    expect(await resultOf(await first.get(AgentFactory).create(TimeAgent, {}))).toBe("noon");
    expect(await resultOf(await second.get(AgentFactory).create(TimeAgent, {}))).toBe("night");
    expect(heard).toEqual(["first", "second"]);
    await first.close();
    expect(await resultOf(await second.get(AgentFactory).create(TimeAgent, {}))).toBe("night");
  });
});

describe("the services of an agent", () => {
  @Injectable()
  class Accounts {
    async isPremium(userId: string): Promise<boolean> {
      return userId === "ada";
    }
  }

  it("are there in its resolver of tools", async () => {
    const script = new ScriptedModel(["Done.", "Done."]);

    @model(script)
    class AccountAgent extends Agent {
      constructor(private readonly accounts: Accounts) {
        super();
      }

      override async tools({ userId = "" }: { userId?: string }): Promise<AgentTools> {
        return (await this.accounts.isPremium(userId)) ? [TimeTool] : [];
      }
    }

    const feature = ToolwrightModule.forFeature({ tools: [TimeTool], agents: [AccountAgent] });
    const application = await boot({ imports: [feature], providers: [Accounts, Clock] });
    for (const userId of ["ada", "bob"]) await (await application.resolve(AccountAgent)).generate("Go", { toolContext: { userId } });
    expect(script.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([["time"], []]);
  });

  it("come to the agents that it calls, and to its guardrails", async () => {
    @model(() => new ScriptedModel([{ toolCalls: [{ name: "time", arguments: {} }] }, "It is noon."]))
    @identifier("clockmaker")
    @description("Knows the time.")
    @usesTools([TimeTool])
    class Clockmaker extends Agent {
      constructor(readonly clock: Clock) {
        super();
      }
    }

    class Watch {
      static asked: string[] = [];
      constructor(@Inject(Clock) private readonly clock: Clock) {}
      checkInput(_prompt: unknown) {
        Watch.asked.push(this.clock.now());
        return pass();
      }
    }

    @model(() => new ScriptedModel([{ toolCalls: [{ name: "clockmaker", arguments: { prompt: "What time?" } }] }, "Noon."]))
    @guardrail("before", Watch)
    @usesTools([Clockmaker])
    class HostAgent extends Agent {}

    const application = await boot({ imports: [ToolwrightModule.forFeature({ agents: [HostAgent] })], providers: [Clock] });
    expect(await resultOf(await application.resolve(HostAgent))).toBe("It is noon.");
    expect(Watch.asked).toEqual(["noon"]);
  });

  it("may run other agents: AgentFactory can be injected into them", async () => {
    @Injectable()
    class Delegation {
      constructor(private readonly agents: AgentFactory) {}

      async delegate(): Promise<unknown> {
        return resultOf(await this.agents.create(TimeAgent));
      }
    }

    @identifier("delegate")
    @description("Asks another agent.")
    class DelegateTool extends Tool {
      constructor(private readonly delegation: Delegation) {
        super();
      }

      call() {
        return this.delegation.delegate();
      }
    }

    class LazyAgent extends agentThatCalls(DelegateTool) {}
    const feature = ToolwrightModule.forFeature({ agents: [LazyAgent, TimeAgent] });
    const application = await boot({ imports: [feature], providers: [Delegation, Clock] });
    expect(await resultOf(await application.resolve(LazyAgent))).toBe("noon");
  });

  it("are another container's where @usesContainer or generate say so", async () => {
    const containerOf = (time: string) => ({ get: () => new TimeTool({ now: () => time }) });
    @usesContainer(containerOf("the agent's"))
    class OwnAgent extends agentThatCalls(TimeTool) {}
    const application = await boot({ imports: [ToolwrightModule.forFeature({ agents: [OwnAgent] })], providers: [Clock] });
    expect(await resultOf(await application.resolve(OwnAgent))).toBe("the agent's");
    const { steps } = await (await application.resolve(OwnAgent)).generate("Go", { container: containerOf("the run's") });
    expect(steps[0]?.toolCalls[0]?.data).toBe("the run's");
  });
});

describe("ToolContainer, for what isn't an agent", () => {
  it("makes tools for an executor, with services of request scope for each call", async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Visit {
      static made = 0;
      readonly number = ++Visit.made;
    }

    @identifier("visit")
    @description("Tells the visit.")
    class VisitTool extends Tool {
      constructor(private readonly visit: Visit) {
        super();
      }

      call() {
        return this.visit.number;
      }
    }

    const application = await boot({ imports: [ToolwrightModule.forFeature({ tools: [VisitTool] })], providers: [Visit] });
    const executor = new ToolExecutor({ tools: [VisitTool], container: application.get(ToolContainer) });
    const call = (id: string) => executor.call({ id, name: "visit", arguments: {} }, createRunScope());
    expect([await call("1"), await call("2")]).toMatchObject([{ data: 1 }, { data: 2 }]);
  });
});
