import { createRunScope, modelText, ToolExecutor } from "../../src/execution/index.js";
import { Integer } from "../../src/schema/index.js";
import { createTool, description, failure, identifier, json, optional, required, access, Tool, text } from "../../src/tool/index.js";
import { caller } from "./support.js";

@description("Gets the current weather for a city. Use when the user asks about weather now.")
@identifier("weather")
class WeatherTool extends Tool {
  @required(String, "The city name")
  city!: string;

  @optional(Integer, { default: 3 })
  days!: number;

  async call() {
    if (this.city === "Atlantis") return failure("No station in Atlantis. Ask for a larger city nearby.");
    if (this.city === "Hell") return failure("Too hot.", "out_of_range");
    if (this.city === "Limbo") throw new Error("API rate limit exceeded");
    return `Sunny in ${this.city} for ${this.days} days.`;
  }
}

@description("Deletes all accounts.")
@access({ scopes: ["accounts:delete"], roles: ["admin"] })
class PurgeTool extends Tool {
  call() {
    return "gone";
  }
}

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** A tool whose body is the given function. */
const toolOf = (execute: (input: any) => unknown) =>
  createTool({ name: "probe", description: "A probe.", inputSchema: { type: "object" }, execute });

describe("a call that succeeds", () => {
  const call = caller(WeatherTool);

  it('seed 003, "ToolResult": gives tool, fetchedAt and data, and no error', async () => {
    const result = await call({ city: "Paris", days: 1 });
    expect(result).toStrictEqual({ tool: "weather", fetchedAt: timestamp, data: "Sunny in Paris for 1 days." });
  });

  it("applies defaults, and takes arguments as text or as an object", async () => {
    expect((await call('{"city":"Paris"}')).data).toBe("Sunny in Paris for 3 days.");
    expect((await call({ city: "Paris" })).data).toBe("Sunny in Paris for 3 days.");
  });

  it("mends arguments if no meaning is lost", async () => {
    expect((await call('{"city":"Paris","days":"2"}')).data).toBe("Sunny in Paris for 2 days.");
  });

  it("leaves the caller's object as it was", async () => {
    const input = Object.freeze({ city: "Paris" });
    await call(input);
    expect(input).toEqual({ city: "Paris" });
  });

  it("case 1: runs a tool without parameters for empty argument text", async () => {
    const ping = caller(toolOf((input) => input));
    expect((await ping("")).data).toEqual({});
  });

  it.each(["null", " null\n", "None", "undefined", "[]", '""', '"null"', "'None'", '"{}"', null, undefined, []])(
    "runs a tool without required parameters for %j, which servers send for no arguments",
    async (sent) => {
      const ping = caller(toolOf((input) => input));
      expect((await ping(sent as never)).data).toEqual({});
      expect(await call(sent as never)).toMatchObject({ errorType: "validation_error" });
    },
  );

  it.each(["0", "false", "nothing", "{", "[1]", "nul", 0, [1], "[null]"])("doesn't take %j for no arguments", async (sent) => {
    const ping = caller(toolOf((input) => input));
    expect(await ping(sent as never)).toMatchObject({ errorType: "validation_error" });
  });

  it("gives parallel calls instances of their own", async () => {
    const cities = ["Paris", "Rome", "Oslo"];
    const results = await Promise.all(cities.map((city) => call({ city })));
    expect(results.map(({ data }) => data)).toEqual(cities.map((city) => `Sunny in ${city} for 3 days.`));
  });

  it("answers twice if one id is used twice", async () => {
    const executor = new ToolExecutor({ tools: [WeatherTool] });
    const scope = createRunScope();
    const request = { id: "same", name: "weather", arguments: { city: "Paris" } };
    const [first, second] = await Promise.all([executor.call(request, scope), executor.call(request, scope)]);
    expect([first.data, second.data]).toEqual(["Sunny in Paris for 3 days.", "Sunny in Paris for 3 days."]);
  });
});

