import { Global, Injectable, Module } from "@nestjs/common";
import { LazyModuleLoader } from "@nestjs/core";
import { AgentFactory, ToolwrightModule } from "../../src/nest/index.js";
import { agentThatCalls, boot, Clock, closeApplications, resultOf, TimeTool } from "./support.js";

afterEach(closeApplications);

class TimeAgent extends agentThatCalls(TimeTool) {}

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

  it("are distinguished even if Nest identifies modules by what they look like", async () => {
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
