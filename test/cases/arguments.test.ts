import { createRunScope, ToolExecutor } from "../../src/execution/index.js";
import { createTool, description, Integer, optional, required, Tool, type ToolClass, type ToolResult } from "../../src/index.js";

/** Faults that users of like libraries met with the arguments that models write. */

const call = (tool: ToolClass, text: string): Promise<ToolResult> =>
  new ToolExecutor({ tools: [tool] }).call({ id: "call_1", name: tool.identifier, arguments: text }, createRunScope());

it("case 1: empty argument text runs a tool without parameters once, with {}", async () => {
  let runs = 0;
  const ping = createTool("ping", "Pings.", { type: "object", additionalProperties: false }, (input) => {
    runs += 1;
    return input;
  });
  expect(await call(ping, "")).toMatchObject({ data: {} });
  expect(runs).toBe(1);
});

it("case 2: empty argument text never runs a tool with a required parameter", async () => {
  let runs = 0;
  const weather = createTool(
    "weather",
    "Tells the weather.",
    { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    () => (runs += 1),
  );
  expect(await call(weather, "")).toMatchObject({ errorType: "validation_error", error: expect.stringMatching(/^city is required/) });
  expect(runs).toBe(0);
});

it("case 4: valid JSON with escaped quotes arrives byte for byte", async () => {
  const value = 'x = "a,}" + "\\"';
  const run = createTool("run", "Runs.", { type: "object", properties: { code: { type: "string" } } }, ({ code }) => code);
  expect(await call(run, JSON.stringify({ code: value }))).toMatchObject({ data: value });
});

it('case 5: the text "false" never becomes true', async () => {
  @description("d")
  class ForceTool extends Tool {
    @required(Boolean) force!: boolean;
    override call() {
      return this.force;
    }
  }
  expect(await call(ForceTool, '{"force":"false"}')).toMatchObject({ data: false });
  expect(await call(ForceTool, '{"force":"no"}')).toMatchObject({ errorType: "validation_error" });
});

it("case 7: a number that came as text is read only if nothing is lost", async () => {
  @description("d")
  class CountTool extends Tool {
    @required(Integer) n!: number;
    override call() {
      return this.n;
    }
  }
  expect(await call(CountTool, '{"n":"42"}')).toMatchObject({ data: 42 });
  for (const text of ["3.14", "abc", "", " 1", "1e400", "9007199254740993"]) {
    expect(await call(CountTool, JSON.stringify({ n: text }))).toMatchObject({
      errorType: "validation_error",
      error: expect.stringMatching(/^n must be an integer/),
    });
  }
});

it("case 8: optional fields of a schema from outside may be absent, and then are absent, not null", async () => {
  const search = createTool(
    "search",
    "Searches.",
    { type: "object", properties: { q: { type: "string" }, limit: { type: "integer" } }, required: ["q"] },
    (input) => Object.keys(input),
  );
  expect(await call(search, '{"q":"x"}')).toMatchObject({ data: ["q"] });
});

it("case 10: a default is a fresh copy at each call, and a default that fails its own schema fails the definition", async () => {
  @description("d")
  class TagTool extends Tool {
    @optional([String], { default: [] }) tags!: string[];
    override call() {
      this.tags.push("x");
      return this.tags;
    }
  }
  expect([await call(TagTool, "{}"), await call(TagTool, "{}")]).toMatchObject([{ data: ["x"] }, { data: ["x"] }]);
  @description("d")
  class WrongTool extends Tool {
    @optional([String], { default: [1 as unknown as string] }) tags!: string[];
    override call() {}
  }
  expect(() => WrongTool.definition).toThrow(/^WrongTool\.tags: the default \[1\] breaks its own schema/);
});

it("case 11: an enum's wire values are its values, in the schema and in validation", async () => {
  enum Taste {
    Mild = "mild",
  }
  @description("d")
  class CurryTool extends Tool {
    @required({ enum: Taste }) taste!: Taste;
    override call() {
      return this.taste === Taste.Mild;
    }
  }
  expect(CurryTool.parametersSchema.properties?.taste).toEqual({ type: "string", enum: ["mild"] });
  expect(await call(CurryTool, '{"taste":"mild"}')).toMatchObject({ data: true });
  expect(await call(CurryTool, '{"taste":"Mild"}')).toMatchObject({ errorType: "validation_error" });
});

it("case 13: extra keys are refused, with the known ones named", async () => {
  @description("d")
  class ATool extends Tool {
    @required(Integer) a!: number;
    override call() {}
  }
  expect(await call(ATool, '{"a":1,"hoho":2}')).toMatchObject({ error: expect.stringMatching(/^hoho is unknown \(known: a\)/) });
});
