import * as packageEntry from "../../src/index.js";
import { createRunScope, modelText, ToolExecutor, validateToolInput, validateToolOutput } from "../../src/execution/index.js";
import {
  Agent,
  budget,
  createTool,
  failure,
  model,
  Tool,
  ToolAuthorizationError,
  type ToolClass,
  type ToolConfig,
  ToolExecutionError,
  ToolInputValidationError,
  ToolOutputValidationError,
  ToolTimeoutError,
  ToolValidationError,
  usesTools,
} from "../../src/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { brave, CalculatorTool, fileToolbox, standardToolbox, webToolbox } from "../../src/tools/index.js";

/** Seed 000, the tool API contract, as far as tools and their execution go. Microseconds are milliseconds here. */

const weather = {
  name: "get_weather",
  description: "Get current weather for a city",
  inputSchema: { type: "object", properties: { city: { type: "string", description: "City name" } }, required: ["city"] },
  outputSchema: {
    type: "object",
    properties: { temperature: { type: "number" }, conditions: { type: "string" } },
    required: ["temperature"],
  },
  execute: (): unknown => ({ temperature: 21, conditions: "sunny" }),
} as const satisfies ToolConfig;

const run = (tool: ToolClass, input: unknown) => new ToolExecutor({ tools: [tool] }).run(tool.identifier, input);
const thrownBy = async (promise: Promise<unknown>): Promise<Error> => {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
};

/** The agent's model calls the tool once with these arguments, then answers; gives what the model was told. */
async function toldOf(tool: ToolClass, input: Record<string, unknown>): Promise<{ text: string | undefined; results: unknown[] }> {
  const script = new ScriptedModel([{ toolCalls: [{ name: tool.identifier, arguments: input }] }, "Done."]);
  @model(script)
  @usesTools([tool])
  class WeatherAgent extends Agent {}
  const { text } = await WeatherAgent.generate("How is the weather?");
  return { text, results: script.requests.at(-1)?.messages.flatMap((message) => (message.role === "tool" ? [message.content] : [])) ?? [] };
}

describe('seed 000, "createTool"', () => {
  it("Returns: a tool that is ready to be added to an agent", async () => {
    const tool = createTool(weather);
    expect(tool.prototype).toBeInstanceOf(Tool);
    expect(await toldOf(tool, { city: "Paris" })).toEqual({ text: "Done.", results: ['{"temperature":21,"conditions":"sunny"}'] });
  });

  it("makes a tool with an input schema, an output schema and an execution function", async () => {
    const tool = createTool(weather);
    expect(tool.definition).toMatchObject({
      name: "get_weather",
      parametersSchema: weather.inputSchema,
      outputSchema: weather.outputSchema,
    });
    expect(await run(tool, { city: "Paris" })).toEqual({ temperature: 21, conditions: "sunny" });
  });

  it("the timeout is 10 seconds and the tool retryable, unless it says otherwise", () => {
    expect(createTool(weather).definition).toMatchObject({ timeout: 10_000, retryable: true });
    expect(createTool({ ...weather, timeout: 5_000, retryable: false }).definition).toMatchObject({ timeout: 5_000, retryable: false });
  });

  it("execute may return a Result: ok is the output, an error fails the call", async () => {
    expect(await run(createTool({ ...weather, execute: () => ({ ok: true, value: { temperature: 3 } }) }), { city: "Oslo" })).toEqual({
      temperature: 3,
    });
    const failing = createTool({ ...weather, execute: () => ({ ok: false, error: "Missing city" }) });
    expect((await thrownBy(run(failing, { city: "Oslo" }))).message).toMatch(/Missing city$/);
  });
});

