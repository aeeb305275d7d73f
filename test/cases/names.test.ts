import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { Agent, createTool, description, failure, identifier, model, access, Tool, type ToolClass, usesTools } from "../../src/index.js";
import { ScriptedModel } from "../../src/models/index.js";

/** Faults that users of like libraries met with tool names. */

const named = (name: string, execute: () => unknown = () => name): ToolClass =>
  createTool({ name, description: `The tool ${name}.`, inputSchema: { type: "object" }, execute });

it("case 22: names that providers refuse are mapped and mapped back, collisions get a stable suffix", async () => {
  const tools = [named("calendar.respondToEvent"), named("a.b"), named("a_b")];
  const script = new ScriptedModel([
    (request) => ({ toolCalls: request.tools.map((tool) => ({ name: tool.name, arguments: {} })) }),
    "done",
    "done",
  ]);
  @model(script)
  @usesTools(tools)
  class CalendarAgent extends Agent {}
  const response = await CalendarAgent.generate("go");
  const sent = script.requests[0]?.tools.map((tool) => tool.name) ?? [];
  expect(sent[0]).toBe("calendar_respondToEvent");
  expect(new Set(sent).size).toBe(3);
  for (const name of sent) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  expect(response.steps[0]?.toolCalls.map((call) => [call.name, call.data])).toEqual([
    ["calendar.respondToEvent", "calendar.respondToEvent"],
    ["a.b", "a.b"],
    ["a_b", "a_b"],
  ]);
  await CalendarAgent.generate("again");
  expect(script.requests.at(-1)?.tools.map((tool) => tool.name)).toEqual(sent);
});

it("case 23: two tools of one name are refused, and both sources are named", async () => {
  @description("Searches the web")
  @identifier("search")
  class WebSearchTool extends Tool {
    override call() {}
  }
  @description("Searches the shop")
  @identifier("search")
  class ShopSearchTool extends Tool {
    override call() {}
  }
  @model(new ScriptedModel(["done"]))
  @usesTools([WebSearchTool, ShopSearchTool])
  class SearchAgent extends Agent {}
  await expect(SearchAgent.generate("go")).rejects.toThrow(/WebSearchTool and ShopSearchTool are both named "search"/);
  expect(() => new ToolExecutor({ tools: [WebSearchTool, ShopSearchTool] })).toThrow(/WebSearchTool.*ShopSearchTool/);
});

it("case 25: an unknown call beside a valid one doesn't stop it, and a tool's count of failures survives a step without it", async () => {
  const script = new ScriptedModel([
    {
      toolCalls: [
        { name: "no_such_tool", arguments: {} },
        { name: "ok", arguments: {} },
      ],
    },
    "done",
  ]);
  @model(script)
  @usesTools([named("ok")])
  class OkAgent extends Agent {}
  const response = await OkAgent.generate("go");
  expect(response.steps[0]?.toolCalls.map((call) => call.errorType)).toEqual(["unknown_tool", undefined]);
  expect(response.text).toBe("done");

  const executor = new ToolExecutor({ tools: [named("flaky", () => failure("no")), named("ok")] });
  const scope = createRunScope();
  const types = [];
  for (const [index, name] of ["flaky", "ok", "flaky", "ok", "flaky", "flaky"].entries()) {
    types.push((await executor.call({ id: `c${index}`, name, arguments: {} }, scope)).errorType);
  }
  expect(types).toEqual(["execution_error", undefined, "execution_error", undefined, "execution_error", "retries_exhausted"]);
});

it("case 26: the hint after an unknown name lists only tools that this run may call", async () => {
  @description("Internal")
  @access({ roles: ["admin"] })
  class InternalTool extends Tool {
    override call() {}
  }
  const executor = new ToolExecutor({ tools: [InternalTool, named("search")] });
  for (const name of ["serach", "internal_tool"]) {
    const result = await executor.call({ id: "c1", name, arguments: {} }, createRunScope({ toolContext: { roles: ["guest"] } }));
    expect(result).toMatchObject({ errorType: "unknown_tool", error: `Unknown tool '${name}'. Available tools: search.` });
  }
  const permitted = createRunScope({ toolContext: { roles: ["admin"] } });
  expect(await executor.call({ id: "c1", name: "internal_tool", arguments: {} }, permitted)).toMatchObject({ data: null });
});
