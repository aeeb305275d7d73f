import "../../src/index.js";
import { ToolExecutor } from "../../src/execution/index.js";
import { invokeTool, stubTool, withStubs } from "../../src/testing/index.js";
import { answeredBy, createTool, description, isolated, type ToolClass, returns, Tool, tool } from "../../src/tool/index.js";

const definitionWith = (where: unknown, options: unknown): unknown => {
  @isolated(where as "worker", options as { module: string })
  @description("Parses.")
  class ParseTool extends Tool {
    call() {}
  }
  return ParseTool.definition;
};

describe("@isolated", () => {
  it("is shown by the definition, and inherited", () => {
    @isolated("process", { module: __filename, services: "./services.js", environment: ["DATABASE_URL"] })
    @description("Parses.")
    class ParseTool extends Tool {
      call() {}
    }
    class ParseMoreTool extends ParseTool {}
    const isolation = { in: "process", module: __filename, services: "./services.js", environment: ["DATABASE_URL"] };
    expect(ParseTool.definition.isolated).toEqual(isolation);
    expect(ParseMoreTool.definition.isolated).toEqual(isolation);
    expect(Object.isFrozen(ParseTool.definition.isolated)).toBe(true);
  });

  it("is a setting of @tool too", () => {
    @tool({ description: "Parses.", isolated: { in: "worker", module: "file:///tools.js" } })
    class ParseTool extends Tool {
      call() {}
    }
    expect(ParseTool.definition.isolated).toEqual({ in: "worker", module: "file:///tools.js" });
  });

  it("works with standard decorators", () => {
    const metadata = {};
    const decorate = isolated("worker", { module: __filename }) as unknown as (target: unknown, context: unknown) => void;
    const describeTool = description("Parses.") as unknown as typeof decorate;
    class ParseTool extends Tool {
      call() {}
    }
    for (const decorator of [decorate, describeTool]) decorator(ParseTool, { kind: "class", name: "ParseTool", metadata });
    Object.defineProperty(ParseTool, (Symbol as { metadata?: symbol }).metadata as symbol, { value: metadata });
    expect(ParseTool.definition.isolated).toEqual({ in: "worker", module: __filename });
  });

  it.each([
    [
      "thread",
      { module: __filename },
      'ParseTool: isolated must be in "worker" or "process", got string "thread". Write @isolated("worker", { module: import.meta.url }).',
    ],
    [
      "worker",
      undefined,
      "ParseTool: isolated needs as module the file that exports the class, got undefined. Write module: import.meta.url",
    ],
    ["worker", { module: "./tools.js" }, 'got string "./tools.js". Write module: import.meta.url, or module: __filename in CommonJS.'],
    ["worker", { module: __filename, services: 1 }, "ParseTool: services of isolated must be the path of a set-up module, got number 1."],
    ["worker", { module: __filename, services: "services" }, 'got string "services". Write services: "./services.js".'],
    ["worker", { module: __filename, environment: ["A"] }, "ParseTool: environment is for a tool in a process"],
    ["process", { module: __filename, environment: "A" }, 'ParseTool: environment must list names of variables, got string "A".'],
    [
      "process",
      { module: __filename, enviroment: ["A"] },
      'ParseTool: isolated: there is nothing named "enviroment". Did you mean "environment"?',
    ],
  ])("rejects a mistake: %p, %p", (where, options, message) => {
    expect(() => definitionWith(where, options)).toThrow(message);
  });

  it("rejects the decorator without parentheses", () => {
    expect(() => isolated(class ParseTool extends Tool {} as never, undefined as never)).toThrow(
      "@isolated got the class itself: write parentheses behind it",
    );
  });

  it("rejects tools whose code is a function, and tools that the client answers", () => {
    const Created = createTool("parse", "Parses.", { type: "object" }, () => "parsed");
    // The type of a created class promises no `call` of its own.
    const ParseTool = class ParseTool extends (Created as unknown as new () => object) {} as unknown as ToolClass;
    isolated("worker", { module: __filename })(ParseTool as never);
    expect(() => ParseTool.definition).toThrow(
      "ParseTool: it is isolated, but its code is a function, which can't leave the application's thread. Write a class that extends Tool, and export it.",
    );
    @isolated("worker", { module: __filename })
    @answeredBy("client")
    @returns(String)
    @description("Asks.")
    class AskTool extends Tool {}
    expect(() => AskTool.definition).toThrow("AskTool: it has answeredBy and isolated, but the client answers its calls. Remove isolated.");
  });
});

describe("in tests, an isolated tool", () => {
  @isolated("worker", { module: "/not/there.js" })
  @description("Greets.")
  class GreetTool extends Tool {
    constructor(private readonly greeting: string) {
      super();
    }

    call() {
      return `${this.greeting} from ${process.pid}`;
    }
  }

  it("runs in the test's thread with invokeTool, with its fakes", async () => {
    expect(await invokeTool(GreetTool, {}, { services: ["Hello"] })).toBe(`Hello from ${process.pid}`);
  });

  it("can be stubbed", async () => {
    const executor = new ToolExecutor({ tools: [GreetTool], container: withStubs([stubTool(GreetTool, () => "stubbed")]) });
    expect(await executor.run(GreetTool, {})).toBe("stubbed");
  });
});