describe('seed 000, "executeTool"', () => {
  it("1: validates input against the input schema before anything runs", async () => {
    let runs = 0;
    const tool = createTool({ ...weather, execute: () => ({ temperature: ++runs }) });
    expect(await thrownBy(run(tool, {}))).toBeInstanceOf(ToolInputValidationError);
    expect(runs).toBe(0);
  });

  it("2 and 3: executes under the tool's timeout and reports a ToolTimeoutError", async () => {
    const tool = createTool({ ...weather, timeout: 20, execute: () => new Promise(() => undefined) });
    expect(await thrownBy(run(tool, { city: "Paris" }))).toBeInstanceOf(ToolTimeoutError);
  });

  it("4: returns the error and lets the agent try again up to 3 times in total", async () => {
    const tool = createTool({
      ...weather,
      execute: () => {
        throw new Error("File not found");
      },
    });
    const executor = new ToolExecutor({ tools: [tool] });
    const scope = createRunScope();
    const types = [];
    for (const [index, city] of ["a", "b", "c", "d"].entries()) {
      types.push((await executor.call({ id: `call_${index}`, name: "get_weather", arguments: { city } }, scope)).errorType);
    }
    expect(types).toEqual(["execution_error", "execution_error", "execution_error", "retries_exhausted"]);
  });

  it("5: validates output against the output schema", async () => {
    const tool = createTool({ ...weather, execute: () => ({ temperature: "warm" }) });
    expect(await thrownBy(run(tool, { city: "Paris" }))).toBeInstanceOf(ToolOutputValidationError);
  });

  it("Behavior: a time limit holds for the whole run, too, where the agent sets one", async () => {
    const slow = createTool({ ...weather, outputSchema: {}, execute: () => new Promise((resolve) => setTimeout(resolve, 30)) });
    const calls = Array.from({ length: 20 }, (_, index) => ({ toolCalls: [{ name: "get_weather", arguments: { city: `${index}` } }] }));
    @model(new ScriptedModel([...calls, "Done."]))
    @usesTools([slow])
    @budget({ wallTime: 100 })
    class WeatherAgent extends Agent {}
    expect((await WeatherAgent.generate("How is the weather?")).outcome.reason).toBe("budget_exhausted");
  });

  it("Behavior: a tool that fails doesn't end the run, whatever it throws", async () => {
    for (const thrown of [new Error("Disk full"), "a text", undefined, null, { code: 5 }]) {
      const execute = () => {
        throw thrown;
      };
      const { text, results } = await toldOf(createTool({ ...weather, execute }), { city: "Paris" });
      expect([text, results]).toEqual(["Done.", [expect.stringMatching(/^Error executing tool: ./)]]);
    }
  });

  it("Not Exported: there is no such function, because agents call tools when their model asks for it", () => {
    expect(Object.keys(packageEntry).filter((name) => /^executeTool$/i.test(name))).toEqual([]);
  });
});

describe('seed 000, "Built-in Tools"', () => {
  it("are tools like an application's own, by the names that a model sees", () => {
    const all = standardToolbox(fileToolbox("."), webToolbox({ search: { engine: brave, apiKey: "key-4711-s3cret" } }));
    expect(all.tools.map(({ identifier }) => identifier)).toEqual([
      ...["calculator", "read_file", "write_file", "list_directory", "web_search", "wikipedia", "web_scraper"],
    ]);
    for (const { prototype, definition } of all.tools) {
      expect(prototype).toBeInstanceOf(Tool);
      expect(definition).toMatchObject({ parametersSchema: { type: "object" }, outputSchema: { type: "object" } });
    }
  });

  it("each say what they do and when to use them", () => {
    const { tools } = standardToolbox(fileToolbox("."), webToolbox({ search: { engine: brave, apiKey: "key-4711-s3cret" } }));
    for (const { definition } of tools) expect(definition.description).toMatch(/^[A-Z][a-z]+s .*\. .*\bUse (it )?(when|for)\b/);
  });
});

describe('seed 000, "Performance Characteristics"', () => {
  /** The median over many rounds: a machine that is busy makes some of them slow. */
  async function milliseconds(work: () => unknown): Promise<number> {
    const times: number[] = [];
    for (let round = 0; round < 201; round++) {
      const start = performance.now();
      await work();
      times.push(performance.now() - start);
    }
    return times.sort((one, other) => one - other)[100] ?? Number.POSITIVE_INFINITY;
  }

  it("Tool Creation: takes no longer the more tools there are", async () => {
    const make = () => createTool(weather).definition;
    await milliseconds(make);
    const few = await milliseconds(make);
    for (let index = 0; index < 5_000; index++) make();
    expect(await milliseconds(make)).toBeLessThan(few * 5 + 0.5);
  });

  it("Tool Execution: the calculator takes less than 1 ms", async () => {
    expect(await milliseconds(() => run(CalculatorTool, { expression: "2 + 2 * 3" }))).toBeLessThan(1);
  });

  it("Timeout Overhead: is less than 1 ms", async () => {
    const [limited, unlimited] = [createTool({ ...weather, timeout: 5_000 }), createTool({ ...weather, timeout: 0 })];
    const without = await milliseconds(() => run(unlimited, { city: "Paris" }));
    expect(await milliseconds(() => run(limited, { city: "Paris" }))).toBeLessThan(without + 1);
  });
});

