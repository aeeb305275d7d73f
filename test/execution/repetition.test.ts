import { AttemptLedger, createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createTool, required, Tool, tool as toolDecorator } from "../../src/tool/index.js";
import type { ToolPolicy } from "../../src/tool/definition/policy.js";
import { caller } from "./support.js";

const never = () => new Promise<never>(() => {});

/** A tool that hangs for 1 and 2, throws for 3, and counts how often its body ran. */
function worker(policy: Partial<ToolPolicy>) {
  const runs: unknown[] = [];
  const tool = createTool({
    name: "worker",
    description: "Works.",
    inputSchema: { type: "object", properties: { n: { type: "integer" }, note: { type: "string", default: "" } } },
    timeout: 5,
    ...policy,
    execute: (input: any) => {
      runs.push(input.n);
      if (input.n <= 2) return never();
      if (input.n === 3) throw new Error("no connection");
      return "done";
    },
  });
  return { tool, runs };
}

const told = "Tool execution timed out after 5 ms. It was cancelled, but may have finished its work.";
const refused = "Find out by a tool that reads whether it did: the same arguments are refused for the rest of this run.";
const harmless = "Calling it again with the same arguments does no harm.";
const careful = "Find out whether it did before you call it again with the same arguments.";

describe("a tool that timed out", () => {
  it.each<[string, Partial<ToolPolicy>, string]>([
    ["a write", { category: "write" }, refused],
    ["a delete", { category: "delete" }, refused],
    ["a side effect", { category: "side_effect" }, refused],
    ["a write that is retryable, which says nothing of calls that may have worked", { category: "write", retryable: true }, refused],
    ["what has its effect each time", { effect: "once" }, refused],
    ["what has its effect each time, and is retryable", { effect: "once", retryable: true }, refused],
    ["a side effect that is retryable", { category: "side_effect", retryable: true }, careful],
    ["a read that has an effect each time", { category: "read", effect: "once" }, refused],
    ["what isn't retryable", { retryable: false }, refused],
    ["a read", { category: "read" }, harmless],
    ["an idempotent write", { category: "write", effect: "idempotent" }, harmless],
    ["a delete without effect", { category: "delete", effect: "none" }, harmless],
    ["a tool of which nothing is said", {}, careful],
  ])("advises the model about %s, and the executor keeps to the advice", async (_what, policy, advice) => {
    const { tool, runs } = worker(policy);
    const call = caller(tool);
    expect(await call({ n: 1 })).toMatchObject({ errorType: "timeout_error", error: `${told} ${advice}` });
    const again = await call({ note: "", n: 1 });
    expect(again.errorType).toBe(advice === refused ? "retries_exhausted" : "timeout_error");
    expect(runs).toHaveLength(advice === refused ? 1 : 2);
    expect((await call({ n: 9 })).data).toBe("done");
  });

  it("refuses no other arguments, and says what to do instead", async () => {
    const call = caller(worker({ category: "write" }).tool);
    await call({ n: 1 });
    expect((await call({ n: 1 })).error).toBe(
      "Tool 'worker' was already called with exactly these arguments, and may have taken effect. This call isn't repeated in this run. " +
        "Check with a read-only tool whether it took effect, use other arguments, or tell the user.",
    );
    expect((await call({ n: 2 })).errorType).toBe("timeout_error");
  });
});

describe("an exclusive tool that timed out", () => {
  it("refuses the same arguments also to a call that waited for its turn meanwhile", async () => {
    const { tool, runs } = worker({ category: "write", exclusive: true });
    const call = caller(tool);
    const results = await Promise.all([call({ n: 1 }), call({ n: 1 }), call({ n: 9 })]);
    expect(results.map(({ errorType }) => errorType)).toEqual(["timeout_error", "retries_exhausted", undefined]);
    expect(runs).toEqual([1, 9]);
  });
});

