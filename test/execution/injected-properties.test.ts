import "reflect-metadata";
import { Inject as NestInject, Optional } from "@nestjs/common";
import { Container, Inject, Service } from "typedi";
import { Agent, block, guardrail, model, pass, usesTools } from "../../src/agent/index.js";
import { ToolExecutor, useContainer } from "../../src/execution/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { description, required, requiresConfirmation, Tool } from "../../src/tool/index.js";
import { doors } from "../doors/doors.js";
import { caller } from "./support.js";

@Service()
class Stations {
  find(city: string) {
    return `station of ${city}`;
  }
}

@description("Finds a station.")
class StationTool extends Tool {
  @required(String) city!: string;
  @Inject() stations!: Stations;

  call() {
    return this.stations?.find(this.city) ?? "no stations";
  }
}

const bonn = { city: "Bonn" };
const missing =
  /StationTool\.stations: @Inject of typedi wants 1 service, but there is no container to take them from\. Call useContainer\(Container\)/;

const answering = () => new ScriptedModel(["Hello."]);

afterEach(() => useContainer(undefined));

describe("a property with @Inject, without a container", () => {
  it("fails the first call with the class, the property and the fix", async () => {
    expect((await caller(StationTool)(bonn)).error).toMatch(missing);
  });

  it("fails each further call", async () => {
    const call = caller(StationTool);
    await call(bonn);
    expect((await call(bonn)).error).toMatch(missing);
  });

  it("fails in a subclass of the tool", async () => {
    class NightTool extends StationTool {}
    description("Finds a station at night.")(NightTool);
    expect((await caller(NightTool)(bonn)).error).toMatch(/NightTool\.stations: @Inject of typedi/);
  });

  it("fails with a type that is given by a function, which leaves no metadata", async () => {
    class LazyTool extends Tool {
      declare stations: Stations;

      call() {
        return "called";
      }
    }
    description("Finds a station.")(LazyTool);
    Inject(() => Stations)(LazyTool.prototype, "stations");
    expect((await caller(LazyTool)()).error).toMatch(/LazyTool\.stations/);
  });

  it("fails before a person is asked", async () => {
    @description("Moves a station.")
    @requiresConfirmation()
    class MoveTool extends StationTool {}
    const executor = new ToolExecutor({ tools: [MoveTool] });
    await expect(executor.run("move_tool", bonn)).rejects.toThrow(/MoveTool\.stations: @Inject of typedi/);
  });

  it("fails by Nest's @Inject, except for @Optional", async () => {
    @description("Finds a station.")
    class NestTool extends Tool {
      @Optional() @NestInject(Stations) other?: Stations;
      @NestInject(Stations) stations!: Stations;

      call() {
        return "called";
      }
    }
    expect((await caller(NestTool)()).error).toMatch(/NestTool\.stations: @Inject of Nest wants 1 service/);
    expect((await caller(NestTool, { container: Container })()).error).toMatch(
      /NestTool\.stations: .* the container left it undefined\. Import ToolwrightModule\.forFeature/,
    );
  });

  it("runs if the class fills the property itself", async () => {
    @description("Finds a station.")
    class FilledTool extends Tool {
      @Inject() stations: Stations = new Stations();

      call() {
        return this.stations.find("Graz");
      }
    }
    expect((await caller(FilledTool)()).data).toBe("station of Graz");
  });

  it("fails in a test by invokeTool", async () => {
    await expect(invokeTool(StationTool, bonn)).rejects.toThrow(/StationTool\.stations: @Inject of typedi/);
  });

  for (const door of doors) {
    it(`fails through ${door.name}`, async () => {
      const [read] = await door.run([StationTool], [{ tool: StationTool, arguments: bonn }]);
      expect(read).toMatch(/StationTool\.stations: @Inject of typedi/);
    });
  }
});

describe("a property with @Inject, beside a container that leaves it undefined", () => {
  it("fails with a container of another kind", async () => {
    const container = { get: (type: new () => Tool) => new type() };
    expect((await caller(StationTool, { container })(bonn)).error).toMatch(
      /StationTool\.stations: @Inject of typedi wants 1 service, and the container left it undefined\. Pass typedi's Container/,
    );
  });

  it("fails with a factory, which typedi doesn't fill", async () => {
    @description("Finds a station.")
    class MadeTool extends StationTool {}
    Container.set({ id: MadeTool, factory: () => new MadeTool(), transient: true });
    expect((await caller(MadeTool, { container: Container })(bonn)).error).toMatch(/MadeTool\.stations: .* not by a factory/);
  });
});

describe("an agent with an @Inject property", () => {
  @Service({ transient: true })
  @model(answering())
  class StationAgent extends Agent {
    @Inject() stations!: Stations;
  }

  it("can't run if it was made by new", async () => {
    await expect(new StationAgent().generate("Hello")).rejects.toThrow(
      /StationAgent\.stations: @Inject of typedi wants 1 service, but the agent was made without it\. Make the agent by Container\.get\(StationAgent\)/,
    );
    await expect(StationAgent.generate("Hello")).rejects.toThrow(/StationAgent\.stations/);
  });

  it("runs if the container made it", async () => {
    expect((await Container.get(StationAgent).generate("Hello")).reason).toBe("success");
  });

  it("is made by the container if another agent calls it", async () => {
    @Service({ transient: true })
    @description("Finds stations.")
    @model(() => new ScriptedModel(["Found."]))
    class FindingAgent extends Agent {
      @Inject() stations!: Stations;
    }
    const calling = () => new ScriptedModel([{ toolCalls: [{ name: "finding_agent", arguments: { prompt: "Find." } }] }, "Done."]);
    @model(calling)
    @usesTools([FindingAgent])
    class CallingAgent extends Agent {}
    const { steps } = await new CallingAgent().generate("Find.", { container: Container });
    expect(steps[0]?.toolCalls[0]).toMatchObject({ content: "Found." });
    const alone = await new CallingAgent().generate("Find.");
    expect(alone.steps[0]?.toolCalls[0]?.content).toMatch(/FindingAgent\.stations: @Inject of typedi/);
  });
});

it("makes a guardrail with an @Inject property by the container", async () => {
  @Service({ transient: true })
  class StationGuard {
    @Inject() stations!: Stations;

    checkInput() {
      return this.stations.find("Bonn") === "" ? block("no station") : pass();
    }
  }
  @guardrail("before", StationGuard)
  @model(() => answering())
  class GuardedAgent extends Agent {}
  expect((await new GuardedAgent().generate("Hello", { container: Container })).reason).toBe("success");
  await expect(new GuardedAgent().generate("Hello")).rejects.toThrow(
    /the guardrail StationGuard wants services, but there is no container/,
  );
});
