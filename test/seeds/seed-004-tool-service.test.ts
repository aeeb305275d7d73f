import { Container, Service } from "typedi";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import {
  createTool,
  description,
  failure,
  identifier,
  required,
  access,
  returns,
  Tool,
  ToolAuthorizationError,
  ToolExecutionError,
  ToolInputValidationError,
  ToolNotFoundError,
  ToolOutputValidationError,
  ToolTimeoutError,
} from "../../src/tool/index.js";
import { rejection } from "../execution/support.js";
import { noTools, registryOf, tool, warningsOf } from "../registry/support.js";

/** What happened, in order: the seed's five steps. */
let steps: string[] = [];
beforeEach(() => {
  steps = [];
});

@identifier("square")
@description("Squares a number. Use when one is to be squared.")
@returns(Number)
class SquareTool extends Tool {
  @required({ schema: { type: "number", maximum: 100 } })
  value!: number;

  call() {
    steps.push("dispatch");
    if (this.value === 13) return failure("13 has no luck.");
    if (this.value === 14) throw new Error("The chip is broken.");
    return this.value === 15 ? "a lot" : this.value ** 2;
  }
}

const registry = () => registryOf({ math: [SquareTool] });
const run = (input: unknown, name = "math/square") =>
  registry()
    .executor({ allowedTools: ["math/*"] })
    .run(name, input);

describe('seed 004, "Core Data Structures"', () => {
  it("a tool has a simple name, and in the registry a full one: tool, ns/tool, org/ns/tool", () => {
    const organisation = createWorkspace({ organisation: "acme" }).toolbox("billing").addTool(tool("invoice")).build();
    const project = createWorkspace().toolbox("science").addTool(SquareTool).build();
    expect(createRegistry({ organisation, project }).names).toEqual([
      "calculator",
      "wikipedia",
      "web_scraper",
      "acme/billing/invoice",
      "science/square",
    ]);
  });

  it("a toolbox maps simple names to tools, and a workspace names to toolboxes", () => {
    const { toolboxes } = createWorkspace().toolbox("science").addTool(SquareTool).addTool(tool("scale")).build();
    const science = new Map([
      ["square", SquareTool],
      ["scale", expect.any(Function)],
    ]);
    expect(toolboxes).toEqual(new Map([["science", science]]));
  });
});

describe('seed 004, "Registration & Merging"', () => {
  it("a builder makes a workspace: toolbox(), addTool(), build()", () => {
    const workspace = createWorkspace().toolbox("science").addTool(SquareTool).toolbox("billing").addTool(tool("refund")).build();
    expect([...workspace.toolboxes.keys()]).toEqual(["science", "billing"]);
  });

  it("the internal toolbox keeps simple names, a project's tools get their toolbox before them, an organisation's that and its own", () => {
    const internal = { name: "standard", tools: [tool("clock")] };
    const organisation = createWorkspace({ organisation: "acme" }).toolbox("billing").addTool(tool("refund")).build();
    const project = createWorkspace().toolbox("billing").addTool(tool("refund")).build();
    expect(createRegistry({ internal, organisation, project }).names).toEqual(["clock", "acme/billing/refund", "billing/refund"]);
  });

  it("the project goes before the organisation, and that before the internal toolbox; each override is warned of", async () => {
    const answering = (answer: string, name = "clock") => tool(name, {}, () => answer);
    const internal = { name: "standard", tools: [answering("internal"), answering("internal", "scale"), answering("internal", "lamp")] };
    const organisation = createWorkspace({ organisation: "acme" })
      .addTool(answering("organisation"))
      .addTool(answering("organisation", "scale"))
      .toolbox("billing")
      .addTool(answering("organisation", "refund"))
      .build();
    const project = createWorkspace().addTool(answering("project")).toolbox("acme/billing").addTool(answering("project", "refund")).build();
    let merged = registry();
    const warnings = warningsOf(() => {
      merged = createRegistry({ internal, organisation, project });
    });
    const executor = merged.executor({ allowedTools: ["*"] });
    const answers = await Promise.all(["clock", "scale", "lamp", "acme/billing/refund"].map((name) => executor.run(name, {})));
    expect(answers).toEqual(["project", "organisation", "internal", "project"]);
    expect(warnings).toHaveLength(4);
    expect(warnings[1]).toContain(
      'The tool "scale" of the workspace of "acme" (scale) replaces that of the internal toolbox "standard" (scale).',
    );
  });
});

describe('seed 004, "Service Interfaces & Tags"', () => {
  it("an executor runs a tool by its full name and gives its output", async () => {
    expect(await run({ value: 9 })).toBe(81);
  });

  it("a simple name does where one tool alone has it", async () => {
    expect(await run({ value: 9 }, "square")).toBe(81);
  });
});

