import { Container, Service } from "typedi";
import { createRunScope, ToolExecutor, universalDefinition } from "../../src/execution/index.js";
import { Agent, description, Integer, model, required, Tool, type ToolClass, type ToolContext, usesTools } from "../../src/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { invokeTool } from "../../src/testing/index.js";

/** Faults that users of like libraries met with dependency injection, scopes and classes. */

it("case 59: services that need each other are an error that names the way round, not an overflow", async () => {
  class A {
    constructor(readonly b: object) {}
  }
  @Service()
  class B {
    constructor(readonly a: A) {}
  }
  Reflect.defineMetadata("design:paramtypes", [B], A);
  Service()(A);
  @description("d")
  class CircularTool extends Tool {
    constructor(readonly a: A) {
      super();
    }
    override call() {}
  }
  const executor = new ToolExecutor({ tools: [CircularTool], container: Container });
  const result = await executor.call({ id: "c1", name: "circular_tool", arguments: {} }, createRunScope());
  expect(result.error).toMatch(/A -> B -> A/);
});

it("case 61: the same validation holds at every door", async () => {
  let runs = 0;
  @description("Counts")
  class CountTool extends Tool {
    @required(Integer) n!: number;
    override call() {
      runs += 1;
    }
  }
  @description("Calls another")
  class OuterTool extends Tool {
    override call({ call }: ToolContext) {
      return call<ToolClass>(CountTool, { n: "many" });
    }
  }
  const wrong = { n: "many" };
  const fault = /n must be an integer/;
  const executor = new ToolExecutor({ tools: [CountTool, OuterTool] });
  const script = new ScriptedModel([{ toolCalls: [{ name: "count_tool", arguments: wrong }] }, "done"]);
  @model(script)
  @usesTools([CountTool])
  class CountAgent extends Agent {}

  expect((await executor.call({ id: "c1", name: "count_tool", arguments: wrong }, createRunScope())).error).toMatch(fault);
  await expect(executor.run("count_tool", wrong)).rejects.toThrow(fault);
  await expect(executor.run("outer_tool", {})).rejects.toThrow(fault);
  await expect(invokeTool(CountTool, wrong as never)).rejects.toThrow(fault);
  expect((await universalDefinition(CountTool).execute(wrong, {} as ToolContext)).error).toMatch(fault);
  expect((await CountAgent.generate("go")).steps[0]?.toolCalls[0]?.content).toMatch(fault);
  expect(runs).toBe(0);
});

it("case 62: two executors in one process have their own tools", async () => {
  @description("d")
  class LeftTool extends Tool {
    override call() {}
  }
  @description("d")
  class RightTool extends Tool {
    override call() {}
  }
  const left = new ToolExecutor({ tools: [LeftTool] });
  const right = new ToolExecutor({ tools: [RightTool] });
  await expect(left.run("left_tool", {})).resolves.toBeNull();
  await expect(left.run("right_tool", {})).rejects.toThrow(/Tool not found/);
  await expect(right.run("left_tool", {})).rejects.toThrow(/Tool not found/);
});