describe("what the model reads", () => {
  const read = async (returned: unknown) => modelText(await caller(toolOf(() => returned))());

  it('seed 002, "Return Values": a string as it is', async () => {
    expect(await read('He said "hi".')).toBe('He said "hi".');
    expect(await read(text("plain"))).toBe("plain");
  });

  it("other data as JSON", async () => {
    expect(await read({ celsius: 21, wind: ["N"] })).toBe('{"celsius":21,"wind":["N"]}');
    expect(await read(42)).toBe("42");
  });

  it("a string in quotes if the tool says that it is JSON", async () => {
    expect(await read(json("plain"))).toBe('"plain"');
  });

  it("case 56: null if the tool returned nothing", async () => {
    expect(await read(undefined)).toBe("null");
    expect(await read([{ a: undefined }])).toBe("[{}]");
  });

  it('seed 002, "Error Handling": the message of what the tool threw', async () => {
    expect(modelText(await caller(WeatherTool)({ city: "Limbo" }))).toBe("Error executing tool: API rate limit exceeded");
  });

  it("no secrets from error messages", async () => {
    const leak = toolOf(() => Promise.reject(new Error("GET https://bob:hunter2@api.test/?api_key=abc failed")));
    expect(modelText(await caller(leak)())).not.toMatch(/hunter2|abc/);
  });

  it("that its arguments were invalid, with every fault", async () => {
    expect(modelText(await caller(WeatherTool)({ days: "many" }))).toMatch(/^Invalid arguments: (?=.*city)(?=.*days)/);
  });
});

describe("a call that fails", () => {
  const call = caller(WeatherTool);

  it('seed 003, "ToolResult": gives error and errorType, and no data', async () => {
    expect(await call({ city: "Limbo" })).toStrictEqual({
      tool: "weather",
      fetchedAt: timestamp,
      error: "API rate limit exceeded",
      errorType: "execution_error",
    });
  });

  it("says in the tool's own words what to do", async () => {
    expect(await call({ city: "Atlantis" })).toMatchObject({ error: expect.stringMatching(/larger city/), errorType: "execution_error" });
    expect(await call({ city: "Hell" })).toMatchObject({ error: "Too hot.", errorType: "out_of_range" });
  });

  it("case 2: does not run the tool for empty text where something is required", async () => {
    expect(await call("")).toMatchObject({ errorType: "validation_error", error: expect.stringContaining("city") });
  });

  it.each([
    ["null", null],
    ["an array", [1]],
    ["a number", 7],
    ["undefined", undefined],
  ])("refuses %s as arguments", async (_kind, value) => {
    const result = await new ToolExecutor({ tools: [WeatherTool] }).call(
      { id: "call_1", name: "weather", arguments: value as unknown as string },
      createRunScope(),
    );
    expect(result).toMatchObject({ errorType: "validation_error", error: expect.stringContaining("must be an object") });
  });

  it.each([
    ["malformed text", '{"city":'],
    ["an array as text", '["Paris"]'],
    ["a forbidden key", '{"city":"Paris","__proto__":{"admin":true}}'],
  ])("refuses %s", async (_kind, argumentsText) => {
    expect(await call(argumentsText)).toMatchObject({ tool: "weather", errorType: "validation_error" });
  });

  it.each([
    ["a string", "boom", "boom"],
    ["undefined", undefined, "The tool threw undefined instead of an error."],
    ["null", null, "The tool threw null instead of an error."],
    ["an object with a message", { message: "quota" }, "quota"],
    ["an object without", { code: 5 }, "The tool threw [object Object] instead of an error."],
  ])("has a message if the tool throws %s", async (_kind, thrown, message) => {
    for (const throwing of [toolOf(() => Promise.reject(thrown)), toolOf(() => raise(thrown))]) {
      expect(await caller(throwing)()).toMatchObject({ error: message, errorType: "unhandled_error" });
    }
  });

  it("has a message if the error has none, or can't be read", async () => {
    expect((await caller(toolOf(() => raise(Object.assign(new Error(), { code: "ECONNREFUSED" }))))()).error).toBe("ECONNREFUSED");
    const unreadable = Object.defineProperty(new Error(), "message", { get: () => raise(new Error("no")) });
    expect((await caller(toolOf(() => raise(unreadable)))()).error).toBe("The tool threw a value that can't be read.");
  });

  it.each([
    ["a generator", (function* () {})(), /Generator.*return an array/],
    ["an asynchronous generator", (async function* () {})(), /AsyncGenerator.*return an array/],
    ["a response", new Response("{}"), /Response.*response\.json/],
  ])("says what to return instead of %s", async (_kind, returned, message) => {
    expect((await caller(toolOf(() => returned))()).error).toMatch(message);
  });

  it("takes a promise-like value for a promise", async () => {
    // biome-ignore lint/suspicious/noThenProperty: a thenable is what is tested
    const thenable = { then: (resolve: (value: string) => void) => resolve("resolved") };
    expect((await caller(toolOf(() => thenable))()).data).toBe("resolved");
    // biome-ignore lint/suspicious/noThenProperty: as above
    const broken = { then: () => raise(new Error("broken then")) };
    expect((await caller(toolOf(() => broken))()).error).toBe("broken then");
  });

  it("case 29: one of two parallel calls fails, and both have a result", async () => {
    const call = caller(WeatherTool);
    const [good, bad] = await Promise.all([call({ city: "Paris" }), call({ city: "Limbo" })]);
    expect([good.data, bad.error]).toEqual(["Sunny in Paris for 3 days.", "API rate limit exceeded"]);
  });
});

