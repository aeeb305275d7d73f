import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import {
  concurrency,
  createTool,
  description,
  exclusive,
  rateLimit,
  required,
  Tool,
  type ToolContext,
  timeout,
  tool,
} from "../../src/tool/index.js";
import { caller, rejection, sleep } from "./support.js";

let running = 0;
let most = 0;
const order: string[] = [];

beforeEach(() => {
  running = 0;
  most = 0;
  order.length = 0;
});

async function work(name: string, milliseconds = 5): Promise<string> {
  running += 1;
  most = Math.max(most, running);
  order.push(name);
  await sleep(milliseconds);
  running -= 1;
  return name;
}

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `${index}`);

@description("Works on one thing.")
@concurrency(3)
@timeout(50)
class WorkTool extends Tool {
  @required(String)
  name!: string;

  call() {
    return work(this.name, this.name === "hang" ? 1_000 : 5);
  }
}

/** A tool whose calls are counted for each user. */
const perUser = (limits: object) =>
  createTool({
    name: "per_user",
    description: "Works for a user.",
    inputSchema: { type: "object", properties: { name: { type: "string" } } },
    execute: ({ name }) => work(String(name)),
    ...limits,
  });

const userOf = (_input: unknown, { userId }: ToolContext): string => String(userId);

describe("a tool with @concurrency", () => {
  it("runs so many calls at once, in the order they came, in whatever executor, and waiting costs none of their time", async () => {
    const callers = [caller(WorkTool), caller(WorkTool)];
    const results = await Promise.all(names(60).map((name, index) => callers[index % 2]!({ name })));
    expect(results.map(({ data }) => data)).toEqual(names(60));
    expect(order).toEqual(names(60));
    expect(most).toBe(3);
  });

  it("has so many places for each key", async () => {
    const Limited = perUser({ concurrency: { calls: 2, key: userOf } });
    const [ada, bob] = ["ada", "bob"].map((userId) => caller(Limited, {}, { toolContext: { userId } }));
    await Promise.all([1, 2, 3, 4].flatMap((index) => [ada!({ name: `ada ${index}` }), bob!({ name: `bob ${index}` })]));
    expect(most).toBe(4);
    expect(order.filter((name) => name.startsWith("ada"))).toEqual(["ada 1", "ada 2", "ada 3", "ada 4"]);
  });

  it("takes the key from the arguments", async () => {
    const Limited = perUser({ concurrency: { calls: 1, key: ({ name }: { name?: string }) => String(name) } });
    const call = caller(Limited);
    await Promise.all(["a", "a", "b"].map((name) => call({ name })));
    expect(most).toBe(2);
  });

  it("gives the place of a call that threw or overran its deadline to the next one", async () => {
    const [call, next] = [caller(WorkTool), caller(WorkTool)];
    const results = await Promise.all([...["hang", "hang", "hang"].map((name) => call({ name })), next({ name: "next" })]);
    expect(results.map(({ errorType }) => errorType)).toEqual(["timeout_error", "timeout_error", "timeout_error", undefined]);
  });

  it("lets a cancelled call leave the line, and those behind it come up", async () => {
    const controller = new AbortController();
    const cancelled = caller(WorkTool, {}, { abortSignal: controller.signal });
    const call = caller(WorkTool);
    const pending = [...names(3).map((name) => call({ name })), cancelled({ name: "cancelled" }), call({ name: "last" })];
    await sleep(1);
    controller.abort();
    expect((await Promise.all(pending)).map(({ data, error }) => data ?? error)).toEqual([...names(3), "Request was cancelled", "last"]);
    expect(order).toEqual([...names(3), "last"]);
  });

  it("rejects what is over the limit, if it says so, with an error that a model can read", async () => {
    const Limited = perUser({ concurrency: { calls: 1, whenExceeded: "reject" } });
    const call = caller(Limited);
    const [first, second] = await Promise.all([call({ name: "a" }), call({ name: "b" })]);
    expect(first.data).toBe("a");
    expect(second).toMatchObject({
      errorType: "limit_exceeded",
      error:
        "Tool 'per_user' is over its limit of 1 call at once, and didn't run. It can be called again when one of them has ended. Until then, go on without it.",
    });
    expect((await call({ name: "c" })).data).toBe("c");
  });

  it("rejects a call of itself, which might wait for itself", async () => {
    @description("Calls itself.")
    @concurrency(2)
    class RecursiveTool extends Tool {
      call(context: ToolContext): Promise<unknown> {
        return context.call(RecursiveTool, {});
      }
    }
    const error = await rejection(new ToolExecutor({ tools: [RecursiveTool] }).run(RecursiveTool, {}));
    expect(error.message).toMatch(/'recursive_tool' runs 2 calls at once, and is called by one of its own calls/);
  });

  it("may be exclusive by a key as well", async () => {
    @description("Edits a file.")
    @concurrency(2)
    @exclusive(({ path }: { path: string }) => path)
    class EditTool extends Tool {
      @required(String)
      path!: string;

      call() {
        return work(this.path);
      }
    }
    const call = caller(EditTool);
    await Promise.all(["a", "a", "a", "b", "c"].map((path) => call({ path })));
    expect(most).toBe(2);
    expect(order.slice(0, 2)).toEqual(["a", "b"]);
  });
});

