import {
  Agent,
  category,
  description,
  failure,
  model,
  required,
  requiresConfirmation,
  Tool,
  type ToolContext,
  type ToolListener,
  usesTools,
} from "../../../src/index.js";
import { ScriptedModel } from "../../../src/models/index.js";
import { type McpServing, type McpToolbox, serveMcp } from "../../../src/mcp/index.js";
import { invokeTool } from "../../../src/testing/index.js";
import { atEnd, endAll, open, tool, warnings } from "./support.js";

@description("Adds two numbers.")
@category("read")
class AddTool extends Tool {
  @required(Number) a!: number;
  @required(Number) b!: number;

  call({ progress }: ToolContext) {
    progress(0.5, "half");
    return { sum: this.a + this.b };
  }
}

@description("Waits until it is told to stop.")
class WaitTool extends Tool {
  static stopped = false;

  call({ abortSignal }: ToolContext) {
    return new Promise((_, reject) => {
      abortSignal.addEventListener("abort", () => {
        WaitTool.stopped = true;
        reject(new Error("stopped"));
      });
    });
  }
}

@description("Fails.")
class FailTool extends Tool {
  call() {
    return failure("The disk is full.");
  }
}

@description("Deletes all.")
@requiresConfirmation()
class DeleteTool extends Tool {
  call() {
    return "deleted";
  }
}

@description("Comes later.")
class LateTool extends Tool {
  call() {
    return "late";
  }
}

describe("mcpToolbox with serveMcp, in the revision 2026-07-28", () => {
  let serving: McpServing;
  let box: McpToolbox;
  let served = [AddTool, WaitTool, FailTool, DeleteTool] as (typeof Tool)[];
  beforeAll(async () => {
    serving = await serveMcp({ name: "sums", version: "1.0.0", tools: () => served as never, transport: { port: 0 } });
    atEnd(() => serving.close());
    box = await open({ url: serving.url ?? "" }, { prefix: "sums" });
  });
  afterAll(endAll);

  it("calls tools with their progress", async () => {
    const told: unknown[] = [];
    const listeners: ToolListener[] = [{ toolProgress: ({ fraction, message }) => void told.push([fraction, message]) }];
    await expect(invokeTool(tool(box, "add_tool"), { a: 2, b: 3 }, { listeners })).resolves.toEqual({ sum: 5 });
    expect(told).toEqual([[0.5, "half"]]);
  });

  it("reports failures with the tool's own message", async () => {
    await expect(invokeTool(tool(box, "fail_tool"))).rejects.toThrow("The disk is full.");
  });

  it("stops the tool there when the call is cancelled here", async () => {
    const controller = new AbortController();
    const outcome = expect(invokeTool(tool(box, "wait_tool"), {}, { abortSignal: controller.signal })).rejects.toThrow(
      "Request was cancelled",
    );
    setTimeout(() => controller.abort(), 100);
    await outcome;
    while (!WaitTool.stopped) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("can't confirm what the server wants a person to confirm, and says so", async () => {
    await expect(invokeTool(tool(box, "delete_tool"))).rejects.toThrow(/confirm|asks for more input/);
  });

  it("serves an agent", async () => {
    @model(new ScriptedModel([{ toolCalls: [{ name: "sums_add_tool", arguments: { a: 20, b: 22 } }] }, "It is 42."]))
    @usesTools(box)
    class SumAgent extends Agent {}
    const response = await SumAgent.generate("What is 20 and 22?");
    expect(response.steps[0]?.toolCalls).toMatchObject([{ data: { sum: 42 } }]);
  });

  it("lists tools that come later in changed, and offers them once they are accepted", async () => {
    warnings();
    served = [...served, LateTool];
    serving.notifyToolsChanged();
    while (box.changed.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(box.changed).toMatchObject([{ tool: "sums_late_tool", change: "new" }]);
    await box.accept(box.changed);
    await expect(invokeTool(tool(box, "late_tool"))).resolves.toBe("late");
  });
});