describe('seed 004, "Errors"', () => {
  it("ToolNotFoundError: no tool of that name", async () => {
    const error = await rejection(run({ value: 9 }, "math/cube"));
    expect(error).toBeInstanceOf(ToolNotFoundError);
    expect(error).toMatchObject({ toolName: "math/cube", message: expect.stringMatching(/^Tool not found in registry: math\/cube\./) });
  });

  it("ToolInputValidationError: the input breaks the schema; it holds the issues", async () => {
    const error = await rejection(run({ value: "many" }));
    expect(error).toBeInstanceOf(ToolInputValidationError);
    expect(error.message).toContain("Invalid input provided for tool: math/square");
    expect(error.issues).toMatchObject([{ path: "value" }]);
  });

  it("ToolOutputValidationError: the output breaks its schema; it holds the issues", async () => {
    const error = await rejection(run({ value: 15 }));
    expect(error).toBeInstanceOf(ToolOutputValidationError);
    expect(error.message).toContain("Invalid output received from tool implementation: math/square");
    expect(error.issues).toHaveLength(1);
  });

  it("ToolExecutionError: the tool failed or threw, with what it threw as the cause", async () => {
    expect(await rejection(run({ value: 13 }))).toBeInstanceOf(ToolExecutionError);
    const error = await rejection(run({ value: 14 }));
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error).toMatchObject({
      message: "Error during execution of tool 'math/square': The chip is broken.",
      cause: { message: "The chip is broken." },
    });
  });

  it("ToolExecutionError: the tool overran its time", async () => {
    const slow = tool("slow", { timeout: 5 }, () => new Promise(() => undefined));
    const error = await rejection(
      registryOf({ "": [slow] })
        .executor({ allowedTools: ["slow"] })
        .run("slow", {}),
    );
    expect(error).toBeInstanceOf(ToolTimeoutError);
    expect(error).toBeInstanceOf(ToolExecutionError);
  });

  it("ToolExecutionError: permission denied", async () => {
    const error = await rejection(
      registry()
        .executor({ allowedTools: ["science/*"] })
        .run("math/square", { value: 9 }),
    );
    expect(error).toBeInstanceOf(ToolAuthorizationError);
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error).toMatchObject({ toolName: "math/square", message: "Permission denied for tool: math/square" });
    expect(steps).toEqual([]);
  });
});

describe('seed 004, "Execution Service"', () => {
  it("looks up before it checks permission", async () => {
    const executor = registry().executor();
    expect(await rejection(executor.run("math/cube", {}))).toBeInstanceOf(ToolNotFoundError);
  });

  it("checks permission before input", async () => {
    const executor = registry().executor({ allowedTools: [] });
    expect(await rejection(executor.run("math/square", { value: "wrong" }))).toBeInstanceOf(ToolAuthorizationError);
  });

  it("checks input before it dispatches, and output after", async () => {
    await rejection(run({ value: 101 }));
    expect(steps).toEqual([]);
    await rejection(run({ value: 15 }));
    expect(steps).toEqual(["dispatch"]);
  });

  it.each([[undefined], [{}], [{ allowedTools: undefined }], [{ categories: ["side_effect"] }]])(
    "denies everything where the profile has no allow-list: %j",
    async (profile) => {
      const error = await rejection(
        registry()
          .executor(profile as never)
          .run("math/square", { value: 9 }),
      );
      expect(error).toBeInstanceOf(ToolAuthorizationError);
      expect(error.message).toContain("Permission denied: No tools allowed in current context.");
    },
  );

  it("resolves toolkits in the allow-list: a toolbox by a star, a group by its tag", async () => {
    const tagged = registryOf({ money: [tool("refund", { tags: ["money"] }), tool("clock")], shop: [tool("pay", { tags: ["money"] })] });
    const allowed = async (profile: Parameters<typeof tagged.executor>[0]) => {
      const executor = tagged.executor(profile);
      const runs = await Promise.allSettled(tagged.names.map((name) => executor.run(name, {})));
      return tagged.names.filter((_, index) => runs[index]?.status === "fulfilled");
    };
    expect(await allowed({ allowedTools: ["money/*"] })).toEqual(["money/refund", "money/clock"]);
    expect(await allowed({ tags: ["money"] })).toEqual(["money/refund", "shop/pay"]);
    expect(await allowed({ allowedTools: ["shop/pay"] })).toEqual(["shop/pay"]);
    expect(await allowed({ allowedTools: ["pay", "refund"] })).toEqual([]);
  });

  it("asks for what the tool's @access asks for, too", async () => {
    @identifier("payroll")
    @description("Shows salaries. Use when they are asked for.")
    @access({ roles: ["boss"] })
    class PayrollTool extends Tool {
      call() {
        return 1;
      }
    }
    const executor = registryOf({ staff: [PayrollTool] }).executor({ allowedTools: ["staff/*"] });
    expect(await rejection(executor.run("staff/payroll", {}))).toBeInstanceOf(ToolAuthorizationError);
    expect(await executor.run("staff/payroll", {}, { toolContext: { roles: ["boss"] } })).toBe(1);
  });

  it("dispatches to whatever made the tool: a class, createTool", async () => {
    const made = createTool({
      name: "double",
      description: "Doubles a number. Use when one is to be doubled.",
      inputSchema: { type: "object", properties: { value: { type: "number" } }, required: ["value"] },
      execute: ({ value }) => Number(value) * 2,
    });
    const executor = registryOf({ math: [SquareTool, made] }).executor({ allowedTools: ["math/*"] });
    expect([await executor.run("square", { value: 4 }), await executor.run("double", { value: 4 })]).toEqual([16, 8]);
  });

  it("gives a tool the services that it asks for, and no others", async () => {
    @Service()
    class Clock {
      now = () => "noon";
    }
    const asked: unknown[] = [];
    @identifier("time")
    @description("Tells the time. Use when it is asked for.")
    class TimeTool extends Tool {
      constructor(private readonly clock: Clock) {
        super();
        asked.push(clock);
      }

      call() {
        return this.clock.now();
      }
    }
    const executor = registryOf({ clocks: [TimeTool], math: [SquareTool] }).executor({ allowedTools: ["*"] }, { container: Container });
    expect(await executor.run("time", {})).toBe("noon");
    expect(await executor.run("square", { value: 2 })).toBe(4);
    expect(asked).toEqual([Container.get(Clock)]);
  });

  it("makes no tool that the profile doesn't allow, so that its services need not be there", async () => {
    class Missing {}
    @identifier("other")
    @description("Does something else. Use when it is due.")
    class OtherTool extends Tool {
      constructor(readonly missing: Missing) {
        super();
      }

      call() {
        return 1;
      }
    }
    const both = registryOf({ math: [SquareTool], other: [OtherTool] });
    expect(await both.executor({ allowedTools: ["math/*"] }).run("square", { value: 2 })).toBe(4);
    expect(() => both.executor({ allowedTools: ["*"] })).toThrow("OtherTool: its constructor wants 1 service");
  });
});

