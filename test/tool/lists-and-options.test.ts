import { Agent, model, usesTools } from "../../src/agent/index.js";
import { approve } from "../../src/confirmation/index.js";
import type { RunState } from "../../src/loop/index.js";
import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { toAiSdkTools } from "../../src/adapters/ai-sdk/index.js";
import { toLangChainTools } from "../../src/adapters/langchain/index.js";
import { mcpHandler } from "../../src/mcp/index.js";
import { toOpenAiAgentsTools } from "../../src/adapters/openai-agents/index.js";
import { checkTools } from "../../src/lint/index.js";
import { ScriptedModel } from "../../src/models/index.js";
import { createRegistry, createWorkspace } from "../../src/registry/index.js";
import { invokeTool } from "../../src/testing/index.js";
import { description, optional, required, Tool, type ToolClass } from "../../src/tool/index.js";

@description("Gets the weather. Use when the user asks about weather.")
class WeatherTool extends Tool {
  call() {
    return "Sunny.";
  }
}

class Weather {}

const toolbox = { name: "sky", tools: [WeatherTool] };

@model(new ScriptedModel(["Hello."]))
class HelloAgent extends Agent {}

/** What the work throws, as it is printed. JavaScript gives what the types exclude. */
async function thrownBy(work: (given: never) => unknown, given: unknown): Promise<string> {
  try {
    await work(given as never);
  } catch (error) {
    return String(error);
  }
  return "nothing";
}

const agentWith = (tools: never) => {
  @model(new ScriptedModel(["Hello."]))
  @usesTools(() => tools)
  class SkyAgent extends Agent {}

  return new SkyAgent().generate("Hi");
};

/** Every door that takes a list of tools: how its messages begin, and what it does. */
const lists: readonly [string, (tools: never) => unknown][] = [
  ["ToolDefinitionError: ToolExecutor", (tools) => new ToolExecutor({ tools })],
  ["ToolDefinitionError: checkTools", (tools) => checkTools(tools)],
  ["ToolDefinitionError: toAiSdkTools", (tools) => toAiSdkTools(tools)],
  ["ToolDefinitionError: toLangChainTools", (tools) => toLangChainTools(tools)],
  ["ToolDefinitionError: toOpenAiAgentsTools", (tools) => toOpenAiAgentsTools(tools)],
  ['ToolDefinitionError: the project\'s workspace, toolbox "sky"', (tools) => createWorkspace().toolbox({ name: "sky", tools })],
];
/** Those that open toolboxes too. */
const openLists: typeof lists = [
  ["AgentDefinitionError: SkyAgent", agentWith],
  ["ToolDefinitionError: mcpHandler", (tools) => mcpHandler({ name: "sky", version: "1.0.0", tools })],
];

describe.each([...lists, ...openLists])("%s says what stands in place of", (owner, take) => {
  it.each<[string, unknown, string]>([
    [
      "a class that is no tool",
      [Weather],
      "entry 0 of the tools is Weather, which doesn't extend Tool. Give classes that do, or make one with createTool.",
    ],
    [
      "an instance",
      [WeatherTool, new WeatherTool()],
      "entry 1 of the tools is an instance of WeatherTool. Give the class itself: each call makes its own instance.",
    ],
    [
      "a class that isn't there yet",
      [undefined],
      "entry 0 of the tools is undefined, as happens if files import each other. Make the list later, in a function: @usesTools(() => [...]).",
    ],
    ["a name", ["weather"], 'entry 0 of the tools is "weather", which isn\'t a tool class.'],
    ["null", [null], "entry 0 of the tools is null, which isn't a tool class."],
    ["an object", [{}], "entry 0 of the tools is an object, which isn't a tool class."],
    ["a list in the list", [[WeatherTool]], "entry 0 of the tools is a list. Spread it: ...tools."],
  ])("a tool: %s", async (_what, tools, message) => {
    expect(await thrownBy(take, tools)).toBe(`${owner}: ${message}`);
  });
});

describe.each(lists)("%s says what stands in place of", (owner, take) => {
  it.each<[string, unknown, string]>([
    ["a toolbox", [toolbox], 'entry 0 of the tools is the toolbox "sky". Give its tools one by one: ...toolbox.tools.'],
  ])("a tool: %s", async (_what, tools, message) => {
    expect(await thrownBy(take, tools)).toBe(`${owner}: ${message}`);
  });

  it.each<[string, unknown, string]>([
    ["a tool", WeatherTool, "got WeatherTool. Put it into a list: [WeatherTool]."],
    ["a toolbox", toolbox, 'got the toolbox "sky". Give its list: toolbox.tools.'],
    ["nothing", null, "got null, which isn't a tool class."],
    ["a name", "weather", 'got "weather", which isn\'t a tool class.'],
  ])("the list: %s", async (_what, tools, message) => {
    expect(await thrownBy(take, tools)).toBe(`${owner}: tools are given as a list, ${message}`);
  });
});