describe("a tool with @rateLimit", () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  @description("Asks a service.")
  @rateLimit(2, 1_000)
  class AskTool extends Tool {
    @required(String)
    name!: string;

    call() {
      order.push(`${this.name} at ${Math.round(performance.now() - start)}`);
      return this.name;
    }
  }
  let start = 0;

  it("begins so many calls in any period, in the order they came", async () => {
    start = performance.now();
    const call = caller(AskTool);
    const pending = Promise.all(names(5).map((name) => call({ name })));
    await jest.advanceTimersByTimeAsync(2_000);
    expect((await pending).map(({ data }) => data)).toEqual(names(5));
    expect(order).toEqual(["0 at 0", "1 at 0", "2 at 1000", "3 at 1000", "4 at 2000"]);
  });

  it("lets a cancelled call leave the line", async () => {
    await jest.advanceTimersByTimeAsync(5_000);
    start = performance.now();
    const controller = new AbortController();
    const call = caller(AskTool);
    const cancelled = caller(AskTool, {}, { abortSignal: controller.signal });
    const pending = Promise.all([call({ name: "a" }), call({ name: "b" }), cancelled({ name: "c" }), call({ name: "d" })]);
    await jest.advanceTimersByTimeAsync(10);
    controller.abort();
    await jest.advanceTimersByTimeAsync(1_000);
    expect((await pending).map(({ data, error }) => data ?? error)).toEqual(["a", "b", "Request was cancelled", "d"]);
    expect(order).toEqual(["a at 0", "b at 0", "d at 1000"]);
  });

  it("rejects what is over the limit, if it says so, and names the time of the next call", async () => {
    const Limited = perUser({ rateLimit: { calls: 1, period: 60_000, key: userOf, whenExceeded: "reject" } });
    const [ada, bob] = ["ada", "bob"].map((userId) => caller(Limited, {}, { toolContext: { userId } }));
    const begun = [ada!({ name: "a" }), bob!({ name: "b" })];
    await jest.advanceTimersByTimeAsync(48_000);
    expect((await Promise.all(begun)).map(({ data }) => data)).toEqual(["a", "b"]);
    expect(await ada!({ name: "c" })).toMatchObject({
      errorType: "limit_exceeded",
      error:
        "Tool 'per_user' is over its limit of 1 call in 60 s, and didn't run. It can be called again in 12 s. Until then, go on without it.",
    });
    await jest.advanceTimersByTimeAsync(12_000);
    const again = ada!({ name: "d" });
    await jest.advanceTimersByTimeAsync(10);
    expect((await again).data).toBe("d");
  });

  it("waits for a call of itself as for any other", async () => {
    @description("Counts down.")
    @rateLimit(1, 1_000)
    class CountTool extends Tool {
      @required(Number)
      left!: number;

      call(context: ToolContext): Promise<unknown> | string {
        return this.left === 0 ? "done" : context.call(CountTool, { left: this.left - 1 });
      }
    }
    const counted = new ToolExecutor({ tools: [CountTool] }).run(CountTool, { left: 2 });
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await counted).toBe("done");
  });
});

