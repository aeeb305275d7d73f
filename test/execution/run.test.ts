import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import {
  createTool,
  description,
  required,
  Tool,
  ToolAuthorizationError,
  ToolError,
  ToolExecutionError,
  ToolInputValidationError,
  ToolNotFoundError,
  ToolOutputValidationError,
  ToolTimeoutError,
} from "../../src/tool/index.js";
import { rejection, sleep } from "./support.js";

const schema = { type: "object" } as const;

@description("Divides.")
class DivideTool extends Tool {
  @required(Number)
  dividend!: number;

  @required(Number)
  divisor!: number;

  call() {
    if (this.divisor === 0) throw new RangeError("Division by zero");
    return this.dividend / this.divisor;
  }
}

const wrong = createTool({
  name: "wrong",
  description: "W.",
  inputSchema: schema,
  outputSchema: { type: "object", required: ["n"] },
  execute: () => ({}),
});
const slow = createTool({ name: "slow", description: "S.", inputSchema: schema, timeout: 5, execute: () => sleep(1_000) });
const closed = createTool({
  name: "closed",
  description: "C.",
  inputSchema: schema,
  execute: () => {
    throw new ToolAuthorizationError("closed", "Only the owner may do this.");
  },
});
const executor = new ToolExecutor({ tools: [DivideTool, wrong, slow, closed] });

describe('seed 004, "Service Interfaces": run(name, input)', () => {
  it("gives the data", async () => {
    expect(await executor.run("divide_tool", { dividend: 6, divisor: 3 })).toBe(2);
  });

  it("throws ToolNotFoundError, which names what was meant, or what there is", async () => {
    const notFound = async (name: string, tools = executor) => {
      const error = await rejection(tools.run(name, {}));
      expect(error).toBeInstanceOf(ToolNotFoundError);
      expect(error).toMatchObject({ toolName: name });
      return error.message;
    };
    expect(await notFound("DivideTool")).toBe('Tool not found in registry: DivideTool. Did you mean "divide_tool"?');
    expect(await notFound("multiply")).toBe("Tool not found in registry: multiply. Known are: divide_tool, wrong, slow, closed.");
    expect(await notFound("multiply", new ToolExecutor({ tools: [] }))).toBe(
      "Tool not found in registry: multiply. No tools are available here.",
    );
  });

  it("names no tool that the run may not call", async () => {
    const guarded = createTool({
      name: "guarded",
      description: "G.",
      inputSchema: schema,
      access: { roles: ["admin"] },
      execute: () => 1,
    });
    const error = await rejection(new ToolExecutor({ tools: [wrong, guarded] }).run("guardet", {}));
    expect(error.message).toBe("Tool not found in registry: guardet. Known are: wrong.");
  });

  it("throws ToolInputValidationError with every issue", async () => {
    const error = await rejection(executor.run("divide_tool", { dividend: "many" }));
    expect(error).toBeInstanceOf(ToolInputValidationError);
    expect(error.message).toMatch(/^Invalid input provided for tool: divide_tool: /);
    expect(error.issues.map(({ path }: { path: string }) => path).sort()).toEqual(["dividend", "divisor"]);
  });

  it("throws ToolInputValidationError for what isn't an object", async () => {
    for (const input of [null, [], 5, "{"])
      expect(await rejection(executor.run("divide_tool", input))).toBeInstanceOf(ToolInputValidationError);
  });

  it("throws ToolOutputValidationError with every issue", async () => {
    const error = await rejection(executor.run("wrong", {}));
    expect(error).toBeInstanceOf(ToolOutputValidationError);
    expect(error.message).toMatch(/^Invalid output received from tool implementation: wrong: /);
    expect(error.issues).toHaveLength(1);
  });

  it("throws ToolExecutionError with what the tool threw as its cause", async () => {
    const error = await rejection(executor.run("divide_tool", { dividend: 1, divisor: 0 }));
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error.message).toBe("Error during execution of tool 'divide_tool': Division by zero");
    expect(error.cause).toBeInstanceOf(RangeError);
  });

  it('seed 000, "Error Types": throws ToolTimeoutError and ToolAuthorizationError, which are execution errors', async () => {
    const [timeout, authorization] = [await rejection(executor.run("slow", {})), await rejection(executor.run("closed", {}))];
    expect(timeout).toBeInstanceOf(ToolTimeoutError);
    expect(timeout.timeout).toBe(5);
    expect(authorization).toBeInstanceOf(ToolAuthorizationError);
    expect(authorization.message).toBe("Only the owner may do this.");
    for (const error of [timeout, authorization]) {
      expect(error).toBeInstanceOf(ToolExecutionError);
      expect(error).toBeInstanceOf(ToolError);
    }
  });

  it("throws with the caller's reason where the run was cancelled", async () => {
    const error = await rejection(executor.run("divide_tool", { dividend: 1, divisor: 1 }, { abortSignal: AbortSignal.abort("gone") }));
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error).toMatchObject({ message: "Request was cancelled", cause: "gone" });
  });
});

describe("a result that breaks the output schema", () => {
  it('seed 000, "executeTool" 5: fails the call', async () => {
    expect(await executor.call({ id: "1", name: "wrong", arguments: {} }, createRunScope())).toMatchObject({
      errorType: "output_validation_error",
      error: expect.stringMatching(/^Tool 'wrong' gave an invalid result: .*n/),
    });
  });

  it("case 37: the tool's own error is not replaced by it", async () => {
    const full = createTool({
      name: "full",
      description: "F.",
      inputSchema: schema,
      outputSchema: { type: "object" },
      execute: () => Promise.reject(new Error("disk full")),
    });
    expect((await rejection(new ToolExecutor({ tools: [full] }).run("full", {}))).message).toMatch(/disk full/);
  });

  it("is checked as the JSON that it becomes", async () => {
    const dated = createTool({
      name: "dated",
      description: "D.",
      inputSchema: schema,
      outputSchema: { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
      execute: () => ({ at: new Date(0) }),
    });
    expect(await new ToolExecutor({ tools: [dated] }).run("dated", {})).toEqual({ at: "1970-01-01T00:00:00.000Z" });
  });
});
