import { Agent, model, usesTools } from "../../src/agent/index.js";
import { deny } from "../../src/confirmation/index.js";
import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { ModelError, ScriptedModel } from "../../src/models/index.js";
import { keepEntries, type LogHandler, toolLog } from "../../src/observability/index.js";
import {
  createTool,
  description,
  failure,
  identifier,
  required,
  requiresConfirmation,
  Tool,
  timeout,
  type ToolContext,
} from "../../src/tool/index.js";

@identifier("read_file")
@description("Reads a file. Use when its text is asked for.")
class ReadFileTool extends Tool {
  @required(String, "Where it is")
  path!: string;

  call() {
    if (this.path.endsWith(".secret")) throw new Error("The disk at https://ann:hunter2@disk.test/ is locked");
    return this.path.endsWith(".txt") ? `text of ${this.path}` : failure(`${this.path} is no text`);
  }
}

@identifier("slow")
@description("Takes long. Use when told to.")
@timeout(20)
class SlowTool extends Tool {
  call({ abortSignal }: ToolContext) {
    return new Promise((resolve) => abortSignal.addEventListener("abort", () => setTimeout(resolve, 1), { once: true }));
  }
}

@identifier("delete_file")
@description("Deletes a file. Use when told to.")
@requiresConfirmation()
class DeleteFileTool extends Tool {
  call() {
    return "gone";
  }
}

const tools = [ReadFileTool, SlowTool, DeleteFileTool];
const read = (path: unknown) => ({ toolCalls: [{ name: "read_file", arguments: { path } as Record<string, string> }] });

function logged(script: ConstructorParameters<typeof ScriptedModel>[0]) {
  @identifier("helper")
  @model(new ScriptedModel(script, { id: "scripted/helper" }), { retries: 0 })
  @usesTools(tools)
  class Helper extends Agent {}

  const kept = keepEntries();
  const run = async () => new Helper().generate("Go", { listeners: [toolLog({ handlers: [kept] })], tags: { tenant: "acme" } });
  const ofTools = () => kept.entries().filter(({ toolName }) => toolName !== undefined);
  return { kept, run, ofTools, Helper };
}

