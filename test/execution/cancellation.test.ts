import { modelText } from "../../src/execution/index.js";
import { createTool, description, required, Tool, type ToolContext } from "../../src/tool/index.js";
import { caller, recordingListener, sleep } from "./support.js";

const toolOf = (execute: (input: any, context: ToolContext) => unknown, timeout = 10_000) =>
  createTool({ name: "worker", description: "Works.", inputSchema: { type: "object" }, timeout, execute });

describe("a run that is cancelled", () => {
  it('seed 003, "AbortSignal Contract": before a call answers without making the tool', async () => {
    let made = 0;
    @description("Counts itself.")
    class CountedTool extends Tool {
      @required(String)
      name!: string;

      constructor() {
        super();
        made += 1;
      }

      call() {}
    }
    const result = await caller(CountedTool, {}, { abortSignal: AbortSignal.abort() })({});
    expect(result).toStrictEqual({
      tool: "counted_tool",
      fetchedAt: expect.any(String),
      error: "Request was cancelled",
      errorType: "cancelled",
    });
    expect(modelText(result)).toBe("Request was cancelled");
    expect(made).toBe(0);
  });

  it("case 41: during a call releases it at once, and the tool sees the caller's reason", async () => {
    const controller = new AbortController();
    let seen: unknown;
    const pending = caller(
      toolOf((_input, { abortSignal }) => new Promise(() => abortSignal.addEventListener("abort", () => (seen = abortSignal.reason)))),
      {},
      { abortSignal: controller.signal },
    )();
    controller.abort("user closed the window");
    expect((await pending).errorType).toBe("cancelled");
    expect(seen).toBe("user closed the window");
  });

  it("case 43: during a call doesn't claim that nothing happened", async () => {
    const controller = new AbortController();
    const pending = caller(
      toolOf(() => new Promise(() => {})),
      {},
      { abortSignal: controller.signal },
    )();
    controller.abort();
    expect((await pending).error).toMatch(/^Request was cancelled\. .*may have finished/);
  });

  it("by the tool itself, before it waits, releases it too", async () => {
    const controller = new AbortController();
    const tool = toolOf(() => {
      controller.abort();
      return new Promise(() => {});
    });
    expect((await caller(tool, {}, { abortSignal: controller.signal })()).errorType).toBe("cancelled");
  });

  it("makes no unhandled rejection of what the tool throws later", async () => {
    const controller = new AbortController();
    const { listener, of } = recordingListener();
    const tool = toolOf(() => sleep(10).then(() => Promise.reject(new Error("late"))));
    const pending = caller(tool, { listeners: [listener] }, { abortSignal: controller.signal })();
    controller.abort();
    expect((await pending).errorType).toBe("cancelled");
    await sleep(30);
    expect(of("lateResult")).toEqual([expect.objectContaining({ outcome: "threw" })]);
  });

  it("adds one listener to its signal for many parallel calls and removes it after them: Node warns from the eleventh on", async () => {
    const controller = new AbortController();
    const added = jest.spyOn(controller.signal, "addEventListener");
    const removed = jest.spyOn(controller.signal, "removeEventListener");
    const call = caller(
      toolOf(() => sleep(5)),
      {},
      { abortSignal: controller.signal },
    );
    await Promise.all(Array.from({ length: 50 }, () => call()));
    expect(added).toHaveBeenCalledTimes(1);
    expect(removed).toHaveBeenCalledTimes(1);
    const pending = Array.from({ length: 50 }, () => call());
    controller.abort();
    expect((await Promise.all(pending)).every(({ errorType }) => errorType === "cancelled")).toBe(true);
  });

  it("after a call changes nothing for it", async () => {
    const controller = new AbortController();
    let signal: AbortSignal | undefined;
    const tool = toolOf(async (_input, context) => {
      signal = context.abortSignal;
      return "done";
    });
    const result = await caller(tool, {}, { abortSignal: controller.signal })();
    controller.abort();
    expect(result.data).toBe("done");
    expect(signal?.aborted).toBe(false);
  });

  it("does not spend the attempts of a tool", async () => {
    const { listener, of } = recordingListener();
    const controller = new AbortController();
    const pending = caller(
      toolOf(() => new Promise(() => {})),
      { listeners: [listener] },
      { abortSignal: controller.signal },
    )();
    controller.abort();
    await pending;
    expect(of("toolFinished")).toEqual([
      expect.objectContaining({ attempt: 1, result: expect.objectContaining({ errorType: "cancelled" }) }),
    ]);
  });
});
