import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { dependsOn, description, exclusive, required, Tool, type ToolContext, timeout } from "../../src/tool/index.js";
import { caller, sleep } from "./support.js";

let running = 0;
let most = 0;
const order: string[] = [];

beforeEach(() => {
  running = 0;
  most = 0;
  order.length = 0;
});

async function work(name: string, milliseconds = 5) {
  running += 1;
  most = Math.max(most, running);
  order.push(name);
  await sleep(milliseconds);
  running -= 1;
  return name;
}

@description("Writes one file.")
@exclusive()
@timeout(60)
class WriteTool extends Tool {
  @required(String)
  name!: string;

  call() {
    return work(this.name, this.name === "hang" ? 1_000 : 30);
  }
}

@description("Edits an account.")
@exclusive((input: { account?: unknown }) => `account ${String(input.account)}`)
class AccountTool extends Tool {
  @required(String)
  account!: string;

  call() {
    return work(this.account);
  }
}

describe("calls of an exclusive tool", () => {
  it("run one after another in the order they came, in whatever executor, and waiting costs none of their time", async () => {
    const [one, other] = [caller(WriteTool), caller(WriteTool)];
    const results = await Promise.all([one({ name: "a" }), other({ name: "b" }), one({ name: "c" }), other({ name: "d" })]);
    expect(results.map(({ data }) => data)).toEqual(["a", "b", "c", "d"]);
    expect(order).toEqual(["a", "b", "c", "d"]);
    expect(most).toBe(1);
  });

  it("run side by side if their keys differ", async () => {
    const call = caller(AccountTool);
    await Promise.all([call({ account: "1" }), call({ account: "2" }), call({ account: "1" })]);
    expect(most).toBe(2);
    expect(order).toEqual(["1", "2", "1"]);
  });

  it("make way after one that threw or overran its deadline", async () => {
    const call = caller(WriteTool);
    const [hung, next] = await Promise.all([call({ name: "hang" }), call({ name: "next" })]);
    expect([hung.errorType, next.data]).toEqual(["timeout_error", "next"]);
  });

  it("leave the queue when their run is cancelled, and those behind them come up", async () => {
    const controller = new AbortController();
    const cancelled = caller(WriteTool, {}, { abortSignal: controller.signal });
    const call = caller(WriteTool);
    const pending = [call({ name: "first" }), cancelled({ name: "second" }), call({ name: "third" })];
    await sleep(1);
    controller.abort();
    expect((await Promise.all(pending)).map(({ data, error }) => data ?? error)).toEqual(["first", "Request was cancelled", "third"]);
    expect(order).toEqual(["first", "third"]);
  });

  it("fail if the function that gives their key throws", async () => {
    @description("Broken.")
    @exclusive(() => {
      throw new Error("no key");
    })
    class BrokenTool extends Tool {
      call() {}
    }
    expect(await caller(BrokenTool)()).toMatchObject({ error: "no key", errorType: "unhandled_error" });
  });
});

describe("the key of an exclusive tool", () => {
  it("gets the context: calls of one user wait for each other, those of another don't", async () => {
    const order: string[] = [];
    @description("Books.")
    @exclusive((_input, context) => `user:${context.userId}`)
    class BookTool extends Tool {
      async call({ userId }: ToolContext) {
        order.push(`begin ${userId}`);
        await sleep(5);
        order.push(`end ${userId}`);
      }
    }
    const executor = new ToolExecutor({ tools: [BookTool] });
    const book = (userId: string) => executor.run(BookTool, {}, { toolContext: { userId } });
    await Promise.all([book("ada"), book("ada"), book("bob")]);
    expect(order.slice(0, 2)).toEqual(["begin ada", "begin bob"]);
    expect(order.filter((line) => line.endsWith("ada"))).toEqual(["begin ada", "end ada", "begin ada", "end ada"]);
  });
});

describe("an exclusive tool that calls another of its key", () => {
  it("fails with an error about the key, instead of waiting for itself", async () => {
    @description("Inner.")
    @exclusive("ledger")
    class InnerTool extends Tool {
      call() {
        return "inner";
      }
    }
    @description("Outer.")
    @exclusive("ledger")
    @dependsOn("inner_tool")
    class OuterTool extends Tool {
      call(context: ToolContext) {
        return context.call(InnerTool, {});
      }
    }
    const result = await new ToolExecutor({ tools: [OuterTool] }).call({ id: "1", name: "outer_tool", arguments: {} }, createRunScope());
    expect(result.error).toMatch(/'inner_tool' is exclusive by the key 'ledger', which 'outer_tool' holds/);
  });
});