describe('seed 004, "Key Internal Patterns"', () => {
  it("permissions go along implicitly: calls that a tool makes have those of the call that made them", async () => {
    const inner = tool("inner");
    const outer = tool("outer", { dependsOn: ["inner"] }, (_input, { call }) => call(inner, {}));
    const nested = registryOf({ a: [outer, inner] });
    expect(await nested.executor({ allowedTools: ["a/*"] }).run("outer", {})).toBe("inner");
    const error = await rejection(nested.executor({ allowedTools: ["a/outer"] }).run("outer", {}));
    expect(error).toBeInstanceOf(ToolAuthorizationError);
    expect(error.message).toBe("Tool 'a/outer' needs another tool that isn't allowed here.");
  });

  it("calls at once with different permissions don't mix", async () => {
    const inner = tool("inner", {}, () => new Promise((resolve) => setImmediate(() => resolve("inner"))));
    const outer = tool("outer", { dependsOn: ["inner"] }, async (_input, { call }) => {
      await new Promise(setImmediate);
      return call(inner, {});
    });
    const nested = registryOf({ a: [outer, inner] });
    const [all, some] = [nested.executor({ allowedTools: ["a/*"] }), nested.executor({ allowedTools: ["a/outer"] })];
    const settled = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? all : some).run("outer", {})));
    expect(settled.map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? "fulfilled" : "rejected")),
    );
  });

  it("listeners receive every call, refused ones too", async () => {
    const records: unknown[] = [];
    const listeners = [
      { toolFinished: ({ tool, result }: { tool: string; result: { errorType?: string } }) => void records.push([tool, result.errorType]) },
    ];
    const executor = registry().executor({ allowedTools: ["math/*"] }, { listeners });
    const refusing = registry().executor({ allowedTools: [] }, { listeners });
    await executor.run("square", { value: 2 });
    await rejection(executor.run("square", {}));
    await rejection(refusing.run("square", { value: 2 }));
    await rejection(executor.run("cube", {}));
    expect(records).toEqual([
      ["math/square", undefined],
      ["math/square", "validation_error"],
      ["math/square", "unknown_tool"],
      ["cube", "unknown_tool"],
    ]);
  });

  it("the registry never changes, and names nothing but what was merged", () => {
    const merged = createRegistry({ internal: noTools, project: createWorkspace().toolbox("math").addTool(SquareTool).build() });
    (merged.names as string[]).push("math/cube");
    expect(merged.names).toEqual(["math/square"]);
  });
});