describe("toolLog", () => {
  it("seed 000, FR-025: logs each attempt at a tool call with time, agent, tool, input, output and duration", async () => {
    const { run, ofTools } = logged([read("a.txt"), "Done."]);
    await run();
    expect(ofTools()).toEqual([
      {
        level: "INFO",
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        agentId: "helper",
        toolName: "read_file",
        message: expect.stringMatching(/^Execution completed in \d+ms$/),
        metadata: {
          runId: expect.any(String),
          callId: expect.any(String),
          tags: { tenant: "acme" },
          category: "side_effect",
          attempt: 1,
          startedAt: expect.any(String),
          input: { path: "a.txt" },
          output: "text of a.txt",
          duration_ms: expect.any(Number),
        },
      },
    ]);
  });

  it("seed 000, FR-037a: logs what the model changed to try again", async () => {
    const { run, ofTools } = logged([read("a.png"), read("a.txt"), "Done."]);
    await run();
    expect(ofTools().map(({ level, metadata: { attempt, errorType, changes } }) => ({ level, attempt, errorType, changes }))).toEqual([
      { level: "ERROR", attempt: 1, errorType: "execution_error", changes: undefined },
      { level: "INFO", attempt: 2, errorType: undefined, changes: [{ path: "path", from: "a.png", to: "a.txt" }] },
    ]);
  });

  it("seed 000, FR-030: logs the error with its stack, without the secrets in either", async () => {
    const { run, ofTools } = logged([read("a.secret"), "Done."]);
    await run();
    const [entry] = ofTools();
    expect(entry?.message).toMatch(/^Execution failed \(execution_error\) after \d+ms: .*https:\/\/\[redacted\]@disk.test/);
    expect(entry?.metadata.stack).toMatch(/^Error: The disk at.*\n +at /);
    expect(JSON.stringify(entry)).not.toContain("hunter2");
  });

  it("seed 000, FR-026: logs what the model decided and why", async () => {
    const { kept, run } = logged([{ reasoning: "It wants a text, with token=abcdefgh12345678", ...read("a.txt") }, "Done."]);
    await run();
    const [decision] = kept.entries().filter(({ message }) => message.startsWith("Model scripted/helper answered in "));
    expect(decision?.metadata).toMatchObject({
      step: 1,
      finishReason: "tool_calls",
      reasoning: expect.stringContaining("It wants a text"),
      toolCalls: [{ name: "read_file", arguments: { path: "a.txt" } }],
    });
  });

  it("logs the start and the end of a run", async () => {
    const { kept, run } = logged(["Done."]);
    await run();
    expect(kept.entries().map(({ level, message }) => `${level} ${message.replace(/\d+ms/, "0ms")}`)).toEqual([
      "INFO Run started",
      "INFO Model scripted/helper answered in 0ms",
      "INFO Run ended after 1 step: success",
    ]);
  });

  it("logs a failed model and a failed run as errors", async () => {
    const error = new ModelError("scripted/helper", "key sk-abcdefghijklmnop1234 is refused", { retryable: false, status: 401 });
    const { kept, run } = logged([{ error }]);
    await run();
    expect(kept.entries({ hasError: true }).map(({ level, metadata: { errorType } }) => [level, errorType])).toEqual([
      ["ERROR", "401"],
      ["ERROR", "model_error"],
    ]);
    expect(kept.toJsonLines()).not.toContain("sk-abcdefghijklmnop1234");
  });

  it("logs a call that was refused as a warning: it is the model's mistake", async () => {
    const { run, ofTools } = logged([read(5), { toolCalls: [{ name: "no_tool" }] }, "Done."]);
    await run();
    expect(ofTools().map(({ level, metadata: { errorType } }) => [level, errorType])).toEqual([
      ["WARN", "validation_error"],
      ["WARN", "unknown_tool"],
    ]);
  });

  it("logs a tool that overran its timeout, and the result that came too late", async () => {
    const { run, ofTools } = logged([{ toolCalls: [{ name: "slow" }] }, "Done."]);
    await run();
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(ofTools().map(({ level, message }) => [level, message.replace(/\d+ms.*/, "...")])).toEqual([
      ["ERROR", "Execution failed (timeout_error) after ..."],
      ["WARN", "The tool returned after its call had ended; what it gave was dropped"],
    ]);
  });

  it("logs a run that waits for a person, and its going on, by the same run id", async () => {
    const { kept, run, Helper } = logged([{ toolCalls: [{ name: "delete_file" }] }, "Done."]);
    const { state } = await run();
    if (state === undefined) throw new Error("The run didn't pause.");
    await new Helper().resume(state, { decisions: [deny("call_1", "No.")], listeners: [toolLog({ handlers: [kept] })] });
    const runs = kept.entries().filter(({ message }) => message.startsWith("Run "));
    expect(runs.map(({ message }) => message.replace(/\. .*/, ""))).toEqual([
      "Run started",
      "Run ended after 1 step: awaiting_confirmation",
      "Run resumed",
      "Run ended after 2 steps: success",
    ]);
    expect(new Set(runs.map(({ metadata }) => metadata.runId))).toEqual(new Set([state.runId]));
    expect(runs.every(({ level }) => level === "INFO")).toBe(true);
  });

  it("logs what a tool logs, at the tool's level", async () => {
    const kept = keepEntries();
    const chatty = createTool({
      name: "chatty",
      description: "Logs.",
      inputSchema: { type: "object" },
      execute: (_input: unknown, context: any) => context.log.warn("disk is nearly full", { free: 5, password: "hunter2" }),
    });
    const executor = new ToolExecutor({ tools: [chatty], listeners: [toolLog({ handlers: [kept] })] });
    await executor.call({ id: "1", name: "chatty", arguments: {} }, createRunScope({ runId: "run" }));
    expect(kept.entries()[0]).toEqual({
      level: "WARN",
      timestamp: expect.any(String),
      toolName: "chatty",
      message: "disk is nearly full",
      metadata: { runId: "run", callId: "1", details: { free: 5, password: "[redacted]" } },
    });
  });

  it("goes on where a handler throws, and warns without the secrets of what it says", async () => {
    const warn = jest.spyOn(process, "emitWarning").mockImplementation();
    const broken: LogHandler = {
      logEntry: () => {
        throw new Error("no route to https://ann:hunter2@log.test/");
      },
      flushLog: () => undefined,
    };
    const kept = keepEntries();
    const executor = new ToolExecutor({ tools, listeners: [toolLog({ handlers: [broken, kept] })] });
    const result = await executor.call({ id: "1", name: "read_file", arguments: { path: "a.txt" } }, createRunScope());
    expect(result.data).toBe("text of a.txt");
    expect(kept.entries()).toHaveLength(1);
    expect(warn.mock.calls).toEqual([
      [
        expect.stringMatching(
          /^A log handler failed, and has lost the entry "Execution completed in \d+ms": no route to https:\/\/\[redacted\]@log\.test\/$/,
        ),
        "LogHandlerWarning",
      ],
    ]);
    warn.mockRestore();
  });

  it("refuses what is no list of handlers", () => {
    for (const options of [{}, { handlers: keepEntries() }, { handlers: [null] }, { handlers: [{ logEntry: () => undefined }] }]) {
      expect(() => toolLog(options as never)).toThrow("toolLog takes a list of handlers, each with logEntry and flushLog");
    }
  });

  it("refuses a misspelt option, and names the right one", () => {
    expect(() => toolLog({ handler: [] } as never)).toThrow('toolLog: unknown option "handler". Did you mean "handlers"?');
  });

  it("flushes every handler, and says what one of them couldn't write", async () => {
    const flushed: string[] = [];
    const handler = (flushLog: LogHandler["flushLog"]): LogHandler => ({
      logEntry: () => undefined,
      flushLog,
    });
    const log = toolLog({
      handlers: [handler(() => Promise.reject(new Error("disk full"))), handler(() => void flushed.push("fine"))],
    });
    await expect(log.flush()).rejects.toThrow("disk full");
    expect(flushed).toEqual(["fine"]);
  });
});