describe.each(openLists)("%s says what stands in place of", (owner, take) => {
  it.each<[string, unknown, string]>([
    ["a tool", WeatherTool, "got WeatherTool. Put it into a list: [WeatherTool]."],
    ["nothing", null, "got null, which isn't a tool class."],
  ])("the list: %s", async (_what, tools, message) => {
    expect(await thrownBy(take, tools)).toBe(`${owner}: tools are given as a list or a toolbox, ${message}`);
  });

  it("a tool in a toolbox", async () => {
    const inBox = await thrownBy(take, [{ name: "sky", tools: [Weather] }]);
    expect(inBox).toBe(
      `${owner}, toolbox "sky": entry 0 of the tools is Weather, which doesn't extend Tool. Give classes that do, or make one with createTool.`,
    );
  });
});

/** Every function that takes options: how its messages begin, a right name, a wrong one, and what it does. */
const takers: readonly [string, string, string, (options: never) => unknown][] = [
  ["ToolExecutor", "listeners", "listener", (options: object) => new ToolExecutor(Object.assign(options, { tools: [] }))],
  ["The scope of a run", "toolContext", "toolcontext", createRunScope],
  [
    "The scope of a run",
    "toolContext",
    "toolcontext",
    (options: object) => new ToolExecutor({ tools: [WeatherTool] }).run("weather_tool", {}, options),
  ],
  ["generate", "maxSteps", "maxStep", (options) => new HelloAgent().generate("Hi", options)],
  ["generate", "toolContext", "toolContxt", (options) => HelloAgent.generate("Hi", options)],
  ["generate", "maxSteps", "maxStep", (options) => new HelloAgent().stream("Hi", options).response],
  ["resume", "decisions", "decision", (options) => new HelloAgent().resume({} as RunState, options)],
  ["resume", "decisions", "decision", (options) => new HelloAgent().resumeStream({} as RunState, options).response],
  ["createRegistry", "organisation", "organization", createRegistry],
  ["createWorkspace", "organisation", "organization", createWorkspace],
  ["invokeTool", "services", "service", (options) => invokeTool(WeatherTool, {}, options)],
  ["toAiSdkTools", "scope", "scop", (options) => toAiSdkTools([], options)],
  ["toLangChainTools", "scope", "scop", (options) => toLangChainTools([], options)],
  ["toOpenAiAgentsTools", "scope", "scop", (options) => toOpenAiAgentsTools([], options)],
];

describe("a misspelt option, which would do nothing, is refused by", () => {
  it.each(takers)("%s (%s)", async (owner, right, wrong, take) => {
    expect(await thrownBy(take, { [wrong]: "s3cret" })).toBe(`TypeError: ${owner}: unknown option "${wrong}". Did you mean "${right}"?`);
  });
});

describe("a misspelt option whose value is undefined, as one from an environment often is, is refused by", () => {
  it.each(takers)("%s (%s)", async (owner, right, wrong, take) => {
    expect(await thrownBy(take, { [wrong]: undefined })).toBe(`TypeError: ${owner}: unknown option "${wrong}". Did you mean "${right}"?`);
  });
});

describe("what options inherit is no option of theirs, for", () => {
  it.each(takers)("%s (%s)", async (_owner, _right, wrong, take) => {
    expect(await thrownBy(take, Object.create({ [wrong]: "s3cret" }))).not.toContain("unknown option");
  });
});

