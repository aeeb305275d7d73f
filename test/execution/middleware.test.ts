import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { createTool } from "../../src/tool/index.js";
import { markAsInterrupt } from "../../src/tool/internal.js";
import { rejection } from "./support.js";

let runs = 0;
const greet = createTool({
  name: "greet",
  description: "Greets.",
  inputSchema: { type: "object", properties: { name: { type: "string", default: "you" } } },
  execute: (input: any) => {
    runs += 1;
    return `Hello ${input.name}`;
  },
});

const request = (argumentsText = "{}") => ({ id: "call_1", name: "greet", arguments: argumentsText });

beforeEach(() => {
  runs = 0;
});

describe("middleware", () => {
  it("wraps each call, the first added outermost", async () => {
    const order: string[] = [];
    const executor = new ToolExecutor({ tools: [greet] });
    for (const name of ["outer", "inner"]) {
      executor.use(async (_call, next) => {
        order.push(`${name} before`);
        const result = await next();
        order.push(`${name} after`);
        return result;
      });
    }
    expect((await executor.call(request(), createRunScope())).data).toBe("Hello you");
    expect(order).toEqual(["outer before", "inner before", "inner after", "outer after"]);
  });

  it("sees the prepared call: name, definition, validated input, scope", async () => {
    let seen: unknown;
    const executor = new ToolExecutor({ tools: [greet] }).use((call, next) => {
      seen = { id: call.id, name: call.name, input: call.input, runId: call.scope.runId, timeout: call.definition.timeout };
      return next();
    });
    await executor.call(request(), createRunScope({ runId: "run_1" }));
    expect(seen).toEqual({ id: "call_1", name: "greet", input: { name: "you" }, runId: "run_1", timeout: 10_000 });
  });

  it("may answer in the tool's place, or change its result", async () => {
    const cached = new ToolExecutor({ tools: [greet] }).use((call) => ({
      tool: call.name,
      fetchedAt: "2025-01-15T10:30:00.000Z",
      data: "cached",
    }));
    expect((await cached.call(request(), createRunScope())).data).toBe("cached");
    expect(runs).toBe(0);
    const loud = new ToolExecutor({ tools: [greet] }).use(
      async (_call, next) => ({ ...(await next()), data: { at: new Date(0) } }) as never,
    );
    expect((await loud.call(request(), createRunScope())).data).toEqual({ at: "1970-01-01T00:00:00.000Z" });
  });

  it("can't bring a result past the cap", async () => {
    const executor = new ToolExecutor({ tools: [greet], maxResultBytes: 1_000 }).use(
      async (_call, next) => ({ ...(await next()), data: "x".repeat(5_000) }) as never,
    );
    expect(modelText(await executor.call(request(), createRunScope())).length).toBeLessThanOrEqual(1_000);
  });

  it("fails the call by what it throws, by a second next(), and by giving nothing", async () => {
    const call = (middleware: Parameters<ToolExecutor["use"]>[0]) =>
      new ToolExecutor({ tools: [greet] }).use(middleware).call(request(), createRunScope());
    const thrown = await call(() => {
      throw new Error("no budget");
    });
    expect(thrown).toMatchObject({ tool: "greet", error: "no budget", errorType: "unhandled_error" });
    const twice = await call(async (_call, next) => {
      await next();
      return next();
    });
    expect(twice.error).toMatch(/called next\(\) twice for tool 'greet'/);
    expect(runs).toBe(1);
    expect((await call((() => undefined) as never)).error).toMatch(/gave no result for tool 'greet'/);
  });

  it("does not see calls that were refused before", async () => {
    const middleware = jest.fn((_call, next) => next());
    const executor = new ToolExecutor({ tools: [greet] }).use(middleware);
    await executor.call(request('{"name":5}'), createRunScope());
    await executor.call({ ...request(), name: "nobody" }, createRunScope());
    expect(middleware).not.toHaveBeenCalled();
  });

  it("is passed by interrupts, its own and the tool's", async () => {
    const pause = markAsInterrupt(new Error("pause"));
    const pausing = createTool({ name: "greet", description: "P.", inputSchema: { type: "object" }, execute: () => Promise.reject(pause) });
    const executor = new ToolExecutor({ tools: [pausing] }).use((_call, next) => next());
    expect(await rejection(executor.call(request(), createRunScope()))).toBe(pause);
    const own = new ToolExecutor({ tools: [greet] }).use(() => Promise.reject(pause));
    expect(await rejection(own.call(request(), createRunScope()))).toBe(pause);
  });
});