describe("a tool that was cancelled midway", () => {
  const cancelled = async (policy: Partial<ToolPolicy>) => {
    const { tool, runs } = worker({ ...policy, timeout: 10_000 });
    const ledger = new AttemptLedger();
    const controller = new AbortController();
    const pending = caller(tool, {}, { ledger, abortSignal: controller.signal })({ n: 1 });
    controller.abort();
    return { tool, runs, result: await pending, stored: JSON.stringify(ledger) };
  };

  it("is not run again with these arguments when the run goes on, also in another process", async () => {
    const { tool, runs, result, stored } = await cancelled({ category: "write" });
    expect(result.error).toBe(`Request was cancelled. The tool had started, and may have finished its work. ${refused}`);
    const later = caller(tool, {}, { ledger: AttemptLedger.fromJSON(JSON.parse(stored)) });
    expect((await later({ n: 1 })).errorType).toBe("retries_exhausted");
    expect(runs).toEqual([1]);
    expect((await later({ n: 9 })).data).toBe("done");
  });

  it("may be run again if that does no harm; being cancelled is none of its three attempts", async () => {
    const { result, stored } = await cancelled({ category: "read" });
    expect(result.error).toContain(harmless);
    expect(stored).toBe("{}");
  });
});

describe("a tool that failed by its own word", () => {
  it.each<[string, Partial<ToolPolicy>, boolean]>([
    ["a write", { category: "write" }, false],
    ["a write that says it is retryable", { category: "write", retryable: true }, true],
    ["an idempotent write", { category: "write", effect: "idempotent" }, true],
    ["an idempotent write that says it isn't retryable", { category: "write", effect: "idempotent", retryable: false }, false],
    ["what has its effect each time", { effect: "once" }, false],
    ["a read", { category: "read" }, true],
    ["a tool of which nothing is said", {}, true],
  ])("may be called again with the same arguments or not: %s", async (_what, policy, repeats) => {
    const { tool, runs } = worker(policy);
    const call = caller(tool);
    await call({ n: 3 });
    expect((await call({ n: 3 })).errorType).toBe(repeats ? "execution_error" : "retries_exhausted");
    expect(runs).toHaveLength(repeats ? 2 : 1);
  });
});

describe("a subclass", () => {
  @toolDecorator({ description: "Saves.", category: "write", effect: "idempotent" })
  class SaveTool extends Tool {
    @required(String)
    text!: string;

    call(): unknown {
      return this.text;
    }
  }

  it("keeps what its base says of repeating, also if it names another category", () => {
    @toolDecorator({ description: "Removes.", category: "delete" })
    class RemoveTool extends SaveTool {}
    @toolDecorator({ description: "Sends.", effect: "once" })
    class SendTool extends SaveTool {}
    expect([SaveTool, RemoveTool, SendTool].map(({ definition }) => definition.retryable)).toEqual([true, true, false]);
  });
});

describe("a tool that never began", () => {
  it("is said not to have been run, if the checks of its arguments take longer than its timeout", async () => {
    const gated = createTool({
      name: "gated",
      description: "Asks.",
      inputSchema: { type: "object" },
      category: "write",
      timeout: 5,
      requiresConfirmation: never,
      execute: () => "done",
    });
    expect(await caller(gated)()).toMatchObject({
      errorType: "timeout_error",
      error: "The checks of the tool's arguments did not end within its timeout of 5 ms, and it was not run.",
    });
  });

  it("is said not to have been run, and refuses nothing, if it can't be made in time or is cancelled meanwhile", async () => {
    @toolDecorator({ description: "Needs a service.", category: "write", timeout: 5 })
    class ServedTool extends Tool {
      constructor(readonly service: unknown) {
        super();
      }

      call() {}
    }
    const ledger = new AttemptLedger();
    const container = { get: never };
    expect(await caller(ServedTool, { container }, { ledger })()).toMatchObject({
      errorType: "timeout_error",
      error: "The tool could not be made within its timeout of 5 ms, and was not run.",
    });
    const controller = new AbortController();
    const executor = new ToolExecutor({ tools: [ServedTool], container });
    const pending = executor.call(
      { id: "1", name: "served_tool", arguments: {} },
      createRunScope({ ledger, abortSignal: controller.signal }),
    );
    controller.abort();
    expect(await pending).toMatchObject({ errorType: "cancelled", error: "Request was cancelled" });
    expect(JSON.stringify(ledger)).toBe("{}");
  });
});