describe("the key of a limit", () => {
  it.each([
    ["exclusive", { exclusive: () => undefined }, "undefined"],
    ["exclusive", { exclusive: () => 7 }, "number"],
    ["concurrency", { concurrency: { calls: 1, key: () => "" } }, "an empty string"],
    ["rateLimit", { rateLimit: { calls: 1, period: 1_000, key: async () => "a" } }, "a promise"],
    ["rateLimit", { rateLimit: { calls: 1, period: 1_000, key: () => null } }, "null"],
  ])("must be a text: @%s with %j", async (decorator, limits, got) => {
    expect(await caller(perUser(limits))()).toMatchObject({
      errorType: "unhandled_error",
      error: `Tool 'per_user': the key of @${decorator} must be a string that isn't empty, got ${got}. Return one from its function, such as String(userId).`,
    });
    expect(order).toEqual([]);
  });

  it("is read before the call waits for anything", async () => {
    const Limited = perUser({
      exclusive: true,
      rateLimit: { calls: 2, period: 1_000, key: (_: unknown, { userId }: ToolContext) => userId },
    });
    const first = caller(Limited, {}, { toolContext: { userId: "ada" } })({ name: "a" });
    expect((await caller(Limited)({ name: "b" })).errorType).toBe("unhandled_error");
    expect((await first).data).toBe("a");
  });
});

describe("a limit that makes no sense is rejected with the tool", () => {
  const definition = (limits: object) => () => {
    @tool({ description: "Limited.", ...limits })
    class LimitedTool extends Tool {
      call() {}
    }
    return LimitedTool.definition;
  };

  it.each([
    [{ concurrency: { calls: 0 } }, "LimitedTool: concurrency.calls must be a whole number of at least 1, got number 0."],
    [{ concurrency: 3 }, "LimitedTool: concurrency: takes options, such as { calls: ... }, got a number."],
    [
      { concurrency: { calls: 3, whenExeeded: "wait" } },
      'LimitedTool: concurrency: unknown option "whenExeeded". Did you mean "whenExceeded"?',
    ],
    [{ concurrency: { calls: 3, whenExceeded: "drop" } }, 'LimitedTool: concurrency.whenExceeded must be "wait" or "reject", got "drop".'],
    [
      { concurrency: { calls: 3, key: "ada" } },
      "LimitedTool: concurrency.key must be a function of the arguments and the context, got string",
    ],
    [{ rateLimit: { calls: 3 } }, "LimitedTool: rateLimit.period must be a number of milliseconds above 0"],
    [
      { rateLimit: { calls: 3, period: Number.POSITIVE_INFINITY } },
      "LimitedTool: rateLimit.period must be a number of milliseconds above 0",
    ],
  ])("%j", (limits, message) => {
    expect(definition(limits)).toThrow(message);
  });

  it("if a decorator gets a function in place of its options", () => {
    expect(() => concurrency(3, userOf as never)).toThrow(
      "@concurrency(3, ...): the options are an object, got function. Write @concurrency(3, { key: ({ account }) => account }).",
    );
  });
});

describe("calls over a limit", () => {
  it("are no failed attempts of the tool", async () => {
    const Limited = perUser({ concurrency: { calls: 1, whenExceeded: "reject" } });
    const call = caller(Limited, {}, createRunScope());
    const results = await Promise.all(names(6).map((name) => call({ name })));
    expect(results.filter(({ errorType }) => errorType === "limit_exceeded")).toHaveLength(5);
    expect((await call({ name: "again" })).data).toBe("again");
  });
});