describe("if other code has added a member to every object", () => {
  const everyObject = Object.prototype as { added?: unknown };

  beforeAll(() => {
    everyObject.added = { by: "other code" };
  });

  afterAll(() => {
    delete everyObject.added;
  });

  it.each(takers)("%s takes its options (%s)", async (_owner, _right, _wrong, take) => {
    expect(await thrownBy(take, {})).not.toContain("unknown option");
  });

  it("a tool is defined and called as elsewhere, and the added member stays as it was", async () => {
    class Place {
      @required(String) street!: string;
    }

    @description("Gets the weather of a place. Use when the user asks about weather.")
    class PlaceTool extends Tool {
      @required(Place) place!: Place;
      @optional({ enum: ["celsius", "fahrenheit"], default: "celsius" }) units!: string;

      call() {
        return { street: this.place.street, units: this.units };
      }
    }

    expect(Object.keys(PlaceTool.parametersSchema.properties ?? {})).toEqual(["place", "units"]);
    expect(await invokeTool(PlaceTool, { place: { street: "Main Street" } })).toEqual({ street: "Main Street", units: "celsius" });
    expect(Object.isFrozen(everyObject.added)).toBe(false);
  });

  it("an agent reports the call with the arguments that it had", async () => {
    @model(new ScriptedModel([{ toolCalls: [{ name: "weather_tool", arguments: {} }] }, "Sunny."]))
    @usesTools([WeatherTool])
    class SkyAgent extends Agent {}

    const inputs: unknown[] = [];
    const stream = new SkyAgent().stream("Weather?");
    for await (const event of stream) if (event.type === "tool_started") inputs.push(Object.keys(event.input as object));
    expect(inputs).toEqual([[]]);
    expect((await stream.response).text).toBe("Sunny.");
  });
});

describe("what is no object of options is refused by", () => {
  it.each<[string, (given: never) => unknown, unknown, string]>([
    [
      "ToolExecutor: a list",
      (list) => new ToolExecutor(list),
      [WeatherTool],
      "ToolExecutor: takes options, such as { tools: ... }, got a list.",
    ],
    [
      "ToolExecutor: a class",
      (tool) => new ToolExecutor(tool),
      WeatherTool,
      "ToolExecutor: takes options, such as { tools: ... }, got a function.",
    ],
    [
      "ToolExecutor: nothing",
      (nothing) => new ToolExecutor(nothing),
      undefined,
      "ToolExecutor: takes options, such as { tools: ... }, got undefined.",
    ],
    [
      "generate: a user's id",
      (id) => HelloAgent.generate("Hi", id),
      "42",
      "generate: takes options, such as { toolContext: ... }, got a string.",
    ],
    ["generate: null", (none) => HelloAgent.generate("Hi", none), null, "generate: takes options, such as { toolContext: ... }, got null."],
    [
      "resume: a list of decisions",
      (list) => new HelloAgent().resume({} as RunState, list),
      [approve("call_1")],
      "resume: takes options, such as { decisions: ... }, got a list.",
    ],
    [
      "createRegistry: a toolbox's list",
      (list) => createRegistry(list),
      [WeatherTool],
      "createRegistry: takes options, such as { internal: ... }, got a list.",
    ],
    ["toAiSdkTools: a context", (id) => toAiSdkTools([], id), "42", "toAiSdkTools: takes options, such as { scope: ... }, got a string."],
  ])("%s", async (_what, take, given, message) => {
    expect(await thrownBy(take, given)).toBe(`TypeError: ${message}`);
  });

  it("resume, if one decision stands in place of the list", async () => {
    const resume = (decisions: never) => new HelloAgent().resume({} as RunState, { decisions });
    expect(await thrownBy(resume, approve("call_1"))).toBe(
      'TypeError: The option decisions must be a list: resume(state, { decisions: [approve("call_1")] }).',
    );
  });

  it.each<[string, (context: never) => unknown]>([
    ["generate", (toolContext) => HelloAgent.generate("Hi", { toolContext })],
    ["an executor's run", (toolContext) => new ToolExecutor({ tools: [WeatherTool] }).run(WeatherTool, {}, { toolContext })],
    ["an adapter", (toolContext) => toAiSdkTools([WeatherTool], { scope: { toolContext } })],
  ])("%s, if the context is no object", async (_what, take) => {
    for (const toolContext of ["42", null, 7]) {
      expect(await thrownBy(take, toolContext)).toContain("TypeError: The option toolContext must be an object");
    }
  });

  it.each<[string, (listeners: never) => unknown]>([
    ["generate", (listeners) => HelloAgent.generate("Hi", { listeners })],
    ["an executor", (listeners) => new ToolExecutor({ tools: [WeatherTool], listeners })],
    ["an adapter", (listeners) => toAiSdkTools([WeatherTool], { listeners })],
  ])("%s, if the listeners are no list", async (_what, take) => {
    for (const listeners of [{}, "log", [undefined]]) {
      expect(await thrownBy(take, listeners)).toContain("TypeError: The option listeners must be a list of objects");
    }
  });
});

it("what is no tool class is refused by the functions that take one", async () => {
  for (const given of [undefined, Weather, new WeatherTool(), toolbox]) {
    expect(await thrownBy((tool: ToolClass) => invokeTool(tool, {}), given)).toMatch(
      /^ToolDefinitionError: invokeTool: takes a tool class, got /,
    );
  }
});