describe('seed 000, "Tool Validation"', () => {
  it("validateToolInput: is right, or says what is wrong", () => {
    const tool = createTool(weather);
    expect(validateToolInput(tool, { city: "Paris" })).toEqual({ ok: true, value: { city: "Paris" } });
    expect(validateToolInput(tool, {})).toEqual({ ok: false, error: expect.stringMatching(/^city is required/) });
  });

  it("validateToolOutput: is right, or says what is wrong", () => {
    const tool = createTool(weather);
    expect(validateToolOutput(tool, { temperature: 21 })).toEqual({ ok: true, value: { temperature: 21 } });
    expect(validateToolOutput(tool, { temperature: "warm" })).toEqual({
      ok: false,
      error: expect.stringMatching(/^temperature must be a number/),
    });
  });
});

describe('seed 000, "Error Types"', () => {
  it("input and output validation errors are ToolValidationErrors with their issues", async () => {
    const error = (await thrownBy(run(createTool(weather), { city: 5 }))) as ToolValidationError;
    expect(error).toBeInstanceOf(ToolValidationError);
    expect(error.issues).toMatchObject([{ path: "city", keyword: "type" }]);
  });

  it("ToolExecutionError carries the tool's message and its cause", async () => {
    const cause = new Error("Database connection failed. Check DB_URL environment variable.");
    const error = await thrownBy(
      run(
        createTool({
          ...weather,
          execute: () => {
            throw cause;
          },
        }),
        { city: "Paris" },
      ),
    );
    expect(error).toBeInstanceOf(ToolExecutionError);
    expect(error.message).toContain("Database connection failed. Check DB_URL environment variable.");
    expect(error.cause).toBe(cause);
  });

  it("ToolAuthorizationError and ToolTimeoutError are ToolExecutionErrors", () => {
    expect(new ToolTimeoutError("t", 5)).toBeInstanceOf(ToolExecutionError);
    expect(new ToolAuthorizationError("t", "no")).toBeInstanceOf(ToolExecutionError);
  });
});

describe('seed 000, "Retry Policy"', () => {
  const failing = () => failure("File not found");
  const types = async (tool: ToolClass, cities: readonly string[]) => {
    const executor = new ToolExecutor({ tools: [tool] });
    const scope = createRunScope();
    const results = [];
    for (const [index, city] of cities.entries()) {
      results.push((await executor.call({ id: `call_${index}`, name: tool.identifier, arguments: { city } }, scope)).errorType);
    }
    return results;
  };

  it("a success resets the count of attempts", async () => {
    const tool = createTool({ ...weather, execute: ({ city }) => (city === "right" ? { temperature: 1 } : failing()) });
    expect(await types(tool, ["a", "b", "right", "c", "d", "e", "f"])).toEqual([
      "execution_error",
      "execution_error",
      undefined,
      "execution_error",
      "execution_error",
      "execution_error",
      "retries_exhausted",
    ]);
  });

  it("a tool that isn't retryable refuses the same arguments again, not others", async () => {
    const tool = createTool({ ...weather, retryable: false, execute: failing });
    expect(await types(tool, ["a", "a", "b"])).toEqual(["execution_error", "retries_exhausted", "execution_error"]);
  });

  it("every attempt is recorded, with its number, input and result", async () => {
    const records: [number, unknown, string | undefined][] = [];
    const tool = createTool({ ...weather, execute: failing });
    const executor = new ToolExecutor({
      tools: [tool],
      listeners: [{ toolFinished: ({ attempt, input, result }) => records.push([attempt, input, result.errorType]) }],
    });
    const scope = createRunScope();
    for (const city of ["a", "b"]) await executor.call({ id: city, name: "get_weather", arguments: { city } }, scope);
    expect(records).toEqual([
      [1, { city: "a" }, "execution_error"],
      [2, { city: "b" }, "execution_error"],
    ]);
  });

  const files = new Map([["/tmp/data.json", "{}"]]);
  const readFile = createTool({
    name: "read_file",
    description: "Reads file content as text.",
    inputSchema: { type: "object", properties: { path: { type: "string", description: "File path to read" } }, required: ["path"] },
    execute: ({ path }) => files.get(String(path)) ?? failure(`File not found: ${String(path)}`),
  });
  const read = (path: string) => ({ toolCalls: [{ name: "read_file", arguments: { path } }] });
  const results = (script: ScriptedModel) =>
    script.requests.at(-1)?.messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));

  it("Example Retry Flow: the agent gets the error, changes the path and succeeds", async () => {
    const script = new ScriptedModel([read("/tmp/data.txt"), read("/tmp/data.json"), "It is empty."]);
    @model(script)
    @usesTools([readFile])
    class Reader extends Agent {}
    expect((await Reader.generate("What is in the data file?")).outcome.reason).toBe("success");
    expect(results(script)).toEqual(["Error executing tool: File not found: /tmp/data.txt", "{}"]);
  });

  it("Default Behavior: the agent gets the error message after each failure, and learns that three were enough", async () => {
    const script = new ScriptedModel([read("a"), read("b"), read("c"), read("d"), "I can't find it."]);
    @model(script)
    @usesTools([readFile])
    class Reader extends Agent {}
    await Reader.generate("What is in the data file?");
    expect(results(script)).toEqual([
      "Error executing tool: File not found: a",
      "Error executing tool: File not found: b",
      "Error executing tool: File not found: c",
      expect.stringContaining("failed 3 times in this run"),
    ]);
  });

  it("Default Behavior: attempts are logged with what changed from one to the next", async () => {
    const changes: unknown[] = [];
    const tool = createTool({ ...weather, execute: ({ city }) => (city === "Pariss" ? failure("No such city") : { temperature: 21 }) });
    const executor = new ToolExecutor({ tools: [tool], listeners: [{ toolFinished: (record) => changes.push(record.changes) }] });
    const scope = createRunScope();
    for (const city of ["Pariss", "Paris"]) await executor.call({ id: city, name: "get_weather", arguments: { city } }, scope);
    expect(changes).toEqual([undefined, [{ path: "city", from: "Pariss", to: "Paris" }]]);
  });
});

