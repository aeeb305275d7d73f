import { ToolExecutor } from "../../src/execution/index.js";
import { ModelError } from "../../src/models/index.js";
import { createTool, type ToolContext, ToolExecutionError } from "../../src/tool/index.js";
import { caller, recordingListener, rejection } from "../execution/support.js";

const refused = new ModelError("openai/gpt-5-mini", "openai/gpt-5-mini: HTTP 401: the key of org-ACME", { retryable: false, status: 401 });

const tool = (execute: (context: ToolContext) => unknown) =>
  createTool({
    name: "ask",
    description: "Asks. Use for tests.",
    inputSchema: { type: "object" },
    execute: (_, context) => execute(context),
  });

const failing = tool(() => Promise.reject(refused));

let warnings: jest.SpyInstance;
beforeEach(() => {
  warnings = jest.spyOn(process, "emitWarning").mockImplementation(() => undefined);
});
afterEach(() => jest.restoreAllMocks());

describe("of a tool whose code throws a model's error", () => {
  it("the result doesn't have the provider's words, which name accounts and hosts", async () => {
    expect(await caller(failing)()).toMatchObject({ errorType: "execution_error", error: "The model failed on the server." });
  });

  it("code that calls the tool finds them in the cause", async () => {
    const error = await rejection(new ToolExecutor({ tools: [failing] }).run(failing, {}));
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error.message).toBe("Error during execution of tool 'ask': The model failed on the server.");
    expect(error.cause).toBe(refused);
  });

  it("listeners find them in the stack, and the application in a process warning", async () => {
    const heard = recordingListener();
    await caller(failing, { listeners: [heard.listener] })();
    expect(heard.of("toolFinished")).toMatchObject([
      { result: { error: "The model failed on the server." }, stack: expect.stringContaining("org-ACME") },
    ]);
    expect(warnings.mock.calls).toEqual([[expect.stringMatching(/^The tool "ask" failed: ModelError: .*org-ACME/), "ToolwrightWarning"]]);
  });

  it("the tool's own log has them", async () => {
    const heard = recordingListener();
    // Plain JavaScript may log an error.
    await caller(
      tool(({ log }) => log.error(refused as unknown as string)),
      { listeners: [heard.listener] },
    )();
    expect(heard.of("log")).toMatchObject([{ message: expect.stringContaining("org-ACME") }]);
  });

  it("a rule or middleware that throws such an error doesn't reveal them either", async () => {
    const ruled = createTool({
      name: "ask",
      description: "Asks. Use for tests.",
      inputSchema: { type: "object" },
      requiresConfirmation: () => {
        throw refused;
      },
      execute: () => "",
    });
    expect(await caller(ruled)()).toMatchObject({ errorType: "unhandled_error", error: "The model failed on the server." });
    const executor = new ToolExecutor({ tools: [tool(() => "")] }).use(() => Promise.reject(refused));
    expect((await rejection(executor.run("ask", {}))).message).not.toContain("org-ACME");
  });
});
