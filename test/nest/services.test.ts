import { forwardRef, Inject, Injectable, Optional, Scope } from "@nestjs/common";
import { REQUEST } from "@nestjs/core";
import { Agent, type AgentTools, guardrail, model, pass, usesContainer, usesTools } from "../../src/agent/index.js";
import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { AgentFactory, ToolContainer, ToolwrightModule } from "../../src/nest/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { description, identifier, required, Tool, type ToolClass } from "../../src/tool/index.js";
import { renamedTool } from "../../src/tool/internal.js";
import { agentThatCalls, boot, Clock, closeApplications, resultOf, scriptedAgent, TimeTool } from "./support.js";

afterEach(closeApplications);

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

  it("come by forwardRef if files import each other", async () => {
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

  it("are those of its parent if it has no constructor of its own", async () => {
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

  it("with request scope belong to the agent, if no request is given", async () => {
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

  it("are another container's if @usesContainer or generate say so", async () => {
    const containerOf = (time: string) => ({ get: () => new TimeTool({ now: () => time }) });
    @usesContainer(containerOf("the agent's"))
    class OwnAgent extends agentThatCalls(TimeTool) {}
    const application = await boot({ imports: [ToolwrightModule.forFeature({ agents: [OwnAgent] })] });
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