describe('seed 000, "Custom Tool Best Practices"', () => {
  it("1. Clear Descriptions: the model reads them word for word, those of the parameters too", async () => {
    const script = new ScriptedModel(["Done."]);
    @model(script)
    @usesTools([createTool(weather)])
    class WeatherAgent extends Agent {}
    await WeatherAgent.generate("How is the weather?");
    expect(script.requests[0]?.tools).toMatchObject([
      { description: "Get current weather for a city", parameters: { properties: { city: { description: "City name" } } } },
    ]);
  });

  it("4. Timeouts: each tool has its own, and its abortSignal aborts when it is over", async () => {
    let told: unknown;
    const tool = createTool({
      ...weather,
      timeout: 20,
      execute: (_, { abortSignal }) =>
        new Promise((resolve) => abortSignal.addEventListener("abort", () => resolve((told = abortSignal.reason)))),
    });
    await expect(run(tool, { city: "Paris" })).rejects.toBeInstanceOf(ToolTimeoutError);
    expect(told).toBeDefined();
  });

  it("2. Strict Schemas: fields that aren't defined are refused, where the schema is closed", () => {
    const tool = createTool({ ...weather, inputSchema: { ...weather.inputSchema, additionalProperties: false } });
    expect(validateToolInput(tool, { city: "Paris", country: "France" })).toEqual({ ok: false, error: expect.stringMatching(/country/) });
  });

  it("3. Error Messages: what a tool says reaches the model word for word", async () => {
    const message = "Database connection failed. Check DB_URL environment variable.";
    const tool = createTool({ ...weather, execute: () => ({ ok: false, error: message }) });
    const result = await new ToolExecutor({ tools: [tool] }).call(
      { id: "1", name: "get_weather", arguments: { city: "Paris" } },
      createRunScope(),
    );
    expect(modelText(result)).toBe(`Error executing tool: ${message}`);
  });

  it("5. Idempotency: a tool that declares it may be repeated with the same arguments, also after a timeout", async () => {
    const tool = createTool({
      ...weather,
      category: "write",
      effect: "idempotent",
      timeout: 5,
      execute: () => new Promise(() => undefined),
    });
    const executor = new ToolExecutor({ tools: [tool] });
    const scope = createRunScope();
    const types = [];
    for (const id of ["1", "2"])
      types.push((await executor.call({ id, name: "get_weather", arguments: { city: "Paris" } }, scope)).errorType);
    expect(types).toEqual(["timeout_error", "timeout_error"]);
  });
});

describe('seed 000, "Thread Safety"', () => {
  it("a tool class is immutable, and parallel calls don't mix", async () => {
    const tool = createTool({ ...weather, outputSchema: {}, execute: async ({ city }) => city });
    expect(Object.isFrozen(tool.definition)).toBe(true);
    expect(await Promise.all(["a", "b", "c"].map((city) => run(tool, { city })))).toEqual(["a", "b", "c"]);
  });

  it("a tool that modifies a shared resource can be made exclusive", async () => {
    let running = 0;
    const tool = createTool({
      ...weather,
      outputSchema: {},
      exclusive: true,
      execute: async () => {
        running += 1;
        await new Promise((resolve) => setTimeout(resolve, 2));
        const seen = running;
        running -= 1;
        return seen;
      },
    });
    expect(await Promise.all(["a", "b", "c"].map((city) => run(tool, { city })))).toEqual([1, 1, 1]);
  });
});