describe("which tools may be called", () => {
  const executor = new ToolExecutor({ tools: [WeatherTool, PurgeTool] });
  const call = (name: string, toolContext?: Record<string, unknown>) =>
    executor.call({ id: "call_1", name, arguments: {} }, createRunScope(toolContext === undefined ? {} : { toolContext }));

  it("the error for an unknown tool lists those that exist", async () => {
    expect(await call("whether")).toMatchObject({
      tool: "whether",
      errorType: "unknown_tool",
      error: "Unknown tool 'whether'. Available tools: weather.",
    });
  });

  it("names are exact", async () => {
    for (const name of ["Weather", "weather ", "", "toString", "constructor", "__proto__", "hasOwnProperty"]) {
      expect((await call(name)).errorType).toBe("unknown_tool");
    }
    expect((await call(undefined as unknown as string)).errorType).toBe("unknown_tool");
  });

  it("case 26: a tool that the context doesn't allow is like no tool at all", async () => {
    for (const context of [
      undefined,
      { scopes: ["accounts:delete"] },
      { roles: ["admin"], scopes: "accounts:delete" },
      { roles: ["user"] },
    ]) {
      expect(await call("purge_tool", context)).toMatchObject({
        errorType: "unknown_tool",
        error: "Unknown tool 'purge_tool'. Available tools: weather.",
      });
    }
  });

  it("a tool is callable if the context carries every scope and role", async () => {
    expect((await call("purge_tool", { scopes: ["x", "accounts:delete"], roles: ["admin"] })).data).toBe("gone");
  });

  it("says so if there is none", async () => {
    const none = new ToolExecutor({ tools: [] });
    expect((await none.call({ id: "1", name: "x", arguments: "" }, createRunScope())).error).toBe(
      "Unknown tool 'x'. No tools are available.",
    );
  });

  it("case 23: two tools of one name are refused, and both named", () => {
    @description("Another.")
    @identifier("weather")
    class ForecastTool extends Tool {
      call() {}
    }
    expect(() => new ToolExecutor({ tools: [WeatherTool, ForecastTool] })).toThrow(/WeatherTool and ForecastTool are both named 'weather'/);
  });

  it("case 62: two executors share no tools", async () => {
    const other = new ToolExecutor({ tools: [PurgeTool] });
    expect((await other.call({ id: "1", name: "weather", arguments: "" }, createRunScope())).errorType).toBe("unknown_tool");
  });
});

function raise(error: unknown): never {
  throw error;
}
